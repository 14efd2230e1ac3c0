"""Stage operations."""

VERSION = 2

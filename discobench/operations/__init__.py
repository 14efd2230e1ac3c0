"""Stage operations."""

VERSION = 1

"""Stage models."""

VERSION = 1

"""Stage decode."""

VERSION = 3

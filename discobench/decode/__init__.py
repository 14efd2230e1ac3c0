"""Stage decode."""

VERSION = 5

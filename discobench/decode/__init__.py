"""Stage decode."""

VERSION = 4

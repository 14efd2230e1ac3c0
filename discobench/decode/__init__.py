"""Stage decode."""

VERSION = 1

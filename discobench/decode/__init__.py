"""Stage decode."""

VERSION = 2

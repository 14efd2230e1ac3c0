"""Stage corpus."""

VERSION = 1

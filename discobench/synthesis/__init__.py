"""Stage synthesis."""

VERSION = 1

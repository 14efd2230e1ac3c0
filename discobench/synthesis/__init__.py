"""Stage synthesis."""

VERSION = 4

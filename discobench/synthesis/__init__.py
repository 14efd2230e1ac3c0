"""Stage synthesis."""

VERSION = 3

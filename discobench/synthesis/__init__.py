"""Stage synthesis."""

VERSION = 2

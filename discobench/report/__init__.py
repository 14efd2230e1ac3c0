"""Stage report."""

VERSION = 7

"""Stage report."""

VERSION = 6

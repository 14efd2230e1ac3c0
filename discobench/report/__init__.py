"""Stage report."""

VERSION = 4

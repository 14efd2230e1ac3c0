"""Stage report."""

VERSION = 2

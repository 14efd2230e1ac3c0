"""Stage report."""

VERSION = 5

"""Stage report."""

VERSION = 1

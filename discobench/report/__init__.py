"""Stage report."""

VERSION = 3

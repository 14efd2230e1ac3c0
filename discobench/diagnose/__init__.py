"""Stage diagnose."""

VERSION = 4

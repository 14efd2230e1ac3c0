"""Stage diagnose."""

VERSION = 2

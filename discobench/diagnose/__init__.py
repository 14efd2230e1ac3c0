"""Stage diagnose."""

VERSION = 1

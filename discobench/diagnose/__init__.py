"""Stage diagnose."""

VERSION = 5

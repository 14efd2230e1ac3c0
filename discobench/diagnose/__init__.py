"""Stage diagnose."""

VERSION = 3

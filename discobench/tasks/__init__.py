"""Stage tasks."""

VERSION = 1

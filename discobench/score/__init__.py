"""Stage score."""

VERSION = 1

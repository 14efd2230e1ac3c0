"""Stage pretrain."""

VERSION = 5

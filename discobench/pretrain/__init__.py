"""Stage pretrain."""

VERSION = 3

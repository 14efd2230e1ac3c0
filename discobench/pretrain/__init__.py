"""Stage pretrain."""

VERSION = 2

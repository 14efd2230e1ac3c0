"""Stage pretrain."""

VERSION = 1

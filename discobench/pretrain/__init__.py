"""Stage pretrain."""

VERSION = 4

"""Stage pretrain."""

VERSION = 5
FAMILIES = ("encoder", "bart", "mbart", "gpt2")
"""Families that there is an objective for."""

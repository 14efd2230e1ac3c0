"""Stage finetune."""

VERSION = 1

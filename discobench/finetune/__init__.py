"""Stage finetune."""

VERSION = 2

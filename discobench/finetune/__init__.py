"""Stage finetune."""

VERSION = 3

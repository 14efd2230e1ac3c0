"""What preset demo selects, as its plan is expected to show it: genres, shards, checkpoints, rows."""

TASKS = ("si", "zpr", "mrc", "nt", "cct", "pt", "te", "ti", "tc")
GENRES = ("zh_novel", "zh_ancient", "zh_movie", "en_book", "en_movie")
NOVEL = ("zh_novel/0", "zh_novel/1")
ZH = (*NOVEL, "zh_ancient/0", "zh_movie/0")
EN = ("en_book/0", "en_movie/0")
# Checkpoints that are drawn here, with vocabularies of the texts of their language, and those pretrained from them.
DRAWN = {
    "zh": (
        *("transformer-base-encoder", "roberta-base-zh", "roberta-large-zh"),
        *("bart-large-zh", "gpt2-zh", "gpt2-zh-737m", "t5-zh"),
    ),
    "en": ("bart-large-en", "gpt2-en", "t5-en"),
    "multi": ("transformer-base", "mbart-cc25"),
}
DISCO = {
    "zh": ("disco-roberta-base", "disco-roberta-large", "disco-bart-large-zh", "disco-gpt2-zh"),
    "en": ("disco-gpt2-en",),
    "multi": ("disco-mbart",),
}
ALL_DISCO = (*DISCO["zh"], *DISCO["en"], *DISCO["multi"])
# Where they start from: texts are packed for its tokenizer.
BASES = {
    "disco-roberta-base": "roberta-base-zh",
    "disco-roberta-large": "roberta-large-zh",
    "disco-bart-large-zh": "bart-large-zh",
    "disco-gpt2-zh": "gpt2-zh-737m",
    "disco-gpt2-en": "gpt2-en",
    "disco-mbart": "mbart-cc25",
}
READ = {"zh": ZH, "en": EN, "multi": ZH + EN}
# Row -> its checkpoints and its tasks.
ROWS = {
    "transformer-base": (("transformer-base", "transformer-base-encoder"), TASKS),
    "roberta-base": (("roberta-base-zh",), ("si", "zpr", "mrc", "nt", "cct", "pt")),
    "roberta-large": (("roberta-large-zh",), ("mrc",)),
    "gpt2": (("gpt2-zh", "gpt2-en"), ("te", "ti", "tc")),
    "bart-large": (("bart-large-zh", "bart-large-en"), TASKS),
    "mbart": (("mbart-cc25",), ("nt", "pt")),
    "t5": (("t5-zh", "t5-en"), ("te", "ti", "tc")),
    "disco-roberta-base": (("disco-roberta-base",), ("si", "zpr")),
    "disco-roberta-large": (("disco-roberta-large",), ("mrc",)),
    "disco-gpt2": (("disco-gpt2-zh", "disco-gpt2-en"), ("te", "ti", "tc")),
    "disco-bart-large": (("disco-bart-large-zh",), ("nt", "tc")),
    "disco-mbart": (("disco-mbart",), ("nt",)),
}
RANKED = {
    "roberta-large": "mrc",
    "disco-roberta-large": "mrc",
    "mbart": "nt",
    "disco-mbart": "nt",
    "bart-large": "tc",
    "disco-bart-large": "tc",
}

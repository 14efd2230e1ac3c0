"""NT: novel translation, Chinese to English (paper section 3.2)."""

from discobench.tasks.translation import Translation


class NovelTranslation(Translation):
    """Sentences of web fiction chapters."""

    name = "nt"
    languages = ("zh", "en")
    schema = "nt"
    metrics = ("bleu", "d-bleu", "ter", "meteor", "comet")

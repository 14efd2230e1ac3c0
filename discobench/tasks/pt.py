"""PT: poetry translation, Chinese to English (paper section 3.2)."""

from discobench.tasks.translation import Translation


class PoetryTranslation(Translation):
    """Lines of poems."""

    name = "pt"
    languages = ("zh", "en")
    schema = "pt"
    metrics = ("bleu", "d-bleu", "ter", "meteor", "comet")

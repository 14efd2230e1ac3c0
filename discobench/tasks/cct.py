"""CCT: classical Chinese translation, classical to modern Chinese (paper section 3.2)."""

from discobench.tasks.translation import Translation


class ClassicalTranslation(Translation):
    """Sentences of classical texts. The paper has no METEOR for it."""

    name = "cct"
    languages = ("zh", "zh")
    schema = "cct"
    metrics = ("bleu", "d-bleu", "ter", "comet")

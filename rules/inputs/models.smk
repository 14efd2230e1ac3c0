"""What the rules of models take, worked out while planning."""


def tasks_of(checkpoint):
    """Tasks of the run that have a text in the checkpoint's language."""
    language = CONFIG.checkpoints[checkpoint].language
    return [t for t in RUN.tasks if language == "multi" or language in tasks.task(t).languages]


def genres_of(checkpoint):
    language = CONFIG.checkpoints[checkpoint].language
    return list(RUN.genres) if language == "multi" else of_language(language)


def source_of(checkpoint):
    """What follows the colon of a checkpoint's source."""
    return CONFIG.checkpoints[checkpoint].source.split(":", 1)[1]

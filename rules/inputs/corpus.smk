"""What the rules of corpus take, worked out while planning."""


def genre_of(wildcards):
    return CONFIG.genres[wildcards.genre]


def cleaning_rules(language):
    return f"{RESOURCES}/cleaning/{language}.yaml"


def outside_tasks(language):
    """Tasks whose test sets have texts in a language and do not come from the corpus itself."""
    outside = [task for task in RUN.tasks if CONFIG.tasks[task].source in ("file", "zpr")]
    return [task for task in outside if language in tasks.task(task).languages]


def ngrams_manifest(language):
    return f"{R}/corpus/{language}/ngrams.balance.json"


def pack_genres(checkpoint):
    return [genre for language in CONFIG.pretrain[checkpoint].languages for genre in of_language(language)]

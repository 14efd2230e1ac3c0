"""What the rules of corpus take, worked out while planning."""


def genre_of(wildcards):
    return CONFIG.genres[wildcards.genre]


def cleaning_rules(language):
    return str(ROOT / f"resources/cleaning/{language}.yaml")


def outside_tests():
    """Test sets that do not come from the corpus itself."""
    return [task_manifest(task) for task in RUN.tasks if CONFIG.tasks[task].source in ("file", "zpr")]


def pack_genres(checkpoint):
    return [genre for language in CONFIG.pretrain[checkpoint].languages for genre in of_language(language)]

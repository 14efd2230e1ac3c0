"""What the rules of tasks take, worked out while planning."""


def task_sources(wildcards):
    """The manifests a task is built from; a task from files has none."""
    data = CONFIG.tasks[wildcards.task]
    if data.source == "te":
        return expansions(CONFIG.genres)
    if data.source == "zpr":
        return [f"{R}/synthesis/zpr/recover.balance.json"]
    return per_shard("deduplicate", data.genres)


def task_facts(task):
    """What the card says of where records come from; one source without a licence leaves the whole without."""
    data = CONFIG.tasks[task]
    licences = set(RUN.licences(task).values())
    facts = data.model_dump(include={"domain", "paper_train", "paper_test"})
    facts["source"] = data.path or (", ".join(data.genres) or "synthesised from the corpus")
    return facts | {"licence": None if None in licences else ", ".join(sorted(licences))}

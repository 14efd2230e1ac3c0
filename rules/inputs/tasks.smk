"""What the rules of tasks take, worked out while planning."""


def task_sources(wildcards):
    """The manifests a task is built from; a task from files has none."""
    data = CONFIG.tasks[wildcards.task]
    if data.source == "te":
        return [f"{R}/synthesis/te/{g}/{s}/filter.balance.json" for g in CONFIG.synthesis.te.genres for s in shards(g)]
    if data.source == "zpr":
        return [f"{R}/synthesis/zpr/recover.balance.json"]
    return per_shard("deduplicate", data.genres)


def task_facts(task):
    data = CONFIG.tasks[task]
    source = data.path or (", ".join(data.genres) or "synthesised from the corpus")
    return data.model_dump(include={"domain", "licence", "paper_train", "paper_test"}) | {"source": source}

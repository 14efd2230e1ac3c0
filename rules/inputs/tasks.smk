"""What the rules of tasks take, worked out while planning."""


def task_sources(wildcards):
    """The manifests a task is built from; a task from files has none."""
    data = CONFIG.tasks[wildcards.task]
    if data.source == "te":
        return expansions(CONFIG.genres)
    if data.source == "zpr":
        return [f"{R}/synthesis/zpr/recover.balance.json"]
    return per_shard("deduplicate", data.genres)


def task_files(task):
    """Folders and formats of a task's files, with a digest of what lies there."""
    files = CONFIG.tasks[task].files
    return [{"path": f.path, "format": f.format, "seen": tree_fingerprint(f.path, SMALL)} for f in files]


def work_splits(task):
    """How works get their splits, where files do not say; interchange files always do."""
    divided = any(part.format != "interchange" for part in CONFIG.tasks[task].files)
    return {"shares": CONFIG.splits.model_dump(), "seed": CONFIG.seed} if divided else None


def task_facts(task):
    """What the card says of where records come from: every place with its licence, and the sizes of Table 1."""
    data = CONFIG.tasks[task]
    facts = data.model_dump(include={"domain", "paper_train", "paper_test"})
    return facts | {"sources": list(RUN.origins(task).values())}


def sheets(extension):
    """Both annotators' sheets of every task of the run."""
    return [f"{R}/annotation/{task}/annotator-{n}.{extension}" for task in RUN.tasks for n in (1, 2)]


def filled_sheets(wildcards):
    """The sheets that annotators have filled; refused while the configuration names none."""
    if not CONFIG.annotation.sheets:
        raise WorkflowError(
            "annotation.sheets: found none; name the two filled sheets of each task, which annotation_sheets writes."
        )
    return [path for paths in CONFIG.annotation.sheets.values() for path in paths]

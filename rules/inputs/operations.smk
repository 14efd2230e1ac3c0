"""What the rules of operations take, worked out while planning."""

from discobench.operations import release


def released(wildcards):
    """The manifests of the run's tasks; refused while a source of one of them may not be passed on."""
    refusals = release.refusals(RUN, RUN.tasks)
    if refusals:
        raise WorkflowError("\n".join(["The data sets cannot be released.", *refusals]))
    return [task_manifest(task) for task in RUN.tasks]


def archive_to_rebuild(wildcards):
    """The archive whose texts are wanted; refused while the configuration names none."""
    if CONFIG.release.archive is None:
        raise WorkflowError("release.archive: found null; name an archive that `release_tasks` packed.")
    return CONFIG.release.archive


def release_notice():
    """What an archive says of itself: tasks with their licences, and what is withheld."""
    licences = {task: sorted({str(name) for name in RUN.licences(task).values()}) for task in RUN.tasks}
    return release.notice(CONFIG.release.version, licences, released_texts())


def released_texts():
    """Whether each task's texts may be passed on; nothing is claimed for one that is refused."""
    return {task: release.whole_texts(RUN, task) for task in RUN.tasks}

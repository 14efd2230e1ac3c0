"""What the rules of operations take, worked out while planning."""

from discobench.operations import release
from discobench.operations.submission import answered_tasks


def released(wildcards):
    """The manifests of the run's tasks; refused while a source of one of them may not be passed on."""
    refusals = release.refusals(RUN, RUN.tasks)
    if refusals:
        raise WorkflowError("\n".join(["The data sets cannot be released.", *refusals]))
    return [task_manifest(task) for task in RUN.tasks]


def release_notice():
    """What an archive says of itself: tasks with their licences, and what is withheld."""
    licences = {task: sorted({str(name) for name in RUN.licences(task).values()}) for task in RUN.tasks}
    return release.notice(CONFIG.release.version, licences, released_texts())


def released_texts():
    """Whether each task's texts may be passed on; nothing is claimed for one that is refused."""
    return {task: release.whole_texts(RUN, task) for task in RUN.tasks}


def submitted_tasks():
    """The tasks of the run that the submission at hand answers."""
    try:
        return answered_tasks(Path(CONFIG.submission), RUN.tasks)
    except DiscoError as error:
        raise WorkflowError(str(error)) from None


GIVEN = bool(CONFIG.submission) and Path(CONFIG.submission).is_file()
SUBMITTED = submitted_tasks() if GIVEN else []
SUBMISSION = f"{R}/submissions/{sha256(Path(CONFIG.submission))[:12] if GIVEN else 'none'}"
SCORERS = {
    "ppl": {language: checkpoint_manifest(name) for language, name in CONFIG.score.perplexity_model.items()},
    "bertscore": {language: checkpoint_manifest(name) for language, name in CONFIG.score.bertscore_model.items()},
}


def submission_file(wildcards):
    """The submission at hand; refused where there is none."""
    if not GIVEN:
        found = f"{CONFIG.submission}, which is no file" if CONFIG.submission else "none"
        raise WorkflowError(
            f"submission: found {found}; name one as docs/howto/submission.md describes it, --config submission=<file>."
        )
    return CONFIG.submission


def submission_models():
    """The manifests of the models that score what the submission answers."""
    found = {task: tasks.task(task) for task in SUBMITTED}
    return sorted({SCORERS[m][t.languages[1]] for t in found.values() for m in t.metrics if m in SCORERS})

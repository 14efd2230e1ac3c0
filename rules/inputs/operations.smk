"""What the rules of operations take, worked out while planning."""

from collections import Counter
from types import SimpleNamespace

from discobench.operations import queue, release, tries
from discobench.operations.marks import at_work, marks, that_make
from discobench.operations.status import facts, summary
from discobench.operations.submission import answered_tasks
from discobench.owners import end as end_processes

STARTED = time.time()
ASKED = ("preflight", "forecast", "status", "te_sample")  # rules that say something and make nothing


def released(wildcards):
    """The manifests of the run's tasks; refused while a source of one of them may not be passed on."""
    refusals = release.refusals(RUN, RUN.tasks)
    if refusals:
        raise WorkflowError("\n".join(["The data sets cannot be released.", *refusals]))
    return [task_manifest(task) for task in RUN.tasks]


def released_models():
    """The archives of the run's continued-pretrained checkpoints."""
    return [f"{R}/release/{name}-{CONFIG.release.version}.zip" for name in RUN.pretrained()]


def models_to_release(wildcards):
    """All of them; refused with everything that keeps one of them from being passed on, or where there is none."""
    if not RUN.pretrained():
        raise WorkflowError("No row of this run has a continued-pretrained checkpoint: there is no model to release.")
    check_models(RUN.pretrained())
    return released_models()


def released_model(wildcards):
    """The manifest of a checkpoint; refused while something that it learned from may not be passed on."""
    check_models([wildcards.checkpoint])
    return checkpoint_manifest(wildcards.checkpoint)


def check_models(names):
    refusals = release.model_refusals(RUN, names)
    if refusals:
        raise WorkflowError("\n".join(["The models cannot be released.", *refusals]))


def model_facts(checkpoint):
    """What the card of a continued-pretrained checkpoint says beside its manifest."""
    base, keys = CONFIG.checkpoints[checkpoint].base, CONFIG.pretrain[checkpoint]
    read = {name: RUN.genres[name] for name in RUN.read_by(checkpoint)}
    shown = ("genre", "description", "language", "licence")
    return {
        "version": CONFIG.release.version,
        "comparable": CONFIG.report.comparable,
        "genres": {
            name: {key: getattr(genre, key) for key in shown} | {"weight": keys.weights.get(name, 1.0)}
            for name, genre in read.items()
        },
        "base": {"source": CONFIG.checkpoints[base].source, "licences": named_licences(base)},
        "licences": named_licences(checkpoint),
        "paper": CONFIG.checkpoints[checkpoint].paper.model_dump(),
    }


def named_licences(checkpoint):
    return sorted({licence for licence in RUN.model_licences(checkpoint).values() if licence})


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


def goes_to_slurm():
    return workflow.executor_plugin is not None and workflow.executor_plugin.name == "slurm"


def place_of_jobs():
    """Where this command's jobs run: on its cores and GPUs, or in the cluster's partitions, as many as it lets run."""
    if workflow.non_local_exec:
        return {"jobs": workflow.nodes or NEEDS.cluster.jobs}
    gpus = workflow.global_resources["gpu"].value if "gpu" in workflow.global_resources else 0
    return {"jobs": workflow.cores, "gpus": gpus, "scheduled": False}


def expected_results():
    """What each stage has made when the run is done, by the manifests that vouch for it."""
    trained = [cell for cell in RUN.cells() if RUN.trained(cell.checkpoint)]
    packed = [f"{R}/corpus/packed/{name}/index.balance.json" for name in RUN.pretrained()]
    zeros = [f"{R}/synthesis/zpr/recover.balance.json"] if SYNTHESISED else []
    return {
        "corpus": per_shard("decontaminate", RUN.genres) + packed + (CORPUS if CONFIG.run.page else []),
        "synthesis": expansions(RUN.genres) + zeros + (EXPANSIONS + ZEROS if CONFIG.run.page else []),
        "tasks": [task_manifest(task) for task in RUN.tasks] + (CARDS if CONFIG.run.page else []),
        "models": [checkpoint_manifest(name) for name in used_checkpoints() if not CONFIG.checkpoints[name].base],
        "pretrain": [checkpoint_manifest(name) for name in RUN.pretrained()],
        "finetune": [cell_path("finetune", "model.json", cell) for cell in trained],
        "decode": [cell_path("decode", "decode.balance.json", cell) for cell in RUN.cells()],
        "score": [cell_path("score", "scores.json", cell) for cell in RUN.cells()] + model_results(),
        "diagnose": SUITES + OTHER_SUITES,
        "report": [path for path in ALL if path not in CARDS + OTHER_SUITES],
    }


def model_results():
    """Scores by a model that the run's tables show."""
    tables = [SimpleNamespace(table=re.search(r"\d+", Path(path).stem)[0]) for path in TABLES]
    return list(dict.fromkeys(path for table in tables for path in table_model_scores(table)))


def end_what_was_left_behind():
    """Jobs whose command was killed would meet those of this one: they end first, with what they can save.

    On this machine Snakemake's lock says that nobody else makes what this command makes; on Slurm names of jobs say
    whose they are. What this command does not make is none of its business, and who only asks ends nothing.
    """
    jobs = [job for job in workflow.dag.needrun_jobs() if job.rule.name not in ASKED]
    made = {str(path): told_to_slurm(job) for job in jobs for path in job.output}
    if not made:
        return
    try:
        # Who computes here may do so beside a Slurm that is silent; whose jobs would meet those in it may not.
        known = queue.known(Path()) if workflow.non_local_exec else queue.queued(Path()) or []
        here, jobs = at_work(made, Path(LOG)), queue.left_behind(those_that_meet(made, known))
        told = [*map(str, here), *(f"{job.number} ({job.comment})" for job in jobs)]
        if told:
            print(f"The command is gone that began {', '.join(told)}: they end, and are done anew.", file=sys.stderr)
        end_processes(here.values(), queue.GOING)
        queue.end(jobs, Path())
    except DiscoError as error:
        raise WorkflowError(str(error)) from None


def those_that_meet(made, jobs):
    """The jobs of Slurm's that make something of ``made``; of which nothing is known are named and left alone.

    One that starts has its number in no mark any more and has noted nothing yet: then its comment says what it makes.
    """
    meeting, unknown = (
        that_make(jobs, made, marks(Path(".snakemake/incomplete")), Path(LOG).parent) if jobs else ([], [])
    )
    starting, others = ([job for job in unknown if (job.comment in made.values()) == meets] for meets in (True, False))
    if alone := [f"{job.number} ({job.comment})" for job in others if job.command and not job.command.lives]:
        print(f"Nothing says what jobs {', '.join(alone)} of this folder make: they are left alone.", file=sys.stderr)
    return [*meeting, *starting]


def told_to_slurm(job):
    """The comment with which Snakemake's executor for Slurm (2.8) submits a job."""
    values = "_".join(job.wildcards).replace(os.sep, "_")
    return f"rule_{job.rule.name}_wildcards_{values}" if values else f"rule_{job.rule.name}"


def drop_the_usual_rate_limit():
    """Snakemake 9.27 looks at all jobs again each second for its limit, and once more for every job that has ended.

    After some hundred jobs it does nothing else. A limit that was asked for stays.
    """
    limit = workflow.scheduling_settings.max_jobs_per_timespan
    if limit and (limit.max_jobs, limit.timespan) == (100, 1) and inside_of_snakemake("job_rate_limiter"):
        workflow.scheduler.job_rate_limiter = None


def try_no_more_where_nothing_helps():
    """Snakemake tries a failed job again whatever it failed of: not where the job says that no try will help."""
    if not inside_of_snakemake("_handle_error"):
        return
    handle, since = workflow.scheduler._handle_error, tries.now(Path(".snakemake"))

    def handled(job, **more):
        usual = job.rule.restart_times
        if any(tries.settled(Path(log), since) for log in job.log):
            job.rule.restart_times = 0
        try:
            handle(job, **more)
        finally:
            job.rule.restart_times = usual

    workflow.scheduler._handle_error = handled


def inside_of_snakemake(name):
    """Whether its scheduler has what no interface promises; where it has not, the run goes on as Snakemake has it."""
    there = hasattr(workflow.scheduler, name)
    if not there:
        print(f"warning: this Snakemake's scheduler has no {name}: it decides as usual.", file=sys.stderr)
    return there


def say_what_was_done():
    """The summary at the end of a run; nothing where a person only asked."""
    every = [job for job in workflow.dag.jobs if job.output]
    wanted = set(workflow.dag.needrun_jobs(exclude_finished=False))
    ran = Counter(job.rule.name for job in every if job in wanted and workflow.dag.finished(job))
    left = Counter(job.rule.name for job in every if job in wanted and not workflow.dag.finished(job))
    if {*ran, *left} - {*ASKED}:
        reused = len(every) - ran.total() - left.total()
        found = facts(Path(R), Path(LOG), STARTED)
        print(summary(ran, left, reused, time.time() - STARTED, found), file=sys.stderr)


def submitted_tasks():
    """The tasks of the run that the submission at hand answers."""
    try:
        return answered_tasks(Path(CONFIG.submission), RUN.tasks)
    except DiscoError as error:
        raise WorkflowError(str(error)) from None


GIVEN = bool(CONFIG.submission) and Path(CONFIG.submission).is_file()
SUBMITTED = submitted_tasks() if GIVEN else []
SUBMISSION = f"{R}/submissions/{sha256(Path(CONFIG.submission))[:12] if GIVEN else 'none'}"
SCORERS = {"ppl": CONFIG.score.perplexity_model, "bertscore": CONFIG.score.bertscore_model}


def submission_file(wildcards):
    """The submission at hand; refused where there is none."""
    if not GIVEN:
        found = f"{CONFIG.submission}, which is no file" if CONFIG.submission else "none"
        raise WorkflowError(
            f"submission: found {found}; name one as docs/howto/submission.md describes it, --config submission=<file>."
        )
    return CONFIG.submission


def submission_models(trained):
    """The manifests of the models that score what the submission answers; those that are trained here, or the others."""
    pairs = {(m, t.languages[1]) for t in map(tasks.task, SUBMITTED) for m in t.metrics if m in SCORERS}
    names = {SCORERS[metric][language] for metric, language in pairs}
    return sorted(checkpoint_manifest(name) for name in names if bool(CONFIG.checkpoints[name].base) == trained)


def trained_scorers():
    """What is there of the models that are trained here: an input would train them, so that they are none."""
    return {path: sha256(Path(path)) if Path(path).is_file() else "absent" for path in submission_models(trained=True)}

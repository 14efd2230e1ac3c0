"""What the rules of the leaderboard take, worked out while planning."""

from discobench.operations.kept import put_back

KEPT_BOARD = f"{R}/state/leaderboard"


def submissions(wildcards):
    """Scores of the submissions that the run has taken in, with the one at hand."""
    known = {path.as_posix() for path in Path(f"{R}/submissions").glob("*/scores.json")}
    return sorted(known | {f"{SUBMISSION}/scores.json"} if GIVEN else known)


def put_leaderboard_back():
    """Have the last leaderboard where a new one failed, without what Snakemake noted of the failure."""
    if put_back(Path(KEPT_BOARD), Path(f"{R}/leaderboard")):
        for job in workflow.dag.jobs:
            if job.rule.name == "leaderboard":
                workflow.persistence.cleanup(job)

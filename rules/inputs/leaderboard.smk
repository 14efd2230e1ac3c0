"""What the rules of the leaderboard take, worked out while planning."""


def submissions(wildcards):
    """Scores of the submissions that the run has taken in, with the one at hand."""
    known = {path.as_posix() for path in Path(f"{R}/submissions").glob("*/scores.json")}
    return sorted(known | {f"{SUBMISSION}/scores.json"} if GIVEN else known)

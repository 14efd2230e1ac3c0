"""What the rules of diagnose take, worked out while planning."""


def suite_data(wildcards):
    """The manifest of the task that a suite is built from; a suite from a file has none."""
    entry = CONFIG.suites[wildcards.suite]
    return [task_manifest(entry.task)] if entry.source == "test" else []


def made_suite(wildcards):
    """The manifest of a suite that is built or converted; one in the project's own format is read as it stands."""
    entry = CONFIG.suites[wildcards.suite]
    given = entry.source == "file" and entry.format == "interchange"
    return [] if given else [f"{R}/diagnose/{wildcards.suite}/suite.balance.json"]


def given_fingerprint(wildcards):
    entry = CONFIG.suites[wildcards.suite]
    return tree_fingerprint(entry.path, SMALL) if entry.source == "file" else "built"


def lexicons_fingerprint(wildcards):
    """The words by which wrong candidates are made, where a suite's are."""
    entry = CONFIG.suites[wildcards.suite]
    made = entry.source == "test" or entry.format == "cai_xiong"
    return tree_fingerprint(f"{RESOURCES}/lexicons", SMALL) if made else "none"


def rankings(suite):
    """What the run's rows make of a suite, each with each of its seeds."""
    rows = [row for row in RUN.suite_rows(suite) if RUN.ranked(suite, row)]
    return [f"{R}/diagnose/{suite}/{row}/seed-{seed}/ranking.json" for row in rows for seed in RUN.seeds(row)]

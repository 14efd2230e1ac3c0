"""What the rules of diagnose take, worked out while planning."""


def suite_data(wildcards):
    """The manifest of the task that a suite is built from; a suite from a file has none."""
    entry = CONFIG.suites[wildcards.suite]
    return [task_manifest(entry.task)] if entry.source == "test" else []


def suite_fingerprint(wildcards):
    """What a suite's file holds, and the lexicons where its candidates are made by them."""
    entry = CONFIG.suites[wildcards.suite]
    made = entry.source == "test" or entry.format == "cai_xiong"
    words = tree_fingerprint(f"{RESOURCES}/lexicons", SMALL) if made else "none"
    return [tree_fingerprint(entry.path, SMALL) if entry.source == "file" else "built", words]

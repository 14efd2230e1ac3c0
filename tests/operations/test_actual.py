"""What a run took is summed from its jobs' own accounts."""

from pathlib import Path
from typing import Any

import pytest

from discobench.files import write_json, write_text
from discobench.operations.actual import actual


@pytest.mark.parametrize(
    ("resources", "gpu_hours"),
    [({"gpu": 2, "nodes": 1}, 4), ({"gpu": 0, "gres": "gpu:h100:2", "nodes": 3}, 12), ({"gpu": 0, "nodes": 3}, 0)],
)
def test_a_job_holds_the_gpus_of_all_its_nodes(tmp_path: Path, resources: dict[str, Any], gpu_hours: float):
    times, logs = tmp_path / "times", tmp_path / "logs"
    write_text(times / "pretrain/disco.tsv", "s\th:m:s\tmax_rss\tcpu_time\n7200\t2:00:00\t500\t3600\n")
    write_json(logs / "pretrain/disco.job.json", {"wildcards": {"checkpoint": "disco"}, "resources": resources})
    seen = 2 if gpu_hours else 0  # by the job, on its own node
    write_json(logs / "pretrain/disco.cost.json", {"cpu_s": 3600, "peak_mb": 500, "gpus": seen, "failed_s": 0})
    (spent,) = actual(times, logs)
    assert (spent.what, spent.hours, spent.gpu_hours) == ("disco", 2, gpu_hours)

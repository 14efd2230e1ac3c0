"""What a job that fails leaves of its last outputs, and that it runs again."""

import sys
from pathlib import Path

import pytest

from discobench.files import read_text, write_text
from discobench.operations.kept import keep, put_back
from tests.conftest import ROOT, snakemake

TOY = f"""
import sys
from pathlib import Path

sys.path.insert(0, {str(ROOT)!r})
from discobench.operations.kept import keep, put_back

onerror:
    if put_back(Path("state/site"), Path("site")):
        for job in workflow.dag.jobs:
            workflow.persistence.cleanup(job)

rule site:
    input:
        "given",
    output:
        "site/a",
        "site/b",
    run:
        shell("cp given site/a && test ! -e broken && cp given site/b")
        keep(map(Path, output), Path("state/site"))
"""


@pytest.mark.slow
def test_a_failure_leaves_the_last_site_and_is_made_good_by_the_next_run(tmp_path: Path) -> None:
    def run() -> int:
        program = (sys.executable, "-m", "snakemake")
        return snakemake(tmp_path, "--cores", "1", "site/a", program=program).returncode

    def site() -> list[str]:
        return [read_text(tmp_path / "site" / name) for name in ("a", "b")]

    write_text(tmp_path / "Snakefile", TOY)
    write_text(tmp_path / "given", "old")
    assert run() == 0
    write_text(tmp_path / "given", "new")
    write_text(tmp_path / "broken", "")
    assert run() != 0 and site() == ["old", "old"]
    (tmp_path / "broken").unlink()
    assert run() == 0 and site() == ["new", "new"]


def test_what_is_there_stays_and_what_is_gone_comes_back_old(tmp_path: Path) -> None:
    site, state = tmp_path / "site", tmp_path / "state"
    for name in ("a", "b", "c"):
        write_text(site / name, "old")
    keep(site.iterdir(), state)
    write_text(site / "a", "new")
    (site / "b").unlink()
    assert put_back(state, site) and not put_back(state, site)
    assert read_text(site / "a") == "new"
    assert read_text(site / "b") == "old" and (site / "b").stat().st_mtime < 2
    keep([site / "a"], state)
    assert [path.name for path in state.iterdir()] == ["a"]
    assert not put_back(tmp_path / "none", site)

"""Write the conda environments in envs/ from the pins: ``python scripts/setup/envs.py``."""

from pathlib import Path

from discobench.files import read_text, write_text

ROOT = Path(__file__).parents[2]
ENVIRONMENT = """\
# Written by scripts/setup/envs.py from {source}; for --sdm conda. The tests do not create it.
name: {name}
channels: [conda-forge, nodefaults]
dependencies:
  - python=3.11
  - pip=26.3
  - pip:
{packages}
"""
POST_DEPLOY = """\
#!/usr/bin/env bash
# Snakemake runs this in the new environment: a list of pins cannot say --no-deps for one of them.
pip install --no-deps {pins}
"""


def pins(path: Path) -> list[str]:
    """The requirements of a file, without comments."""
    return [line for line in read_text(path).split("\n") if line and not line.startswith("#")]


def environment(name: str, source: Path) -> str:
    """A conda environment that holds Python 3.11 and pip, and takes the rest from pip."""
    packages = "\n".join(f"      - {pin}" for pin in pins(source) if not pin.startswith("pip=="))
    return ENVIRONMENT.format(source=source.relative_to(ROOT), name=name, packages=packages)


def files() -> dict[Path, str]:
    """Every generated file and what it should hold."""
    nodeps = " ".join(pins(ROOT / "requirements-nodeps.txt"))
    return {
        ROOT / "envs/main.yaml": environment("discobench", ROOT / "requirements.lock"),
        ROOT / "envs/comet.yaml": environment("discobench-comet", ROOT / "envs/comet.txt"),
        ROOT / "envs/main.post-deploy.sh": POST_DEPLOY.format(pins=nodeps),
    }


if __name__ == "__main__":
    for path, text in files().items():
        write_text(path, text)

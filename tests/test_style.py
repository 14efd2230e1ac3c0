"""House rules that linters do not know."""

import ast
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "discobench",
    "scripts",
    "rules",
    "tests",
    "profiles",
    "presets",
    "envs",
    "resources",
    "docs",
    "benchmarks",
    ".ci",
)
KINDS = {".py", ".smk", ".sh", ".yaml", ".md", ".txt", ".cff", ".in", ".lock", ".toml", ".j2", ".html", ".css"}
TOP = [path for path in ROOT.iterdir() if path.is_file() and path.name != "LICENSE"]
FILES = sorted(
    {f for d in FOLDERS for f in (ROOT / d).rglob("*") if f.is_file() and "__pycache__" not in f.parts} | set(TOP)
)
TEXTS = [f for f in FILES if f.suffix in KINDS or f.name in ("Snakefile", "Makefile", "run")]
SOURCES = [f for f in FILES if f.suffix == ".py" or f.suffix == ".smk" or f.name == "Snakefile"]
PYTHON = [f for f in FILES if f.suffix == ".py"]
RULES = sorted((ROOT / "rules").glob("*.smk"))
DATA = ("resources/demo/", "resources/paper/")
ORDER = ["input", "output", "log", "benchmark", "conda", "threads", "resources", "params", "script"]
BANNED_TEXT = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:work|home|root|Users|mnt)/\w"),
    "the host of a package index": re.compile(r"pypi\.org|pythonhosted|index-url|find-links"),
    "the number of a ticket": re.compile(r"\b(?:issue|ticket|PR) #?\d+\b"),
}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]


def keyword(call: ast.Call, wanted: str) -> object:
    return next((ast.literal_eval(k.value) for k in call.keywords if k.arg == wanted and is_literal(k.value)), None)


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def splits_lines(call: ast.Call) -> bool:
    """U+2028 and others would end a line in one tool and not in another."""
    return called(call) == "splitlines"


def opens_carelessly(call: ast.Call) -> bool:
    """Text opened without naming its encoding reads differently on another machine; a zip file's members are bytes."""
    if called(call) not in ("open", "fdopen") or any(k.arg in ("encoding", "force_zip64") for k in call.keywords):
        return False
    modes = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    binary = any("b" in mode for mode in modes[-1:]) or "b" in str(keyword(call, "mode") or "")
    return not binary and not (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in OTHER_OPENERS)


OTHER_OPENERS = {"os", "zipfile", "tarfile", "archive", "webbrowser", "np", "Image"}


def hides_bytes(call: ast.Call) -> bool:
    """Bytes that do not decode are a fault to show, not to drop."""
    return keyword(call, "errors") in ("ignore", "replace")


def unpickles(call: ast.Call) -> bool:
    """A pickle runs its author's code."""
    return keyword(call, "weights_only") is False or ast.unparse(call.func) in ("pickle.load", "pickle.loads")


@pytest.mark.parametrize("rule", [splits_lines, opens_carelessly, hides_bytes, unpickles], ids=lambda f: f.__name__)
def test_calls_that_go_wrong_silently(rule: Callable[[ast.Call], bool]):
    found = [f"{name(path)}:{call.lineno}" for path in PYTHON for call in calls(path) if rule(call)]
    assert not found, rule.__doc__


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("text.splitlines()", splits_lines),
        ("open(p)", opens_carelessly),
        ("p.open('w')", opens_carelessly),
        ("b.decode('utf-8', errors='ignore')", hides_bytes),
        ("torch.load(p, weights_only=False)", unpickles),
    ],
)
def test_the_rules_above_find_what_they_look_for(code: str, rule: Callable[[ast.Call], bool]):
    assert rule(ast.parse(code, mode="eval").body)


def test_no_error_is_swallowed():
    found = []
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            silent = isinstance(node, ast.ExceptHandler) and all(isinstance(s, ast.Pass) for s in node.body)
            if silent or (isinstance(node, ast.ExceptHandler) and node.type is None):
                found.append(f"{name(path)}:{node.lineno}")
    assert not found


def test_files_are_short():
    long = {name(f): n for f in SOURCES if (n := f.read_text("utf-8").count("\n")) >= 300}
    assert not long


def test_scripts_are_short():
    scripts = [f for f in (ROOT / "scripts").glob("*/*.py") if f.parent.name != "setup"]
    assert not {name(f): n for f in scripts if (n := f.read_text("utf-8").count("\n")) > 40}


def test_the_snakefile_and_what_rules_share_are_short():
    assert (ROOT / "Snakefile").read_text("utf-8").count("\n") < 80
    assert (ROOT / "rules/common.smk").read_text("utf-8").count("\n") < 150


@pytest.mark.parametrize("kind", BANNED_TEXT)
def test_nothing_of_one_machine_is_named(kind: str):
    texts = [f for f in TEXTS if not name(f).startswith(DATA) and f != Path(__file__)]
    found = {name(f): m.group() for f in texts if (m := BANNED_TEXT[kind].search(f.read_text("utf-8")))}
    assert not found, kind


def rules_in(path: Path) -> list[tuple[str, str]]:
    """Name and body of every rule of a file."""
    parts = re.split(r"^rule (\w+):\n", path.read_text("utf-8"), flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def directives(body: str) -> list[str]:
    indented = re.match(r"(?:(?: {4}.*)?\n)*", body)
    return re.findall(r"^    (\w+):", indented.group() if indented else "", flags=re.MULTILINE)


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.name)
def test_directives_of_a_rule_come_in_one_order(path: Path):
    for rule, body in rules_in(path):
        known = [d for d in directives(body) if d in ORDER]
        assert known == sorted(known, key=ORDER.index), f"{name(path)}: rule {rule}"


@pytest.mark.parametrize("path", [p for p in RULES if p.stem not in ("common", "targets")], ids=lambda p: p.name)
def test_a_rule_and_its_script_have_the_same_name(path: Path):
    for rule, body in rules_in(path):
        script = re.search(r'script:\s+f?"\.\./scripts/([\w/]+)\.py"', body)
        assert script, f"{name(path)}: rule {rule} names no script"
        assert script.group(1).split("/")[-1] == rule
        assert (ROOT / f"scripts/{script.group(1)}.py").exists()


def test_no_default_profile():
    """Snakemake lays profiles/default over every other profile."""
    assert not (ROOT / "profiles/default").exists()


def test_the_library_knows_no_snakemake():
    found = [
        name(f)
        for f in (ROOT / "discobench").rglob("*.py")
        if re.search(r"^\s*(?:import|from) snakemake", f.read_text("utf-8"), re.M)
    ]
    assert not found


def test_no_link_leaves_the_repository():
    """Links to an environment elsewhere belong to one machine."""
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, encoding="utf-8")
    links = [line.split("\t")[1] for line in listed.stdout.split("\n") if line.startswith("120000")]
    assert {link for link in links if (ROOT / link).readlink().is_absolute()} == set()

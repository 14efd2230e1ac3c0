"""A small leaderboard whose texts are hostile, without a run behind it."""

from pathlib import Path

from discobench.files import write_text
from discobench.report.board.cards import card_html
from discobench.report.board.entries import described, entries, heat_maps, scored
from discobench.report.board.instances import Answers, compared
from discobench.report.board.site import Board, TaskPage, site
from discobench.report.categories import Parted, Share
from discobench.report.facts import Fact, fact_lines
from discobench.report.layout import read_layout
from discobench.report.long import Judge, Line, Score, long_table
from discobench.report.rankings import counted
from discobench.tasks import task
from tests.support import ROOT

LAYOUT = read_layout(ROOT / "resources/paper/tables.yaml")
TEMPLATES = ROOT / "resources/report"
ATTACK = '</script><script>document.title = "stolen"</script><img src="https://example.org/x.png" onerror="alert(1)">'
ROWS = {
    "copy": {"label": "Copy", "group": "baseline", "tasks": ["nt", "mrc"]},
    "mbart": {"label": f"mBART {ATTACK}", "group": "existing", "tasks": ["nt", "mrc"]},
    "gpt2": {"label": "GPT-2", "group": "plain", "tasks": ["nt"]},
}
VALUES = {"copy": 2.5, "mbart": 21.25, "gpt2": 10.0}
COUNTS = {"copy": 12, "mbart": 9, "gpt2": 1200}
NT = [
    {
        "id": f"own:story:{n}",
        "work_id": "story",
        "document_id": "story",
        "position": n,
        "source_text": f"第{n}句话。",
        "references": [f"Sentence {n}."],
    }
    for n in range(12)
]


def lines() -> list[Line]:
    """Scores of Table 7 and a ranking."""
    found = [
        Score(row, 1, "nt", "bleu", value, COUNTS[row], (value - 1, value + 1), "sig", f"results/x/score/nt/{row}.json")
        for row, value in VALUES.items()
    ]
    ranked = [
        Score("mbart", 1, "nt", f"{kind}/sum", value, 8, (10.0, 90.0), "sig", "results/x/diagnose/nt.json")
        for kind, value in (("repetition", 25.0), ("overall", 100.0))
    ]
    judge = Judge(False, {"default": 0.5})
    return [line for t, s in ((7, found), (11, ranked)) for line in long_table(LAYOUT, t, ROWS, s, {}, judge)]


def sizes() -> list[Line]:
    """Lines of Table 1, whose differences have thousands."""
    line = lines()[0] | {"table": 1, "row": "nt", "group": "task", "metric": "train", "ci_low": None, "seeds": ""}
    return [line | {"value": 9.0 + delta, "paper": 9.0, "delta": delta} for delta in (-1234.0, 5.0, 20_000.0)]


TIED = {"chance": 26.5, "n": 8, "ties": 5, "unread": 0}
RANKING = {"row": "mbart", "task": "nt", "n": 8, "cut": 3, "readings": {"sum": {"repetition": TIED, "overall": TIED}}}
FACTS = [
    Fact("Tasks", "NT", "Batch Size", "16", "3K token"),
    Fact("zh", "Novel Web", "documents", "48,030", "48,000", "results/x/corpus/statistics.balance.json"),
    Fact("This run", "mbart", "language", "multi", ""),
    Fact("As printed", "GPT2", "Head", "", "36"),
]
CARD = f"# NT\n\n{ATTACK}\n\n| a |\n|---|\n| {ATTACK} |\n| a 他，他们 |\n\n## Examples\n\nsecret\n"


def answers(row: str, text: str) -> Answers:
    values = {record["id"]: VALUES[row] + n for n, record in enumerate(NT)}
    predictions = {record["id"]: (f"{text} {n}", "ok") for n, record in enumerate(NT)}
    return Answers(row, str(ROWS[row]["label"]), predictions, {"bleu": values})


def board(texts: bool = True) -> Board:
    labels = {row: str(entry["label"]) for row, entry in ROWS.items()}
    shown = entries(scored(line for line in lines() if "/" not in line["metric"]), LAYOUT, labels, "results/x/")
    nt = task("nt")
    rows = [answers("copy", "a copy"), answers("mbart", ATTACK), answers("gpt2", "第 <b>二</b>")]
    submission = {"name": ATTACK, "date": "2026-11-30", "licence": ATTACK, "sha256": "0" * 64, "scores": ["nt"]}
    leakage = {"sets": 0, "warnings": [], "lines": []}
    shares = [Share(1.5, "1.0–2.0", 3), None, Share(2.5, "", 7)]
    rows_of = [("copy", "Copy", metric, shares) for metric in ("F1", "Recall")]
    parts = {"pronoun": Parted(["F1", "Recall"], [("他们", 3), ("它", 2), ("他", None)], rows_of)}
    return Board(
        entries=shown,
        contract=entries(sizes() + lines(), LAYOUT, labels, "results/x/")
        + described(fact_lines(5, FACTS, True), "results/x/"),
        tasks=[TaskPage(nt, shown, parts, compared(nt, NT, rows, texts), len(NT), texts)],
        maps=heat_maps(lines(), LAYOUT, labels, counted([RANKING])),
        cards={"nt": card_html(CARD, texts)},
        submissions=[
            submission | {"outdated": [], "apart": {}, "row": "submission-000000000000", "files": [], "jobs": []}
        ],
        accounts={"balances": [], "flows": [], "ledger": [], "here": {}, "leakage": leakage},
    )


def pages(texts: bool = True) -> dict[str, str]:
    return site(TEMPLATES, "Board", f"OTHER SCALE {ATTACK}", board(texts))


def write_pages(folder: Path, texts: bool = True) -> Path:
    for name, text in pages(texts).items():
        write_text(folder / name, text)
    return folder

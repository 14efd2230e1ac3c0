"""Accuracies of a suite outside Table 11, line by line."""

from pathlib import Path

from discobench.diagnose.accuracies import COLUMNS, PAIRS, lines, pairs, write_lines
from discobench.diagnose.ranking import rank
from discobench.formulations import LogLikelihood
from discobench.report.paper import read_csv
from tests.diagnose.test_ranking import likelihoods, suite


def test_each_reading_and_type_has_a_line_and_rows_are_compared(tmp_path: Path) -> None:
    worse = [LogLikelihood(one.id, -one.total, one.tokens) for one in likelihoods()]
    made = [
        {"task": "nt", "row": row, "seed": 1, **rank(suite(), found, "how")}
        for row, found in (("a", likelihoods()), ("b", worse))
    ]
    write_lines(tmp_path / "accuracies.csv", COLUMNS, lines(made))
    write_lines(tmp_path / "pairs.csv", PAIRS, pairs(made))
    own = {(line["row"], line["reading"], line["type"]): line for line in read_csv(tmp_path / "accuracies.csv")}
    assert len(own) == 2 * 2 * 3
    first = own["a", "sum", "overall"]
    assert (first["accuracy"], first["correct"], first["n"], first["ties"]) == ("66.6667", "2", "3", "1")
    expected = ("how|reading:sum", "0", "41.6667")
    assert (first["signature"], first["cut"], own["a", "sum", "reference"]["chance"]) == expected
    assert own["b", "sum", "overall"]["correct"] == "0"
    (pair,) = [
        line for line in read_csv(tmp_path / "pairs.csv") if (line["reading"], line["type"]) == ("sum", "overall")
    ]
    assert (pair["first"], pair["second"], pair["first_better"], pair["second_better"]) == ("a", "b", "2", "0")
    assert (pair["p"], pair["n"]) == ("0.5000", "3")

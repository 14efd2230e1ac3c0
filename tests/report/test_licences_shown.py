"""What the page says of each genre's licence."""

import pytest

from discobench.config.load import resolve
from discobench.report.licences import licences_shown
from tests.support import ROOT

LICENSED = {"source": "zh_novel", "licence": None, "declared": "genres.zh_novel.licence", "files": 3, "bytes": 9_999}


@pytest.mark.parametrize(
    ("licence", "allows"),
    [
        (None, "none: cannot be released"),
        ("mine", "not among the known licences: cannot be released"),
        ("open", "texts, models"),
        ("closed", "ids and checksums, no models"),
        ("by id", "ids and checksums, models"),
    ],
)
def test_the_page_says_what_a_licence_lets_be_released(licence: str | None, allows: str) -> None:
    known = {"open": {"texts": True}, "closed": {"texts": False}, "by id": {"texts": False, "models": True}}
    assert licences_shown([LICENSED | {"licence": licence}], known) == [
        LICENSED | {"licence": licence, "allows": allows}
    ]


def test_the_terms_are_those_of_the_configuration() -> None:
    known = resolve({}, ROOT).model_dump(mode="json")["licences"]
    rows = licences_shown([LICENSED | {"licence": name} for name in ("CC0-1.0", "research-only")], known)
    assert [row["allows"] for row in rows] == ["texts, models", "ids and checksums, no models"]

"""Errors of a job that does several things."""

import pytest

from discobench.errors import DiscoError, about


def test_a_sentence_says_what_it_is_about():
    with pytest.raises(DiscoError, match=r"^task nt: no pair is short enough; raise max_length\.$"), about("task nt"):
        raise DiscoError("no pair is short enough; raise max_length.")


def test_a_fault_of_ours_keeps_its_kind_and_notes_what_it_was_about():
    with pytest.raises(ZeroDivisionError) as caught, about("task nt"):
        print(1 / 0)
    assert caught.value.__notes__ == ["This was about task nt."]

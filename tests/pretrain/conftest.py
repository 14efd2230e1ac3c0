"""A tiny checkpoint of each family that can be pretrained, with a packed corpus, for the tests of this folder."""

from typing import Any

import pytest

from tests.pretrain.packed import write_packed
from tests.pretrain.texts import EN, FAMILIES, TRAINING


@pytest.fixture(scope="module", params=FAMILIES)
def task(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    import torch
    from transformers import AutoTokenizer

    from discobench.models import family
    from discobench.pretrain.program import Task

    torch.set_num_threads(1)
    language, texts = FAMILIES[request.param]
    base, packed = (tmp_path_factory.mktemp(name) for name in ("base", "packed"))
    family(request.param).tiny(base, texts, {"hidden": 32, "vocabulary": 300, "language": language}, 1)
    tokenizer = AutoTokenizer.from_pretrained(base)
    documents = [tokenizer(text * 2, add_special_tokens=False)["input_ids"] for text in texts]
    genres = [int(text in EN) for text in texts]
    manifest = write_packed(packed, {"train": (documents, genres), "valid": (documents[::4], genres[::4])}, ["z", "e"])
    return Task(request.param, base, manifest, {"z": "zh", "e": "en"}, {}, 0.3, TRAINING)

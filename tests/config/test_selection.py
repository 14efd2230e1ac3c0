from discobench.config.load import parse
from discobench.config.selection import Cell, Selection


def selection(tree: dict, **run) -> Selection:
    return Selection(parse(tree | {"run": tree["run"] | run}, "config.yaml"))


def test_the_paper_selects_everything(tree: dict):
    chosen = selection(tree)
    assert list(chosen.genres) == list(tree["genres"])
    assert chosen.tasks == list(tree["tasks"])
    assert chosen.rows == list(tree["rows"])


def test_a_run_selects_and_keeps_its_own_order(tree: dict):
    chosen = selection(tree, tasks=["te", "si"], rows=["gpt2", "bart-large"], genres=["en_book"])
    assert (chosen.tasks, chosen.rows, list(chosen.genres)) == (["te", "si"], ["gpt2", "bart-large"], ["en_book"])
    assert chosen.row_tasks("gpt2") == ["te"]
    assert chosen.row_tasks("bart-large") == ["te", "si"]


def test_only_restricts_the_tasks_of_a_row(tree: dict):
    chosen = selection(tree, only={"bart-large": ["nt"]})
    assert chosen.row_tasks("bart-large") == ["nt"]
    assert len(chosen.row_tasks("disco-bart-large")) == 9


def test_trained_rows_run_per_seed_and_the_others_once(tree: dict):
    chosen = selection(tree, tasks=["si"], rows=["majority", "gpt-4", "bert-base"])
    assert chosen.cells() == [
        Cell("si", "majority", 1, "majority"),
        Cell("si", "gpt-4", 1, "gpt-4"),
        Cell("si", "bert-base", 1, "bert-base-zh"),
        Cell("si", "bert-base", 2, "bert-base-zh"),
    ]


def test_cells_of_a_task_or_a_row_are_a_part_of_all(tree: dict):
    chosen = selection(tree)
    cells = chosen.cells()
    assert len(set(cells)) == len(cells)
    assert sorted(cell for task in chosen.tasks for cell in chosen.cells(task)) == sorted(cells)
    assert sorted(cell for row in chosen.rows for cell in chosen.cells(row=row)) == sorted(cells)


def test_a_row_changes_only_the_hyper_parameters_it_names(tree: dict):
    chosen = selection(tree)
    usual, plain = chosen.training("nt", "mbart"), chosen.training("nt", "transformer-base")
    assert (usual.learning_rate, plain.learning_rate) == (1e-4, 7e-4)
    assert (plain.steps, plain.batch_size) == (usual.steps, usual.batch_size)
    assert plain.schedule == "inverse_sqrt"


def test_a_suite_runs_on_the_rows_that_the_run_has(tree: dict):
    assert selection(tree, rows=["mbart"]).suite_rows("nt") == ["mbart"]
    assert selection(tree, rows=["mbart"], tasks=["si"]).suite_rows("nt") == []
    assert selection(tree).suite_rows("mrc") == ["roberta-large", "disco-roberta-large", "gpt-3.5", "gpt-4"]


def test_models_and_apis_rank_a_suite_and_baselines_do_not(tree: dict):
    tree["rows"]["majority"]["tasks"]["mrc"] = "majority"
    found = {row: selection(tree).ranked("mrc", row) for row in ("roberta-large", "gpt-4", "majority")}
    assert found == {"roberta-large": True, "gpt-4": True, "majority": False}


def test_apart_one_bundle_of_wildcards_stands_for_every_cell(tree: dict):
    (bundle,) = selection(tree).bundles()
    assert (bundle.suffix, bundle.place) == ("", "{task}/{row}")
    assert bundle.cells({"task": "nt", "row": "gpt-3.5", "seed": "1"}) == [("nt", "gpt-3.5")]


def test_a_row_may_have_seeds_of_its_own(tree: dict):
    chosen = selection(tree, seeds=[1], row_seeds={"bart-large": [1, 2], "majority": [4, 5]})
    assert {row: chosen.seeds(row) for row in ("bart-large", "mbart", "majority")} == {
        "bart-large": [1, 2],
        "mbart": [1],
        "majority": [4],
    }
    assert {cell.seed for cell in chosen.cells(row="bart-large")} == {1, 2}


def test_together_the_bundles_hold_each_trained_cell_once(tree: dict):
    chosen = selection(tree, together=True, seeds=[1, 2], only={"bart-large": ["nt", "si"]})
    bundled = [cell for bundle in chosen.bundles() for cell in bundle.cells({"seed": "1"})]
    trained = {(cell.task, cell.row) for cell in chosen.cells() if chosen.trained(cell.checkpoint)}
    assert len(bundled) == len(set(bundled))
    assert set(bundled) == trained


def test_together_a_rule_is_named_after_its_row(tree: dict):
    tree["rows"]["my-bert.v2"] = tree["rows"]["bert-base"]
    (bundle,) = selection(tree, together=True, rows=["majority", "my-bert.v2"]).bundles()
    assert (bundle.suffix, bundle.place) == ("_my_bert_v2", "my-bert.v2")


def test_fine_tuning_shares_batches_where_one_of_its_models_can(tree: dict):
    tree["finetune"]["gpus"] = 4
    cells = [("nt", "transformer-base"), ("nt", "transformer-big"), ("nt", "mbart")]
    assert [selection(tree).sharing(cells[:n]) for n in (1, 2, 3)] == [1, 1, 4]


def test_texts_are_packed_once_for_checkpoints_that_share_a_tokenizer(tree: dict):
    chosen = selection(tree, tasks=["mrc"], rows=["disco-roberta-base", "disco-roberta-large"])
    assert chosen.tokenizer("disco-roberta-large") == chosen.tokenizer("disco-roberta-base") == "roberta-base-zh"
    assert (chosen.packed_for("zh_novel"), chosen.packed_for("en_book")) == (["roberta-base-zh"], [])
    alone = selection(tree, tasks=["mrc"], rows=["disco-roberta-large"])
    assert alone.checkpoints() == {"disco-roberta-large", "roberta-large-zh", "roberta-base-zh"}


def test_what_is_drawn_has_a_tokenizer_of_its_own(tree: dict):
    tree["checkpoints"]["roberta-large-zh"]["source"] = "tiny:encoder"
    chosen = selection(tree, tasks=["mrc"], rows=["disco-roberta-base", "disco-roberta-large"])
    assert chosen.packed_for("zh_novel") == ["roberta-base-zh", "roberta-large-zh"]

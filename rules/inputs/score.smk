"""What the rules of score take, worked out while planning."""


def wordnet(task):
    """Whether WordNet is there, for the tasks that report METEOR: installing it scores them again."""
    return tree_fingerprint(CONFIG.score.nltk_data) if "meteor" in task_named(task).metrics else "none"


def scoring_model(wildcards):
    """The manifest of the model that a metric needs; COMET's lies outside this pipeline."""
    language = task_named(wildcards.task).languages[1]
    models = {"ppl": CONFIG.score.perplexity_model, "bertscore": CONFIG.score.bertscore_model}.get(wildcards.metric)
    return [checkpoint_manifest(models[language])] if models else []


def decoded(wildcards):
    return [cell_path("decode", "decode.balance.json", cell) for cell in RUN.cells(task=wildcards.task)]

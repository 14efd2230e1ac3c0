"""What the rule of pretraining takes, worked out while planning."""


def gpus_to_pretrain(wildcards):
    """Of each node."""
    return sharing(CONFIG.pretrain[wildcards["checkpoint"]].gpus)


def nodes_to_pretrain(wildcards):
    return CONFIG.pretrain[wildcards.checkpoint].nodes


def recipe(checkpoint):
    """The keys that what is learned follows from, beside those of training."""
    return CONFIG.pretrain[checkpoint].model_dump(exclude={"training", "languages", "gpus", "nodes", "sharding"})

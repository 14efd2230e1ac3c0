"""What the rule of pretraining takes, worked out while planning."""


def gpus_to_pretrain(wildcards):
    return min(GPUS, 1) * CONFIG.pretrain[wildcards.checkpoint].gpus

"""Where the rule of fine-tuning writes, worked out while planning."""


def tuning_log(bundle):
    return f"{LOG}/finetune/{bundle.place}/seed-{{seed}}/finetune.log"

"""What the rule of fine-tuning asks for, worked out while planning."""


def gpus_to_finetune(bundle):
    """How many processes share each batch of a bundle's job."""

    def asked(wildcards):
        return sharing(RUN.sharing(bundle.cells(wildcards)))

    return asked

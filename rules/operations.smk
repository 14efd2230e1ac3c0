"""Operations: what a person asks before, during and after a run."""


localrules:
    preflight,


# No output: the machine may have changed since it was last asked.
rule preflight:
    log:
        f"{LOG}/operations/preflight.log",
    benchmark:
        f"{TIME}/operations/preflight.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(500),
        runtime=10,
    params:
        config=CONFIG.model_dump(),
        report=f"{R}/operations/preflight.txt",
    script:
        "../scripts/operations/preflight.py"

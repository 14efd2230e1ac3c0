"""Operations: what a person asks before, during and after a run."""

import time


localrules:
    preflight,


# Asked anew each time, by a parameter that is never the same: the machine may have changed.
rule preflight:
    output:
        report=f"{R}/operations/preflight.txt",
    log:
        f"{LOG}/operations/preflight.log",
    benchmark:
        f"{TIME}/operations/preflight.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(500),
        runtime=10,
    params:
        asked=time.time_ns(),
        config=CONFIG.model_dump(),
    script:
        "../scripts/operations/preflight.py"

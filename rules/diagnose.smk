"""Diagnose: models rank the candidates of contrastive suites, which are given or made here."""


include: "inputs/diagnose.smk"


rule suite:
    input:
        data=suite_data,
    output:
        suite=f"{R}/diagnose/{{suite}}/suite.jsonl",
        dropped=f"{R}/diagnose/{{suite}}/suite.dropped.parquet",
        balance=f"{R}/diagnose/{{suite}}/suite.balance.json",
    log:
        f"{LOG}/diagnose/{{suite}}/suite.log",
    benchmark:
        f"{TIME}/diagnose/{{suite}}/suite.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("suite"),
    params:
        version=version(diagnose),
        entry=lambda wc: CONFIG.suites[wc.suite].model_dump(exclude={"rows", "sequence", "table"}),
        fingerprint=given_fingerprint,
        lexicons=lexicons_fingerprint,
        seed=CONFIG.seed,
    script:
        "../scripts/diagnose/suite.py"


rule rank:
    input:
        suite=made_suite,
        model=lambda wc: f"{R}/finetune/{CONFIG.suites[wc.suite].task}/{wc.row}/seed-{wc.seed}/model.json",
    output:
        ranking=f"{R}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/ranking.json",
    log:
        f"{LOG}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank.log",
    benchmark:
        f"{TIME}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank.tsv"
    wildcard_constraints:
        row=rows_of(*TRAINED),
    conda:
        ENV
    threads: 1
    resources:
        **asks("rank"),
    params:
        version=version(diagnose),
        task=lambda wc: CONFIG.suites[wc.suite].task,
        path=lambda wc: CONFIG.suites[wc.suite].path,
        fingerprint=given_fingerprint,
        sequence=lambda wc: CONFIG.suites[wc.suite].sequence,
        decoding=lambda wc: CONFIG.decode[CONFIG.suites[wc.suite].task].model_dump(include={"batch_tokens"}),
        gpus=GPUS,
    script:
        "../scripts/diagnose/rank.py"


rule rank_llm:
    input:
        suite=made_suite,
    output:
        ranking=f"{R}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/ranking.json",
    log:
        f"{LOG}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank_llm.log",
    benchmark:
        f"{TIME}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank_llm.tsv"
    wildcard_constraints:
        row=rows_of("llm"),
    conda:
        ENV
    threads: 1
    resources:
        **asks("rank_llm"),
    params:
        version=version(diagnose),
        task=lambda wc: CONFIG.suites[wc.suite].task,
        path=lambda wc: CONFIG.suites[wc.suite].path,
        fingerprint=given_fingerprint,
        prompt=lambda wc: tree_fingerprint(f"{RESOURCES}/prompts/diagnostic/{CONFIG.suites[wc.suite].task}.yaml", SMALL),
        api=lambda wc: RUN.asked(CONFIG.rows[wc.row].tasks[CONFIG.suites[wc.suite].task]),
        # A function of `threads` is no parameter that Snakemake compares: another budget or pace runs nothing again.
        manner=lambda wc, threads: RUN.manner(CONFIG.rows[wc.row].tasks[CONFIG.suites[wc.suite].task]),
        budget=lambda wc, threads: CONFIG.api.budget.model_dump(),
        account=f"{R}/state/api",
        state=lambda wc: f"{R}/state/diagnose/{wc.suite}/{wc.row}/seed-{wc.seed}",
        seed=CONFIG.seed,
    script:
        "../scripts/diagnose/rank_llm.py"


rule accuracies:
    input:
        rankings=lambda wc: rankings(wc.suite),
    output:
        csv=f"{R}/diagnose/{{suite}}/accuracies.csv",
        pairs=f"{R}/diagnose/{{suite}}/accuracies.pairs.csv",
    log:
        f"{LOG}/diagnose/{{suite}}/accuracies.log",
    benchmark:
        f"{TIME}/diagnose/{{suite}}/accuracies.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("accuracies"),
    params:
        version=version(diagnose),
    script:
        "../scripts/diagnose/accuracies.py"

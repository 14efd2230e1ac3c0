"""Diagnose: fine-tuned models rank contrastive candidates by log-probability."""


rule rank:
    input:
        model=lambda wc: f"{R}/finetune/{CONFIG.suites[wc.suite].task}/{wc.row}/seed-{wc.seed}/model.json",
    output:
        ranking=f"{R}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/ranking.json",
    log:
        f"{LOG}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank.log",
    benchmark:
        f"{TIME}/diagnose/{{suite}}/{{row}}/seed-{{seed}}/rank.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("rank"),
    params:
        version=version(diagnose),
        task=lambda wc: CONFIG.suites[wc.suite].task,
        path=lambda wc: CONFIG.suites[wc.suite].path,
        fingerprint=lambda wc: tree_fingerprint(CONFIG.suites[wc.suite].path, SMALL),
        decoding=lambda wc: CONFIG.decode[CONFIG.suites[wc.suite].task].model_dump(include={"batch_tokens"}),
        gpus=GPUS,
    script:
        "../scripts/diagnose/rank.py"

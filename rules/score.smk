"""Score: predictions become metrics with signatures and intervals, per cell and, where a model scores, per task."""

from discobench.tasks import task as task_named


include: "inputs/score.smk"


rule score:
    input:
        data=f"{R}/tasks/{{task}}/build.balance.json",
        predictions=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.balance.json",
    output:
        scores=f"{R}/score/{{task}}/{{row}}/seed-{{seed}}/scores.json",
        instances=f"{R}/score/{{task}}/{{row}}/seed-{{seed}}/instances.parquet",
    log:
        f"{LOG}/score/{{task}}/{{row}}/seed-{{seed}}/score.log",
    benchmark:
        f"{TIME}/score/{{task}}/{{row}}/seed-{{seed}}/score.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("score"),
    params:
        version=version(score),
        bootstrap=CONFIG.score.bootstrap,
        seed=CONFIG.seed,
        checkpoint=lambda wc: CONFIG.rows[wc.row].tasks[wc.task],
        nltk_data=CONFIG.score.nltk_data,
        outside_inventory=CONFIG.score.outside_inventory,
        wordnet=lambda wc: wordnet(wc.task),
    script:
        "../scripts/score/score.py"


rule score_model:
    input:
        data=f"{R}/tasks/{{task}}/build.balance.json",
        predictions=decoded,
        model=scoring_model,
    output:
        scores=f"{R}/score/{{task}}/model/{{metric}}.json",
        instances=f"{R}/score/{{task}}/model/{{metric}}.parquet",
    log:
        f"{LOG}/score/{{task}}/model/{{metric}}.log",
    benchmark:
        f"{TIME}/score/{{task}}/model/{{metric}}.tsv"
    wildcard_constraints:
        metric="|".join(score.MODEL_METRICS),
    conda:
        ENV
    threads: 1
    resources:
        **asks("score_model"),
    params:
        version=version(score),
        bootstrap=CONFIG.score.bootstrap,
        seed=CONFIG.seed,
        answers=lambda wc: [[cell.row, cell.seed, cell.checkpoint] for cell in RUN.cells(task=wc.task)],
        layers=CONFIG.score.bertscore_layers,
        comet_python=CONFIG.score.comet_python,
        comet_checkpoint=CONFIG.score.comet_checkpoint,
        comet_sha256=CONFIG.score.comet_sha256,
    script:
        "../scripts/score/score_model.py"

"""Types of every configuration key. ``config.yaml`` is the paper; presets and users override it.

The JSON schema for editors (``resources/config.schema.json``) is generated from these types.
"""

from typing import Annotated, Literal

from pydantic import Field

from discobench.config.data import Annotation, Corpus, Genre, Leakage, Licence, Splits, Synthesis, TaskData
from discobench.config.output import Release, Report
from discobench.config.strict import Count, Language, Name, Place, Positive, Price, Rate, Seed, Share, Strict
from discobench.config.training import Finetune, Training


class Run(Strict):
    """What of the registries takes part; null means everything."""

    preset: Name = Field(description="name of the preset and of its folder under results/")
    genres: list[str] | None = None
    tasks: list[str] | None = None
    rows: list[str] | None = None
    seeds: list[Seed] = Field(min_length=1, description="one fine-tuning run per seed (paper 6.1: two)")
    row_seeds: dict[str, Annotated[list[Seed], Field(min_length=1)]] = Field(
        default={}, description="row -> its seeds, in place of `seeds`; baselines and APIs use the first"
    )
    only: dict[str, list[str]] = Field(default={}, description="row -> the only tasks it runs in this preset")
    together: bool = Field(
        default=False,
        description="one process per row trains all of its tasks and one decodes them: "
        "for models so small that starting Python costs more than training",
    )
    suites: list[str] | None = None
    tables: list[Positive] | None = None
    page: bool = Field(default=True, description="whether `all` includes the report page")


class Hardware(Strict):
    """What GPU rules ask for."""

    gpus: Annotated[int, Field(ge=0, le=1)] = Field(description="GPUs of a job that runs a model; 0: the CPU")
    precision: Literal["fp32", "bf16"] = Field(
        default="bf16", description="in which models are trained, and on GPUs that compute in it also decode"
    )


class PaperModel(Strict):
    """What Tables 6 and 15 print of a model; shown beside what is found."""

    model: str | None = Field(default=None, description="its name in Table 6")
    parameters: str | None = None
    vocabulary: Positive | None = None
    layers: str | None = None
    heads: str | None = None


class Api(Strict):
    """An OpenAI-compatible endpoint; its key is read from the environment and never written."""

    base_url: str = Field(
        default="https://api.openai.com/v1",
        pattern=r"^https?://[^@?#\s]+$",
        description="an address without a password and without a query (?…): what it says is written into files",
    )
    key_variable: str = Field(
        default="OPENAI_API_KEY",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="environment variable that holds the key; never the key itself",
    )
    temperature: Price | None = Field(default=0.0, description="null: none is sent, for models that refuse it")
    limit: Literal["max_tokens", "max_completion_tokens"] = Field(
        default="max_tokens", description="the field in which an endpoint is told how long an answer may be"
    )
    seed: Count | None = Field(default=None, description="sent with each question; null: none is sent")
    timeout: Rate = Field(default=60.0, description="seconds for a whole answer")
    retries: Count = Field(default=5, description="of a question that found no answer")
    concurrency: Positive = Field(default=4, description="questions under way at a time, of one job")
    requests_per_minute: Positive | None = Field(default=None, description="of all jobs of the run together")
    tokens_per_minute: Positive | None = Field(default=None, description="likewise, questions and answers")
    price_input: Price | None = Field(default=None, description="money for a million tokens of questions")
    price_output: Price | None = Field(default=None, description="money for a million tokens of answers")


class Budget(Strict):
    """What all questions of a run to APIs may take together; null: no bound."""

    tokens: Positive | None = None
    money: Rate | None = Field(default=None, description="in whatever currency the prices are")


class Apis(Api):
    """The endpoint of models that name none, and the budget of all."""

    budget: Budget = Budget()


class Checkpoint(Strict):
    """A model's weights: hub:<id>, path:<folder>, scratch:<family>, tiny:<family>, api:<model>, baseline:<name>."""

    source: str = Field(pattern=r"^(hub|path|scratch|tiny|api|baseline):.+$")
    family: str = Field(description="a module of discobench/models, or baseline")
    language: Literal["zh", "en", "multi"]
    revision: str | None = Field(default=None, description="null until a fetch has resolved it")
    base: str | None = Field(default=None, description="continued pretraining starts from this checkpoint")
    licence: str | None = Field(
        default=None,
        description="of weights from elsewhere; null: no model that starts from them is released",
    )
    tokenizer: str | None = Field(
        default=None,
        description="of weights from elsewhere: another checkpoint with the same tokenizer, so that texts are packed "
        "once for both; compared before use; null: for this one alone",
    )
    architecture: dict[str, int | float | str | bool] = Field(default={})
    api: Api | None = Field(default=None, description="where this model is asked; null: at the key api")
    paper: PaperModel = PaperModel()


class Row(Strict):
    """A line of the tables: which checkpoint it uses for which task."""

    label: str
    group: Literal["baseline", "plain", "existing", "disco-bench", "llm"]
    tasks: dict[str, str]


class Pretrain(Strict):
    """Continued pretraining of one checkpoint (paper 5.2, Table 15)."""

    training: Training
    languages: list[Language]
    weights: dict[str, Rate] = Field(default={}, description="mixing weight per genre; 1 where not given")
    mask_share: Share = 0.15
    mean_span: Rate = Field(default=3.0, description="mean words of a span that one mask stands for (BART, mBART)")
    mixed: bool = Field(default=False, description="whether documents share full rows and attend to each other there")
    held_out: Positive = Field(default=256, description="chunks of validation works that loss is measured on, at most")
    part_tokens: Positive = Field(default=16_384, description="tokens of a batch that a GPU learns from at a time")
    gpus: Positive = Field(default=1, description="GPUs of a node that share each batch, if hardware.gpus is not 0")
    nodes: Positive = Field(default=1, description="nodes with so many GPUs each that share each batch")
    sharding: Literal["none", "full"] = Field(
        default="none", description="full: a GPU holds its part of a model (FSDP)"
    )


class DecodeTask(Strict):
    beam: Positive = 4
    max_new_tokens: Positive = 128
    batch_tokens: Positive = 4096
    max_answer: Positive = Field(
        default=30, description="characters of an answer of SI, which may be the utterance too"
    )
    span_margin: Price = Field(
        default=0.0,
        description="further answers of SI are given whose score is by less below the best one's; 0: the best alone",
    )
    sample: bool = False
    top_p: Share = 1.0
    temperature: Rate = 1.0


class Score(Strict):
    bootstrap: Positive = 1000
    permutations: Positive = Field(default=10_000, description="resamples by which two rows are compared, at most")
    perplexity_model: dict[Language, str] = Field(description="checkpoint that measures PPL")
    bertscore_model: dict[Language, str] = Field(description="checkpoint that measures BERTScore")
    bertscore_layers: Positive | None = None
    comet_python: str = Field(description="interpreter of the environment that has unbabel-comet")
    comet_checkpoint: str | None = Field(default=None, description="null: COMET cells say `not run`")
    comet_sha256: str | None = None
    nltk_data: str = Field(description="folder that holds corpora/wordnet for METEOR")
    outside_inventory: Literal["miss", "ignore"] = Field(
        default="miss", description="gold pronouns of ZPR outside the 30 forms: missed by every model, or left out"
    )


class Suite(Strict):
    """One part of the diagnostic suite (paper section 4)."""

    task: str
    source: Literal["file", "test"] = Field(
        default="file", description="file: what lies at path; test: built from the task's test set"
    )
    path: Place | None = Field(default=None, description="JSON Lines of contrastive instances, or a published set")
    format: Literal["interchange", "voita", "bawden", "cai_xiong"] = "interchange"
    window: tuple[Positive, Positive] = Field(
        default=(4, 5), strict=False, description="of a suite that is built: least and most neighbouring sentences"
    )
    alternatives: Positive = Field(default=3, description="most wrong candidates that are made for an instance")
    limit: Positive | None = Field(default=None, description="most instances of a type that are built")
    sequence: Literal["whole", "hypothesis"] = Field(
        default="whole",
        description="whose probability ranks completions: of the changed sentence and what follows it, given the "
        "sentences before; or of what follows alone, given all before",
    )
    table: bool = Field(
        default=True, description="whether Table 11 shows it; one of each task. Others have accuracies.csv beside them"
    )
    rows: list[str]


class Config(Strict):
    """The whole configuration."""

    run: Run
    public_data: str | None = Field(
        default=None,
        description="folder that paths beginning with public: lie in; null: DISCOBENCH_PUBLIC_DATA, else data/public",
    )
    seed: Seed
    hardware: Hardware
    splits: Splits
    licences: dict[str, Licence] = Field(description="licences whose terms for passing on are known")
    genres: dict[Name, Genre]
    corpus: Corpus
    synthesis: Synthesis
    tasks: dict[Name, TaskData]
    leakage: Leakage
    checkpoints: dict[Name, Checkpoint]
    rows: dict[Name, Row]
    pretrain: dict[str, Pretrain]
    finetune: Finetune
    decode: dict[str, DecodeTask]
    api: Apis
    score: Score
    suites: dict[Name, Suite]
    report: Report
    annotation: Annotation = Annotation()
    submission: str | None = Field(default=None, min_length=1, description="predictions that score_submission scores")
    release: Release

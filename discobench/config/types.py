"""Types of every configuration key. ``config.yaml`` is the paper; presets and users override it.

The JSON schema for editors (``resources/config.schema.json``) is generated from these types.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Language = Literal["zh", "en"]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]
Weight = Annotated[float, Field(gt=0, le=1)]
Rate = Annotated[float, Field(gt=0)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]


class Strict(BaseModel):
    """Unknown keys are errors, values are not coerced from strings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Run(Strict):
    """What of the registries takes part; null means everything."""

    preset: Name = Field(description="name of the preset and of its folder under results/")
    genres: list[str] | None = None
    tasks: list[str] | None = None
    rows: list[str] | None = None
    seeds: list[Positive] = Field(min_length=1, description="one fine-tuning run per seed (paper 6.1: two)")
    only: dict[str, list[str]] = Field(default={}, description="row -> the only tasks it runs in this preset")
    suites: list[str] | None = None
    tables: list[Positive] | None = None
    page: bool = Field(default=True, description="whether `all` includes the report page")


class Hardware(Strict):
    """What GPU rules ask for."""

    gpus: Annotated[int, Field(ge=0, le=1)] = Field(description="GPUs of a job that runs a model; 0: the CPU")
    precision: Literal["fp32", "bf16"] = "bf16"


class Splits(Strict):
    """Shares of works that are held out; the rest is train."""

    valid: Share
    test: Share


class Genre(Strict):
    """One line of Table 5 and where its files lie."""

    language: Language
    category: str
    genre: str
    description: str
    path: str = Field(description="folder of raw files, relative to the working directory")
    files: str | list[str] | None = Field(
        default=None,
        description="null: all in the folder; globs (* stands for folders too, ! excludes); or a manifest's path",
    )
    format: (
        Literal["text", "jsonl", "json", "csv", "tsv", "parquet", "html", "epub", "subtitles", "xml", "couplets"] | None
    ) = Field(default=None, description="of all files, those in archives too; null: as their suffix says")
    fields: dict[Literal["text", "title", "author", "work"], str] = Field(
        default={}, description="names of keys or columns where they are not the usual ones"
    )
    document: Literal["file", "chapter", "block", "line"] = Field(
        description="what a document is in this genre; blocks have empty lines between"
    )
    work: Literal["folder", "file", "document"] = Field(
        default="folder", description="what shares a split: files in one folder or archive, one file, one document"
    )
    shards: Positive = 1
    licence: str | None = Field(default=None, description="null: nothing made from it can be released")


class Duplicates(Strict):
    """Near-duplicate detection (MinHash over character 5-grams)."""

    permutations: Positive = 128
    threshold: Share = 0.8
    ngram: Positive = 5


class Decontamination(Strict):
    """Overlap with test sets from outside the corpus."""

    ngram: dict[Language, Positive]
    unit: Literal["span", "document"] = "document"
    threshold: Share = Field(description="share of a document's n-grams found in a test set that drops it")


class Archives(Strict):
    """How far a compressed file or an archive may swell before the rest of it is dropped."""

    max_unpacked_bytes: Positive = 200_000_000_000
    max_ratio: Positive = Field(default=200, description="largest unpacked size divided by the file's")


class Corpus(Strict):
    """Cleaning, deduplication, decontamination and packing."""

    min_units: dict[Language, Count]
    max_repetition: Share = Field(description="largest share of repeated sentences in a document")
    min_language: Share = Field(description="least share of characters in the genre's own script")
    max_document_bytes: Positive
    archives: Archives = Archives()
    duplicates: Duplicates = Duplicates()
    decontamination: Decontamination


class Parser(Strict):
    """Where the constituency parser comes from."""

    source: Literal["download", "treebank", "path"]
    path: str | None = None
    package: str = "default"
    max_tokens: Positive = Field(default=150, description="longer sentences are dropped with a reason")
    steps: Positive = Field(default=300, description="training steps when trained from a treebank")


class LanguageModel(Strict):
    """An n-gram model by lmplz."""

    order: Positive = 5
    prune: list[Count] = []
    discount_fallback: bool = Field(default=False, description="only for texts as small as the demo's")


class TextExpansion(Strict):
    """Synthesis of TE (paper 3.3, A.2)."""

    genres: list[str]
    folds: Positive = 2
    sentences: Positive = Field(default=3, description="sentences of a document in one instance")
    rates: dict[str, Share] = Field(description="share of deletable spans of each type that are deleted")
    delete_heads: bool = False
    max_perplexity: Rate
    max_ratio: Rate = Field(description="largest perplexity of source divided by that of target")
    language_model: LanguageModel = LanguageModel()


class ZeroPronouns(Strict):
    """Synthesis of ZPR labels from zh-en subtitles (paper 3.1)."""

    path: str = Field(description="folder of <episode>.zh and <episode>.en files aligned by line")
    licence: str | None = Field(default=None, description="of the subtitles")


class Synthesis(Strict):
    parser: Parser
    te: TextExpansion
    zpr: ZeroPronouns


class TaskData(Strict):
    """Where a task's records come from. Its meaning lives in discobench/tasks/<task>.py."""

    source: Literal["file", "corpus", "te", "zpr"]
    path: str | None = Field(default=None, description="folder of train, valid and test .jsonl files")
    genres: list[str] = []
    licence: str | None = Field(default=None, description="of the files in path")
    limit: dict[Literal["train", "valid", "test"], Positive] = Field(default={}, description="most records")
    domain: str = Field(description="as Table 1 prints it")
    paper_train: Count
    paper_test: Count


class PaperModel(Strict):
    """What Tables 6 and 15 print of a model; shown beside what is found."""

    parameters: str | None = None
    vocabulary: Positive | None = None
    layers: str | None = None
    heads: str | None = None


class Checkpoint(Strict):
    """A model's weights: hub:<id>, path:<folder>, scratch:<family>, tiny:<family>, api:<model>, baseline:<name>."""

    source: str = Field(pattern=r"^(hub|path|scratch|tiny|api|baseline):.+$")
    family: Literal["plain", "encoder", "bart", "mbart", "gpt2", "t5", "llm", "baseline"]
    language: Literal["zh", "en", "multi"]
    revision: str | None = Field(default=None, description="null until a fetch has resolved it")
    base: str | None = Field(default=None, description="continued pretraining starts from this checkpoint")
    architecture: dict[str, int | float | str | bool] = {}
    paper: PaperModel = PaperModel()


class Row(Strict):
    """A line of the tables: which checkpoint it uses for which task."""

    label: str
    group: Literal["baseline", "plain", "existing", "disco-bench", "llm"]
    tasks: dict[str, str]


class Training(Strict):
    """Hyper-parameters of one training run; Tables 15 and 16."""

    learning_rate: Rate
    batch_size: Positive
    batch_unit: Literal["sequences", "tokens"] = "sequences"
    max_length: Positive
    epochs: Positive | None = None
    steps: Positive | None = None
    warmup: Count = 0
    schedule: Literal["linear", "constant", "inverse_sqrt"] = "linear"
    betas: tuple[float, float] = Field(default=(0.9, 0.999), strict=False)
    weight_decay: float = 0.01
    dropout: Share | None = None
    clip: Rate = 1.0
    empty_weight: Weight = Field(
        default=1.0, description="weight of gaps without a form in the loss of ZPR; below 1 where labels lack forms"
    )
    save_every: Positive = 1000
    keep_best: bool = True


class TrainingChange(Strict):
    """Any key of Training, to override a default for one row or preset."""

    learning_rate: Rate | None = None
    batch_size: Positive | None = None
    batch_unit: Literal["sequences", "tokens"] | None = None
    max_length: Positive | None = None
    epochs: Positive | None = None
    steps: Positive | None = None
    warmup: Count | None = None
    schedule: Literal["linear", "constant", "inverse_sqrt"] | None = None
    betas: tuple[float, float] | None = Field(default=None, strict=False)
    weight_decay: float | None = None
    dropout: Share | None = None
    empty_weight: Weight | None = None
    save_every: Positive | None = None


class Pretrain(Strict):
    """Continued pretraining of one checkpoint (paper 5.2, Table 15)."""

    training: Training
    languages: list[Language]
    weights: dict[str, Rate] = Field(default={}, description="mixing weight per genre; 1 where not given")
    mask_share: Share = 0.15


class Finetune(Strict):
    tasks: dict[str, Training]
    rows: dict[str, dict[str, TrainingChange]] = Field(default={}, description="row -> task -> changes")


class DecodeTask(Strict):
    beam: Positive = 4
    max_new_tokens: Positive = 128
    batch_tokens: Positive = 4096
    sample: bool = False
    top_p: Share = 1.0
    temperature: Rate = 1.0


class Api(Strict):
    """An OpenAI-compatible endpoint; its key is read from the environment and never written."""

    base_url: str = "https://api.openai.com/v1"
    key_variable: str = "OPENAI_API_KEY"
    temperature: float = 0.0
    timeout: Rate = 60.0
    retries: Count = 5


class Score(Strict):
    bootstrap: Positive = 1000
    perplexity_model: dict[Language, str] = Field(description="checkpoint that measures PPL")
    bertscore_model: dict[Language, str] = Field(description="checkpoint that measures BERTScore")
    bertscore_layers: Positive | None = None
    comet_python: str = Field(description="interpreter of the environment that has unbabel-comet")
    comet_checkpoint: str | None = Field(default=None, description="null: COMET cells say `not run`")
    comet_sha256: str | None = None
    nltk_data: str = Field(description="folder that holds corpora/wordnet for METEOR")


class Suite(Strict):
    """One part of the diagnostic suite (paper section 4)."""

    task: str
    path: str = Field(description="JSON Lines of contrastive instances")
    rows: list[str]


class Report(Strict):
    title: str
    tolerance: Rate = Field(description="largest difference from the paper's value that counts as a match")
    comparable: bool = Field(description="false where data or models are of another scale than the paper's")


class Config(Strict):
    """The whole configuration."""

    run: Run
    seed: Positive
    hardware: Hardware
    splits: Splits
    genres: dict[Name, Genre]
    corpus: Corpus
    synthesis: Synthesis
    tasks: dict[Name, TaskData]
    checkpoints: dict[Name, Checkpoint]
    rows: dict[Name, Row]
    pretrain: dict[str, Pretrain]
    finetune: Finetune
    decode: dict[str, DecodeTask]
    api: Api
    score: Score
    suites: dict[Name, Suite]
    report: Report

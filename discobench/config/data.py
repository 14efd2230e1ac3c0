"""Types of the keys that say what data there is and what is made from it: corpus, synthesis, tasks."""

from typing import Annotated, Literal

from pydantic import Field

from discobench.config.strict import Count, Language, Place, Positive, Rate, Share, Strict


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
    path: Place = Field(description="folder of raw files, relative to the working directory")
    files: list[str] = Field(
        default=[], description="globs that choose files in the folder; * stands for folders too, ! excludes"
    )
    manifest: Place | None = Field(
        default=None, description="file that names the folder's files: a path on each line, or JSON Lines with `path`"
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
    repeats: Literal["document", "chapter"] = Field(
        default="document", description="what is looked for elsewhere: all of a document, or each chapter of it"
    )
    simplify: bool = Field(default=False, description="traditional Chinese to simplified; never for ancient texts")
    work: Literal["folder", "file", "document"] = Field(
        default="folder", description="what shares a split: files in one folder or archive, one file, one document"
    )
    shards: Annotated[int, Field(gt=0, le=100_000)] = 1
    licence: str | None = Field(default=None, description="null: nothing made from it can be released")


class Duplicates(Strict):
    """Near-duplicate detection (MinHash over character n-grams)."""

    permutations: Positive = 128
    threshold: Share = Field(default=0.8, description="least similarity (Jaccard, estimated) of near duplicates")
    ngram: Positive = 5
    buckets: dict[Language, Positive] = Field(description="jobs that compare documents: the more, the less memory each")


class TaskOverlap(Strict):
    """What is different for the test set of one task."""

    ngram: dict[Language, Positive] = Field(default={}, description="of the languages given, another length")
    unit: Literal["span", "document"] | None = None
    threshold: Share | None = None


class Decontamination(Strict):
    """Overlap with test sets from outside the corpus."""

    ngram: dict[Language, Positive] = Field(description="length in characters (zh) or words (en)")
    unit: Literal["span", "document"] = Field(
        default="span", description="what is cut below the threshold: the sentences concerned (span) or nothing"
    )
    threshold: Share = Field(description="share of a document's n-grams found in a task's test set that drops it")
    tasks: dict[str, TaskOverlap] = Field(default={}, description="task -> what is different for its test set")


class Archives(Strict):
    """How far a compressed file or an archive may swell before the rest of it is dropped."""

    max_unpacked_bytes: Positive = 200_000_000_000
    max_ratio: Positive = Field(default=200, description="largest unpacked size divided by the file's")


class Corpus(Strict):
    """Cleaning, deduplication, decontamination and packing."""

    width: dict[Language, Literal["keep", "letters", "all"]] = Field(
        description="which full-width characters become half-width: none, letters and digits, or marks and blanks too"
    )
    min_units: dict[Language, Count] = Field(description="characters (zh) or words (en)")
    max_repetition: Share = Field(description="largest share of repeated sentences in a document")
    min_language: Share = Field(description="least share of a document's letters that are of its language's script")
    max_digits: Share = Field(description="largest share of digits among what is not blank")
    max_marks: Share = Field(description="largest share of what is neither letter nor digit among what is not blank")
    max_document_bytes: Positive
    archives: Archives = Archives()
    duplicates: Duplicates
    decontamination: Decontamination


class Parser(Strict):
    """Where the constituency parser comes from."""

    source: Literal["download", "treebank", "path"]
    path: Place | None = None
    package: str = "default"
    max_tokens: Positive = Field(default=150, description="longer sentences are dropped with a reason")
    batch_tokens: Positive = Field(default=4000, description="tokens of a batch: sentences times the longest")
    save_every: Positive = Field(default=2000, description="sentences after which a killed job continues")
    steps: Positive = Field(default=300, description="training steps when trained from a treebank")


class LanguageModel(Strict):
    """An n-gram model by lmplz."""

    order: int = Field(default=5, ge=2, le=6, description="n; KenLM is built for six at most")
    prune: list[Count] = Field(default=[])
    discount_fallback: bool = Field(default=False, description="only for texts as small as the demo's")
    memory_mb: Positive = Field(default=8000, description="of the job that estimates it, half of it for sorting")
    disk_mb: Positive = Field(default=10000, description="of tmpdir for lmplz: eight to ten times the text")


class TextExpansion(Strict):
    """Synthesis of TE (paper 3.3, A.2)."""

    genres: list[str]
    folds: int = Field(default=2, ge=2, description="of works, each scored by a model that never saw them")
    sentences: Positive = Field(default=3, description="sentences of a document in one instance")
    per_work: Positive | None = Field(default=None, description="most sentences of a work that are parsed; null: all")
    rates: dict[Literal["adjective", "adverb", "noun", "prepositional", "clause"], Share] = Field(
        description="share of deletable spans of each type that are deleted"
    )
    max_share: Share = Field(default=1.0, description="largest share of an instance's words that is deleted")
    delete_heads: bool = Field(default=False, description="whether heads of phrases go too, as one in Table 14")
    max_perplexity: Rate
    max_ratio: Rate = Field(description="largest perplexity of source divided by that of target")
    language_model: LanguageModel = LanguageModel()
    sample_seed: Count = Field(default=1, description="which instances `te_sample` prints")


class ZeroPronouns(Strict):
    """Synthesis of ZPR labels from zh-en subtitles (paper 3.1)."""

    path: Place = Field(description="folder of <episode>.zh and <episode>.en files aligned by line")
    licence: str | None = Field(default=None, description="of the subtitles")
    unmarked: Share = Field(
        default=1.0, description="share of lines without a recovered pronoun that are kept; many of them lack one"
    )
    marks: bool = Field(
        default=False,
        description="whether Chinese lines without punctuation get it: commas for blanks, the English end",
    )
    roles: list[Literal["subject", "object", "possessive", "reflexive"]] = Field(
        default=["subject", "object", "possessive", "reflexive"], description="of the pronouns that are recovered"
    )
    language_model: LanguageModel = Field(
        default=LanguageModel(order=4), description="of segmented Chinese; it moves pronouns from where they align"
    )
    folds: int = Field(default=4, ge=2, description="of episodes, each refined by a model that never saw them")
    distance_cost: float = Field(
        default=0.5, ge=0, description="log10 p that a word's distance from where syntax has the pronoun costs"
    )
    window: Positive = Field(default=4, description="most words that a subject moves back to the start of its clause")
    labelled: Place | None = Field(
        default=None, description="folder in the form of mZPRT whose labels the synthesis is measured by; null: not"
    )


class Synthesis(Strict):
    parser: Parser
    te: TextExpansion
    zpr: ZeroPronouns


class Annotation(Strict):
    """Human evaluation of the test sets (paper 3.4, Table 2)."""

    size: Positive = Field(default=100, description="records of each test set that a sheet samples")
    sheets: dict[str, Annotated[list[str], Field(min_length=2, max_length=2)]] = Field(
        default={}, description="task -> the filled sheets of two annotators, .csv or .xlsx"
    )


class Licence(Strict):
    """What a licence allows; the names are those that sources and files give as theirs."""

    texts: bool = Field(description="whether texts under it may be passed on; if not, ids and checksums are")
    models: bool | None = Field(
        default=None, description="whether models that learned from texts under it may be passed on; null: as texts"
    )

    @property
    def passes_models(self) -> bool:
        """Whether models made with it may be passed on."""
        return self.texts if self.models is None else self.models


class DataFiles(Strict):
    """One folder of files that a task is read from."""

    path: Place = Field(description="a folder; public:<folder> lies below public_data")
    format: str = Field(default="interchange", description="a module of discobench/tasks/formats")
    licence: str | None = Field(default=None, description="null: nothing made from it can be released")


class Windows(Strict):
    """Which five consecutive sentences make a record of TI and TC. The paper names no filter: they are off."""

    within: Literal["paragraph", "document"] = Field(
        default="paragraph", description="whether windows may cross the ends of paragraphs, which are lines"
    )
    min_characters: Count = Field(default=0, description="least length of each sentence")
    max_characters: Positive | None = Field(default=None, description="largest length of each sentence; null: any")
    max_dialogue: Share = Field(default=1.0, description="largest share of the sentences that have quotation marks")


class TaskData(Strict):
    """Where a task's records come from. Its meaning lives in discobench/tasks/<task>.py."""

    source: Literal["file", "corpus", "te", "zpr"]
    files: list[DataFiles] = Field(default=[], description="folders read one after the other")
    genres: list[str] = Field(default=[])
    limit: dict[Literal["train", "valid", "test"], Positive] = Field(default={}, description="most records")
    windows: Windows = Field(default=Windows(), description="of tasks that are cut from documents")
    domain: str = Field(default="own", description="as Table 1 prints it")
    paper_train: Count | None = Field(default=None, description="records in Table 1; null for a task of one's own")
    paper_test: Count | None = Field(default=None, description="likewise, validation included")


class Leakage(Strict):
    """Validation and test instances that stand in the training text of a task."""

    ngram: dict[Language, Positive]
    overlap: Share = Field(description="share of an instance's n-grams found in training that makes it leak")
    threshold: Share = Field(description="largest share of leaking instances of a set that gives no warning")
    strict: bool = Field(default=False, description="whether a warning stops the run")

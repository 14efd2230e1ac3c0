"""What the rules of corpus take, worked out while planning."""

from discobench.corpus.listing import Place, fingerprint_of
from discobench.errors import DiscoError

PLACE = {"path", "files", "manifest", "format", "document", "language"}
KIND = {"path", "format", "document", "language", "category", "genre", "fields", "work"}
LICENSED = {"language", "licence", "path", "files", "manifest"}
LIMITS = {"max_document_bytes": CONFIG.corpus.max_document_bytes} | CONFIG.corpus.archives.model_dump()


def genre_of(wildcards):
    return CONFIG.genres[wildcards.genre]


def sources_fingerprint(wildcards):
    """A digest of the paths and sizes of a genre's files, or `absent`: planning needs no data."""
    place = Place(f"genres.{wildcards.genre}", **genre_of(wildcards).model_dump(include=PLACE))
    try:
        found = fingerprint_of(place)
    except DiscoError as error:  # the job says so; a plan goes on
        return str(error)
    return fingerprint(found) if found else "absent"


def cleaning_rules(language):
    return f"{RESOURCES}/cleaning/{language}.yaml"


def matches_manifests(language):
    buckets = range(CONFIG.corpus.duplicates.buckets[language])
    return [f"{R}/corpus/{language}/{bucket}/matches.balance.json" for bucket in buckets]


def limits(language):
    """Bounds of the filters; the fields of Limits in discobench/corpus/filters.py."""
    keys = CONFIG.corpus
    names = ("max_repetition", "min_language", "max_digits", "max_marks")
    shared = {name: getattr(keys, name) for name in names}
    return shared | {"min_units": keys.min_units[language], "max_bytes": keys.max_document_bytes}


def outside_tasks(language):
    """Tasks whose test sets have texts in a language and do not come from the corpus itself."""
    outside = [task for task in RUN.tasks if CONFIG.tasks[task].source in ("file", "zpr")]
    return [task for task in outside if language in tasks.task(task).languages]


def ngrams_manifest(language):
    return f"{R}/corpus/{language}/ngrams.balance.json"


def packed_shards(checkpoint):
    """The manifests of the shards that a checkpoint is pretrained on, packed for its tokenizer."""
    genres, name = RUN.read_by(checkpoint), RUN.tokenizer(checkpoint)
    return [f"{R}/corpus/{g}/{s}/packed/{name}/pack.balance.json" for g in genres for s in shards(g)]

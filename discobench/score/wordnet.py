"""WordNet 3.0 for METEOR: Debian's files where nltk may read them.

nltk only opens data below its own search path, and Debian's package lacks the list of lexicographer
files (``lexnames``: number, name, part of speech), which wordnet's manual page lexnames(5WN) gives.
"""

import shutil
import sys
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import whole, write_text

DEBIAN = Path("/usr/share/wordnet")
NEEDED = ("index.sense", "data.noun", "index.noun", "noun.exc", "cntlist.rev")
NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group location motive "
    "object person phenomenon plant possession process quantity relation shape state substance time"
)
VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion perception "
    "possession social stative weather"
)


def lexnames() -> str:
    """The 45 lexicographer files, one a line; parts of speech are 1 noun, 2 verb, 3 adjective, 4 adverb."""
    names = [("adj.all", 3), ("adj.pert", 3), ("adv.all", 4)]
    names += [(f"noun.{name}", 1) for name in NOUNS.split()]
    names += [(f"verb.{name}", 2) for name in VERBS.split()]
    names.append(("adj.ppl", 3))
    return "".join(f"{number:02d}\t{name}\t{part}\n" for number, (name, part) in enumerate(names))


def prepare_wordnet(folder: Path, source: Path = DEBIAN) -> Path:
    """Copy WordNet into ``folder``/corpora/wordnet and return that path.

    Raises DiscoError with the packages to install when ``source`` is not complete.
    """
    absent = [name for name in NEEDED if not (source / name).is_file()]
    if absent:
        raise DiscoError(
            f"{source} lacks {', '.join(absent)}, so METEOR cells will say `not run`; "
            "run: apt-get install -y wordnet-base wordnet-sense-index"
        )
    target = folder / "corpora" / "wordnet"
    for file in sorted(source.glob("*.*")):
        with whole(target / file.name) as temporary:
            shutil.copyfile(file, temporary)
    write_text(target / "lexnames", lexnames())
    return target


if __name__ == "__main__":
    try:
        print(f"WordNet for METEOR: {prepare_wordnet(Path(sys.argv[1]))}")
    except DiscoError as error:
        sys.exit(str(error))

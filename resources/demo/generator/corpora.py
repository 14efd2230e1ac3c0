"""The corpora: books, subtitles and classical texts, with the few faults that cleaning must find."""

from random import Random

from resources.demo.generator.draws import rng, seed
from resources.demo.generator.english import Writer
from resources.demo.generator.stories import book
from resources.demo.generator.subtitles import episode
from resources.demo.generator.trees import Node, bracket, capitalised, text

ENCODINGS = {"zh_novel/qingshi.txt": "gb18030", "zh_novel/longmen.txt": "utf-8-sig"}
FOREIGN = "This page was left in the folder by mistake and holds no story.\nIt is written in English from end to end.\n"
PARAGRAPHS = 5
LINES = 40
TREES = {"train": 400, "dev": 60}


def novels() -> dict[str, str]:
    """Chinese books; one chapter stands in two of them, another nearly so, and one file is no book."""
    books = {name: book(name, chapters) for name, chapters in seed("corpora")["zh_novel"].items()}
    books["canyang"].append(books["wuyu"][1])
    books["xuelian"].append(books["luoxia"][2].replace("一步一步", "慢慢地").replace("说", "讲", 1))
    files = {f"zh_novel/{name}.txt": "\n\n".join(chapters) + "\n" for name, chapters in books.items()}
    return files | {"zh_novel/stray.txt": FOREIGN}


def english_books() -> dict[str, str]:
    """English books, paragraphs apart by an empty line."""
    return {f"en_book/{name}.txt": _english_book(name, n) for name, n in seed("corpora")["en_book"].items()}


def _english_book(name: str, chapters: int) -> str:
    draw = rng("en_book", name)
    return "\n\n".join(_english_chapter(draw, number) for number in range(1, chapters + 1)) + "\n"


def _english_chapter(draw: Random, number: int) -> str:
    writer = Writer(draw)
    title = f"Chapter {number} {draw.choice(seed('corpora')['headings'])}"
    paragraphs = [" ".join(text(writer.sentence()) for _ in range(draw.choice([3, 4]))) for _ in range(PARAGRAPHS)]
    return "\n\n".join([title, *paragraphs])


def films() -> dict[str, str]:
    """Subtitles of films in one language each, a line an utterance."""
    files = {f"zh_movie/{name}.txt": "\n".join(episode(name, LINES)[0]) + "\n" for name in seed("corpora")["zh_movie"]}
    english = {f"en_movie/{name}.txt": episode(name, LINES)[1] for name in seed("corpora")["en_movie"]}
    return files | {name: "\n".join(lines) + "\n" for name, lines in english.items()}


def ancient() -> dict[str, str]:
    """Short classical texts."""
    return {
        f"zh_ancient/{name}.txt": "\n\n".join(parts) + "\n" for name, parts in seed("corpora")["zh_ancient"].items()
    }


def corpus() -> dict[str, bytes]:
    """Every file of ``corpus/`` by its path, encoded."""
    files = novels() | english_books() | films() | ancient()
    return {path: content.encode(ENCODINGS.get(path, "utf-8")) for path, content in files.items()}


def trees(split: str) -> list[Node]:
    """The sentences of a split of the treebank, first words in upper case."""
    return [capitalised(Writer(rng("treebank", split, n)).sentence()) for n in range(TREES[split])]


def treebank(split: str) -> str:
    """One tree a line in Penn brackets."""
    return "".join(bracket(tree) + "\n" for tree in trees(split))

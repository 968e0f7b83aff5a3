"""Markdown files of the repository: their lines, and what of them is prose."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_files(root):
    """Every Markdown file that a reader of the project may open."""
    folders = ["docs", "labs", "assets", "tests"]
    found = sorted(root.glob("*.md"))
    for folder in folders:
        found += sorted((root / folder).rglob("*.md"))
    bad = root / "tests/texts/bad"  # mistakes that the checks have to find
    return [f for f in found if bad not in f.parents]


def blank(match):
    """As many empty lines as the match had, so that line numbers stay."""
    return "\n" * match[0].count("\n")


def without_code_blocks(text):
    return re.sub(r"^```.*?^```$", blank, text, flags=re.S | re.M)


def prose_lines(text):
    """(line number, prose): without code, addresses and targets of links."""
    text = without_code_blocks(text)
    text = re.sub(r"`[^`]*`", lambda m: " " + blank(m), text)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    text = re.sub(r"https?://\S+", " ", text)
    return list(enumerate(text.split("\n"), 1))


# The keys of lab.toml and demo.toml whose values a student reads.
_SHOWN = "title|summary|ask|answer|explanation|message|label|unit|say|choices|hints|wrong_result"


def toml_prose_lines(text):
    """The same of a lab file. Hints and choices may go over several lines."""
    lines, shown = [], False
    for number, line in enumerate(text.split("\n"), 1):
        key = re.match(r"\s*(\w+)\s*=", line)
        if key:
            shown = re.fullmatch(_SHOWN, key[1]) is not None
        elif line.startswith("["):
            shown = False
        if shown or "label =" in line:
            strings = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            if key and not shown:  # a size with a label
                strings = re.findall(r'label = "((?:[^"\\]|\\.)*)"', line)
            lines.append((number, re.sub(r"`[^`]*`", " ", " ".join(strings))))
    return lines


def comment_lines(text):
    """Comments of CUDA C++: `//` to the end of the line."""
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        line = re.sub(r"^(\s*)//! ?", r"\1", line)  # a mark or a line of the skeleton
        comment = re.search(r"//\s(.*)", line)
        if comment:
            lines.append((number, re.sub(r"`[^`]*`", " ", comment[1])))
    return lines


def labs(root):
    """(folder, title, [(step id, step title)]) of each lab, in the order of the list."""
    found = []
    for file in sorted(root.glob("labs/*/lab.toml")):
        text = file.read_text(encoding="utf-8")
        order = int(re.search(r"^order = (\d+)", text, re.M)[1])
        title = re.search(r'^title = "(.*)"', text, re.M)[1]
        steps = re.findall(r'^\[\[step\]\]\nid = "(.*)"\ntitle = "(.*)"', text, re.M)
        found.append((order, file.parent, title, steps))
    return [lab[1:] for lab in sorted(found)]


def glossary_words(root):
    """The words that docs/GLOSSARY.md explains, as they stand there."""
    text = (root / "docs/GLOSSARY.md").read_text(encoding="utf-8")
    words = []
    for row in re.findall(r"^\| (.*?) \|", text, re.M):
        if row != "word":
            words += [w.strip(" *") for w in row.split(",")]
    return [w for w in words if not w.startswith("-")]

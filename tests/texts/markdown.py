"""The repository's Markdown files: their lines, and which parts are prose."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_files(root):
    """Every Markdown file that a reader of the project might open."""
    folders = ["docs", "labs", "assets", "tests"]
    found = sorted(root.glob("*.md"))
    for folder in folders:
        found += sorted((root / folder).rglob("*.md"))
    bad = root / "tests/texts/bad"  # mistakes that the checks have to find
    return [f for f in found if bad not in f.parents]


def languages(root):
    """{id: (decimal mark, mark of thousands, word for "predicted")} of the window's languages except English."""
    found = {}
    for file in sorted((root / "assets/text").glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        said = {key: re.search(rf'^{key} = "(.*)"$', text, re.M) for key in ("decimal_mark", "group_mark", '"predicted"')}
        if file.stem != "en" and all(said.values()):
            found[file.stem] = tuple(match[1] for match in said.values())
    return found


def is_translated(root, file):
    """Whether the file is a translation: labs/ID/LANG/… or a translated glossary."""
    parts = file.relative_to(root).parts
    if parts[:2] == ("assets", "text"):
        return file.name.endswith(".glossary.md")
    return len(parts) == 4 and parts[0] == "labs" and parts[2] in languages(root)


def local_numbers(text, marks):
    """Converts English numbers in a text to a language's marks, with a space before percent signs."""
    decimal, group = marks[:2]
    swapped = re.sub(r"\d[\d,]*(?:\.\d+)?", lambda m: m[0].translate(str.maketrans({",": group, ".": decimal})), text)
    return re.sub(r"(?<=\d)%", " %", swapped)


def english_numbers(text, marks):
    """Converts numbers with a language's marks to English notation."""
    decimal, group = map(re.escape, marks[:2])
    return re.sub(rf"\d[\d{group}]*(?:{decimal}\d+)?",
                  lambda m: m[0].translate(str.maketrans({marks[1]: ",", marks[0]: "."})), text)


def blank(match):
    """Replaces a match by empty lines, so that line numbers stay valid."""
    return "\n" * match[0].count("\n")


def without_code_blocks(text):
    return re.sub(r"^```.*?^```$", blank, text, flags=re.S | re.M)


def without_formulas(text):
    """Reduces $…$ and $$…$$ to the words in their \\text."""
    def words(match):
        said = re.findall(r"\\text\{([^{}]*)\}", match[0])
        return " " + "; ".join(said).replace("~", " ") + " " + blank(match)
    return re.sub(r"(?<![\w$])(\$\$?)(?=[^$])(?:(?!\n\n)[^$])+\1(?![\w$])", words, text)


def prose_lines(text):
    """(line number, prose), without code, URLs and link targets."""
    text = without_code_blocks(text)
    text = re.sub(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", lambda m: " " + blank(m), text, flags=re.S)
    text = without_formulas(text)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    text = re.sub(r"https?://\S+", " ", text)
    return list(enumerate(text.split("\n"), 1))


# The keys of lab.toml and demo.toml whose values students read.
_SHOWN = ("title|summary|ask|answer|explanation|message|label|unit|say|choices|hints|wrong_result|able|learned|"
          "estimate|contract|budget")


def toml_prose_lines(text):
    """The same for a lab file. Hints and choices may span several lines."""
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
    """(folder, title, [(step id, step title)]) of each lab, in list order."""
    found = []
    for file in sorted(root.glob("labs/*/lab.toml")):
        text = file.read_text(encoding="utf-8")
        order = int(re.search(r"^order = (\d+)", text, re.M)[1])
        title = re.search(r'^title = "(.*)"', text, re.M)[1]
        steps = re.findall(r'^\[\[step\]\]\nid = "(.*)"\ntitle = "(.*)"', text, re.M)
        found.append((order, file.parent, title, steps))
    return [lab[1:] for lab in sorted(found)]


def glossary_words(root):
    """The terms that docs/GLOSSARY.md explains, as written there."""
    text = (root / "docs/GLOSSARY.md").read_text(encoding="utf-8")
    words = []
    for row in re.findall(r"^\| (.*?) \|", text, re.M):
        if row != "word":
            words += [w.strip(" *") for w in row.split(",")]
    return [w for w in words if not w.startswith("-")]

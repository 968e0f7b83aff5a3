"""Terms that a lab introduces must be in docs/GLOSSARY.md.

A lab sets a new term in italics or bold, and also words that are merely stressed; those are listed
in stressed.txt. Anything in neither place is an unexplained term.
"""
import pathlib
import re

from markdown import glossary_words, labs, without_code_blocks

HERE = pathlib.Path(__file__).resolve().parent
_EMPHASIS = re.compile(r"(?<![*\w])(\*\*?)(?=[^\s*])([^*\n]{2,40}?)(?<=[^\s*])\1(?![*\w])")


def emphasised(text):
    """(line number, phrase) of each emphasised phrase of one to three words, without figures."""
    text = re.sub(r"`[^`\n]*`", "`", without_code_blocks(text))
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(">"):
            continue
        for match in _EMPHASIS.finditer(line):
            phrase = match[2].rstrip(",;")
            if phrase[-1] in ".:!?":  # a sentence, or the headline of a paragraph
                continue
            if re.fullmatch(r"[A-Z]?[a-z-]{2,}(?: [a-z-]+){0,2}", phrase):  # not the title of a book
                yield number, phrase


def singular(phrase):
    return re.sub(r"(?<=[a-z])s$", "", phrase)


def check(root, stressed=HERE / "stressed.txt"):
    known = {singular(w.lower()) for w in glossary_words(root)}
    stress = set(stressed.read_text(encoding="utf-8").lower().split("\n"))
    findings = []
    for folder, title, steps in labs(root):
        titles = {t.lower() for _, t in steps} | {lab[1].lower() for lab in labs(root)}
        for file in sorted(folder.glob("*.md")):
            name = file.relative_to(root).as_posix()
            for number, phrase in emphasised(file.read_text(encoding="utf-8")):
                lower = phrase.lower()
                if singular(lower) in known or lower in known or lower in stress or lower in titles:
                    continue
                findings.append(f"{name}:{number}: {phrase} is emphasised like a word of the field, but is "
                                "neither in docs/GLOSSARY.md nor in tests/texts/stressed.txt")
    return findings

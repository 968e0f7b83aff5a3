"""Checks British spelling with hunspell and our own word list.

A word unknown to the dictionary must be either a name or code, listed in words.txt, or a technical
term, explained in docs/GLOSSARY.md.
"""
import pathlib
import re
import shutil
import subprocess

from markdown import comment_lines, glossary_words, is_translated, prose_lines, text_files, toml_prose_lines

HERE = pathlib.Path(__file__).resolve().parent
_WORD = re.compile(r"(?<![\w$%_.])[^\W\d_]+(?:['’][^\W\d_]+)*(?![\w_(/])")


def ready():
    """Whether hunspell and its British dictionary are installed."""
    if not shutil.which("hunspell"):
        return False
    known = subprocess.run(["hunspell", "-D"], input="", capture_output=True, text=True)
    return "en_GB" in known.stdout + known.stderr


def places(root):
    """word → the places where it occurs."""
    sources = [(f, prose_lines) for f in text_files(root) if not is_translated(root, f)]
    sources += [(f, toml_prose_lines) for f in sorted(root.glob("labs/*/*.toml"))]
    for folder in ("kernels", "solutions"):
        sources += [(f, comment_lines) for f in sorted((root / folder).rglob("*.cu"))]
    found = {}
    for file, lines_of in sources:
        name = file.relative_to(root).as_posix()
        for number, line in lines_of(file.read_text(encoding="utf-8")):
            for word in _WORD.findall(line):
                word = re.sub(r"['’]s?$", "", word.replace("’", "'"))
                if len(word) > 2:
                    found.setdefault(word, []).append(f"{name}:{number}")
    return found


def allowed(root, word_list):
    words = set()
    for line in word_list.read_text(encoding="utf-8").splitlines():
        words.update(line.split("#")[0].split())
    for phrase in glossary_words(root):
        words.update(re.findall(r"[^\W\d_]+", phrase))
    return words


def forms(word):
    """The word and its possible base forms: threads → thread, Texels → texel."""
    lower = word.lower()
    yield word
    yield lower
    for ending in ("s", "es", "ed", "d", "ing"):
        if lower.endswith(ending):
            yield lower[: -len(ending)]
            yield word[: -len(ending)]


def check(root, word_list=HERE / "words.txt"):
    where = places(root)
    unknown = subprocess.run(
        ["hunspell", "-d", "en_GB", "-i", "utf-8", "-l"],
        input="\n".join(where), capture_output=True, text=True, check=True).stdout.split()
    known = allowed(root, word_list)
    findings = []
    for word in sorted(set(unknown), key=str.lower):
        if not any(form in known for form in forms(word)):
            findings.append(f"{where[word][0]}: {word} is neither in the dictionary, nor in "
                            "docs/GLOSSARY.md, nor in tests/texts/words.txt")
    return findings


def unused(root, word_list=HERE / "words.txt"):
    """Words in the list that no longer occur in any text."""
    seen = set()
    for word in places(root):
        seen.update(forms(word))
    words = []
    for line in word_list.read_text(encoding="utf-8").splitlines():
        words += line.split("#")[0].split()
    return [f"tests/texts/words.txt: no text has the word {w}" for w in words if w not in seen]

#!/usr/bin/env python3
"""Checks the project's texts: dead links, spelling, unexplained terms, figures without a source.

    texts_test.py CHECK...     links spelling words sources times predicted slides; exit status 1 with findings, 77 if the
                               spelling cannot be checked because hunspell or its British dictionary
                               (Debian: hunspell, hunspell-en-gb) is not installed
    texts_test.py self         each check finds each mistake of tests/texts/bad, and nothing else
"""
import pathlib
import sys

import field_words
import links
import predicted
import slides
import sources
import spelling
import times
from markdown import ROOT

BAD = pathlib.Path(__file__).resolve().parent / "bad"

CHECKS = {
    "links": links.check,
    "words": field_words.check,
    "sources": sources.check,
    "times": times.check,
    "predicted": predicted.check,
    "slides": slides.check,
}


def check_spelling(root):
    return spelling.check(root) + spelling.unused(root)


def main(names):
    findings = []
    for name in names:
        if name == "spelling":
            if not spelling.ready():
                print("hunspell with its British dictionary is not installed")
                return 77
            findings += check_spelling(ROOT)
        elif name == "self":
            findings += self_test()
        else:
            findings += CHECKS[name](ROOT)
    print("\n".join(findings) if findings else "no findings")
    return 1 if findings else 0


def self_test():
    """Compares the findings in the folder of planted mistakes with the expected ones."""
    said = []
    for name, check in CHECKS.items():
        lists = [BAD / "stressed.txt"] if name == "words" else []
        said += [f"{name}: {finding}" for finding in check(BAD, *lists)]
    if spelling.ready():
        said += [f"spelling: {f}" for f in spelling.check(BAD, BAD / "words.txt") +
                 spelling.unused(BAD, BAD / "words.txt")]
    expected = (BAD / "expected.txt").read_text(encoding="utf-8").splitlines()
    if not spelling.ready():
        expected = [line for line in expected if not line.startswith("spelling: ")]
    return ([f"not found: {line}" for line in expected if line not in said] +
            [f"found without need: {line}" for line in said if line not in expected])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["links", "spelling", "words", "sources", "times", "predicted", "self"]))

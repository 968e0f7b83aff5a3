"""Every time in microseconds in a lab's text must have been measured or have a source in docs/sources.md.

Measured times are in the columns `us…` of labs/*/h200.csv, in labs/*/times.toml, in tests/hardware/timing/truth.json,
and in the results of tests/microbench. A text may round. The window shows the same figures as measured.
"""
import csv
import json
import re
import tomllib

import stated
from markdown import english_numbers, labs, languages, without_code_blocks

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\d%²])")


def numbers_in(value):
    """All numbers of a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for v in value:
            yield from numbers_in(v)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def measured(root):
    values = []
    for file in sorted(root.glob("labs/*/h200.csv")):
        with file.open(newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                values += [float(v) for k, v in row.items() if k and k.startswith("us") and v]
    for file in sorted(root.glob("labs/*/times.toml")):
        with file.open("rb") as text:
            values += [row["warm_us"] for gpu in tomllib.load(text)["gpu"] for row in gpu["times"]]
    for case in json.loads((root / "tests/hardware/timing/truth.json").read_text()):
        values += numbers_in([case["us"], case["us_runs"]])
    for file in sorted((root / "tests/microbench/results").glob("h200*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            values += numbers_in(json.loads(line))
    return values


def roundings(values):
    return {f"{v + half:.{digits}f}" for v in values for digits in (0, 1, 2) for half in (0, 1e-6)}


def times(text):
    """(line number, number as written) of each time: a number before µs, or in a µs column of a table."""
    columns = []
    for number, line in enumerate(without_code_blocks(text).split("\n"), 1):
        if line.startswith("|"):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not columns:  # the header row
                columns = ["µs" in c for c in cells]
                continue
            for is_time, cell in zip(columns, cells):
                if is_time:
                    yield from ((number, m) for m in _NUMBER.findall(cell.replace("**", "")))
            continue
        columns = []
        for match in re.finditer(r"([\d,.]+\d|\d)\**(?= µs| microseconds)", line):
            yield number, match[1]


def translations(root, file):
    """A translation must state the same times as the English text, in the same order."""
    findings = []
    english = [figure for _, figure in times(file.read_text(encoding="utf-8"))]
    for language, marks in languages(root).items():
        other = file.parent / language / file.name
        if not other.exists():
            continue
        said = [figure for _, figure in times(english_numbers(other.read_text(encoding="utf-8"), marks))]
        if said != english:
            findings.append(f"{other.relative_to(root).as_posix()}: the times are {' '.join(said)}; in English they are "
                            f"{' '.join(english)}")
    return findings


def check(root):
    known = roundings(measured(root))
    said = (root / "docs/sources.md").read_text(encoding="utf-8")
    known |= {n.replace(",", "") for n in _NUMBER.findall(said)}
    findings = []
    for folder, _, _ in labs(root):
        for file in sorted(folder.glob("*.md")):
            for number, figure in times(file.read_text(encoding="utf-8")):
                if figure.replace(",", "") not in known:
                    name = file.relative_to(root).as_posix()
                    findings.append(f"{name}:{number}: {figure} µs: nobody measured it, and docs/sources.md does "
                                    "not name it")
            findings += translations(root, file)
        if (folder / "demo.toml").exists():
            findings += translations(root, folder / "demo.toml")
    return findings + stated.check(root)

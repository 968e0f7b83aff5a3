"""Each exercise's text must show up-to-date predictions beside the measured times.

A table in a lab's text may have columns "predicted". Each belongs to the nearest "µs" column on its
left. Measured times are looked up in labs/*/h200.csv, and labs/*/h200-predicted.csv has the prediction
for that row (written by tests/predictions). If there is none, because the kernel is not in the
repository or the model does not cover it, the cell is a dash.
"""
import csv
import re

from markdown import labs, languages, local_numbers, without_code_blocks

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
NONE = "–"
WIDEST = 5  # most columns in such a table: more do not fit beside an editor


def read(file):
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as lines:
        return {(row["exercise"], row["kernel"], row["size"]): row for row in csv.DictReader(lines)}


def times_of(folder):
    """[(exercise, kernel and size, measured µs, predicted µs or None)] of a lab."""
    predicted = read(folder / "h200-predicted.csv")
    return [(key[0], f"{key[1]} {key[2]}", float(row["us"]), float(predicted[key]["predicted_us"]) if key in predicted else None)
            for key, row in read(folder / "h200.csv").items()]


def rounded(value, digits):
    return f"{value:,.{digits}f}"


def words(text):
    return set(re.findall(r"[a-z]+|\d{2,}", text.replace(",", "")))


def cell_for(measured, step, rows, around=""):
    """The cell for a measured time; None: ambiguous, since rows disagree. `around`: the column's head and
    the start of the row, which may name kernel and size."""
    number = _NUMBER.search(measured.replace("**", ""))
    if not number:
        return NONE
    value, digits = float(number[0].replace(",", "")), len(number[0].partition(".")[2])
    found = [row for row in rows if abs(row[2] - value) <= 0.5001 * 10**-digits]
    found = [row for row in found if step in row[0].split(" and ")] or found
    named = [len(words(around) & words(row[1])) for row in found]
    found = [row for row, n in zip(found, named) if n == max(named)]
    cells = set()
    for _, _, us, predicted in found:
        error = None if predicted is None else round(100 * (predicted / us - 1))
        cells.add(NONE if error is None else
                  f"{rounded(predicted, digits)} ({'+' if error > 0 else '−' if error < 0 else ''}{abs(error)}%)")
    return None if len(cells) > 1 else cells.pop() if cells else NONE  # several rows that agree are fine


def predicted_rows(text, word="predicted"):
    """(line number, line, cells, heads, columns) of table rows with predictions; for each prediction column,
    `columns` has the index of its measured times."""
    columns = []
    for number, (line, bare) in enumerate(zip(text.split("\n"), without_code_blocks(text).split("\n")), 1):
        if not bare.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not columns:  # header row: find the measured column for each prediction column
            heads, columns = cells, [None] * len(cells)
            for i, head in enumerate(cells):
                if head.startswith(word):
                    columns[i] = max((j for j in range(i) if "µs" in cells[j]), default=None)
            continue
        if not any(c is not None for c in columns) or re.fullmatch(r"[|\s:-]+", line):
            continue
        yield number, line, cells, heads, columns


def corrected(text, step, rows):
    """[(line number, old line, new line or None)] of those rows."""
    for number, line, cells, heads, columns in predicted_rows(text):
        wanted = [cell if at is None else cell_for(cells[at], step, rows, f"{heads[at]} {cells[0]}")
                  for at, cell in zip(columns, cells)]
        yield number, line, None if None in wanted else "| " + " | ".join(wanted) + " |"


def translated(text, english, marks):
    """The same for a translation: its rows must match those of the English text, in order."""
    for (number, line, cells, _, columns), (_, _, said, _, _) in zip(predicted_rows(text, marks[2]), predicted_rows(english)):
        wanted = [cell if at is None else local_numbers(other, marks) for at, cell, other in zip(columns, cells, said)]
        yield number, line, "| " + " | ".join(wanted) + " |"


def translations(root):
    """(file, English file, marks) of each translated step text."""
    for file, _, _ in texts(root):
        for language, marks in languages(root).items():
            other = file.parent / language / file.name
            if other.exists():
                yield other, file, marks


def texts(root):
    """(file, step, rows of h200.csv) of each step; the file is named after the step."""
    everything = [row for folder, _, _ in labs(root) for row in times_of(folder)]
    for folder, _, steps in labs(root):
        own = times_of(folder)
        for step, _ in steps:
            file = folder / f"{step}.md"
            if file.exists():
                known = any(step in row[0].split(" and ") for row in own)
                yield file, step, own if known else everything


def exercises(folder):
    """The steps of a lab that have an exercise."""
    blocks = re.split(r"^\[\[step\]\]$", (folder / "lab.toml").read_text(encoding="utf-8"), flags=re.M)
    return {re.search(r'^id = "(.*)"', block, re.M)[1] for block in blocks[1:] if "\n[step.exercise]" in block}


def check(root):
    findings, told = [], set()
    for file, step, rows in texts(root):
        name = file.relative_to(root).as_posix()
        for number, old, new in corrected(file.read_text(encoding="utf-8"), step, rows):
            if old.count("|") > WIDEST + 1:
                findings.append(f"{name}:{number}: more than {WIDEST} columns with predictions: make two tables")
            if new is None:
                findings.append(f"{name}:{number}: two kernels took this time, with different predictions")
            elif old != new:
                findings.append(f"{name}:{number}: h200-predicted.csv says: {new}")
            if "%)" in (new or ""):
                told.add((file.parent, step))
    for file, english, marks in translations(root):
        name = file.relative_to(root).as_posix()
        text, other = file.read_text(encoding="utf-8"), english.read_text(encoding="utf-8")
        if len(list(predicted_rows(text, marks[2]))) != len(list(predicted_rows(other))):
            findings.append(f"{name}: its tables of predictions are not those of {english.name}")
        findings += [f"{name}:{number}: in English this is: {new}" for number, old, new in translated(text, other, marks) if old != new]
    for folder, _, steps in labs(root):
        measured = {step for exercise, _, _, _ in times_of(folder) for step in exercise.split(" and ")}
        for step, _ in steps:
            if step in exercises(folder) & measured and (folder, step) not in told:
                findings.append(f"{folder.relative_to(root).as_posix()}/{step}.md: no measured time has its "
                                "prediction beside it")
    return findings


def write(root):
    """Updates all cells and returns the remaining findings."""
    for file, step, rows in texts(root):
        lines = file.read_text(encoding="utf-8").split("\n")
        for number, _, new in corrected("\n".join(lines), step, rows):
            if new is not None:
                lines[number - 1] = new
        file.write_text("\n".join(lines), encoding="utf-8")
    for file, english, marks in translations(root):
        lines = file.read_text(encoding="utf-8").split("\n")
        for number, _, new in translated("\n".join(lines), english.read_text(encoding="utf-8"), marks):
            lines[number - 1] = new
        file.write_text("\n".join(lines), encoding="utf-8")
    return check(root)

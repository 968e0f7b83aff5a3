"""docs/sources.md must list every step of every lab, only existing steps, and only known kinds of sources."""
import re

from markdown import labs

_KINDS = {"published", "measured", "computed", "simulated"}


def rows(text):
    """(line number, cells) of all table rows."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("|"):
            yield number, [c.strip() for c in line.strip().strip("|").split(" | ")]


def sections(text):
    """(title, first line, text) of the parts under `## `."""
    parts, title, first = [], "", 1
    lines = text.split("\n")
    for number, line in enumerate(lines + ["## "], 1):
        if line.startswith("## "):
            parts.append((title, first, "\n".join(lines[first - 1:number - 1])))
            title, first = line[3:].strip(), number
    return parts


def lab_table(lab, first, part):
    """Findings about one lab's section."""
    folder, title, steps = lab
    ids, named, findings = {i for i, _ in steps}, set(), []
    for offset, cells in rows(part):
        where = f"docs/sources.md:{first + offset - 1}"
        if cells[0].startswith(("---", "concept")):
            continue
        if len(cells) != 4:
            findings.append(f"{where}: four cells were expected: what, source, steps, kind")
            continue
        if cells[3] not in _KINDS:
            findings.append(f"{where}: {cells[3]} is no kind of figure")
        for step in cells[2].split(", "):
            if step == "all":
                continue
            named.add(step)
            if step not in ids:
                findings.append(f"{where}: the lab {folder.name} has no step {step}")
    for step, _ in steps:
        if step not in named:
            findings.append(f"docs/sources.md:{first}: nothing is said of {folder.name}/{step}")
    return findings


def lecture_table(all_labs, first, part):
    """Findings about "The lectures, slide by slide": each slide must have an existing home."""
    homes = {f"{folder.name}/{step}" for folder, _, steps in all_labs for step, _ in steps}
    homes |= {folder.name for folder, _, _ in all_labs}
    findings = []
    for offset, cells in rows(part):
        if cells[0].startswith(("---", "slide")):
            continue
        where = f"docs/sources.md:{first + offset - 1}"
        if len(cells) != 3:
            findings.append(f"{where}: three cells were expected: slide, what it says, where")
            continue
        for home in cells[2].split(", "):
            if home not in homes and home != "–":
                findings.append(f"{where}: there is no {home}")
    return findings


def check(root):
    text = (root / "docs/sources.md").read_text(encoding="utf-8")
    all_labs = labs(root)
    by_title = {title: (folder, title, steps) for folder, title, steps in all_labs}
    findings = []
    for title, first, part in sections(text):
        if title in by_title:
            findings += lab_table(by_title.pop(title), first, part)
        if title == "The lectures, slide by slide":
            findings += lecture_table(all_labs, first, part)
    for title in by_title:
        findings.append(f'docs/sources.md: there is no part "{title}"')
    return findings

#!/usr/bin/env python3
"""What one walk through each lab took, as a table in its INSTRUCTOR.md, and whether the plans leave room for it.

    walk_table.py                  checks the tables and the plans; exit status 1 where one says something else than the lab
    walk_table.py --take FOLDER    takes FOLDER/LAB.csv of lab_walk into walks.csv, beside this file
    walk_table.py --write          writes the tables

Words and questions are counted in the lab's files, so a table goes stale when they change. Keys and the wait for the pass come
from walks.csv; a step whose id is not there has not been walked.

The minutes under "Timing" are the lab's plan. One rule holds for all: a page to read takes at least its walk, an exercise a
quarter more, to think. Their sum, and the minutes that docs/courses.md gives for a step, must be those of the plan."""
import csv
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WALKS = HERE / "walks.csv"
WORDS_PER_MINUTE, KEYS_PER_MINUTE, MINUTES_PER_QUESTION, LONG = 200, 200, 1, 10
TIME_TO_THINK = 1.25  # an exercise's plan / its walk, at least
TITLE = "## A typed walk"
_TABLE = re.compile(re.escape(TITLE) + r"\n.*?(?=\n## )", re.S)
_PLAN_ROW = re.compile(r"^\| (\d+) [^|]*\|([^|]*)\|([^|]*)\|", re.M)
_MINUTES = re.compile(r"(\d+) min")
_CODE = re.compile(r"^```.*?^```", re.S | re.M)
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def words(text):
    """Words outside code blocks and comments."""
    return len(_WORD.findall(re.sub(r"<!--.*?-->", "", _CODE.sub("", text), flags=re.S)))


def step_words(folder, step):
    exercise = step.get("exercise", {})
    texts = [(folder / step["text"]).read_text(encoding="utf-8"), step.get("able", ""), *step.get("learned", [])]
    for question in step.get("question", []):
        texts += [question["ask"], *question.get("choices", []), question["explanation"]]
    texts += [exercise.get("estimate", {}).get("ask", "")]
    contract = exercise.get("contract", {})
    texts += [contract.get("text", ""), *contract.get("budget", [])]
    return sum(map(words, texts))


def questions(step):
    return len(step.get("question", [])) + ("estimate" in step.get("exercise", {}))


def walks():
    """{(lab, step): (keys, seconds)}"""
    if not WALKS.exists():
        return {}
    with WALKS.open(newline="", encoding="utf-8") as lines:
        return {(row["lab"], row["step"]): (int(row["keys"]), float(row["pass_s"])) for row in csv.DictReader(lines)}


def take(folder):
    known = walks()
    for file in sorted(pathlib.Path(folder).glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        known = {key: value for key, value in known.items() if key[0] != file.stem}
        known.update({(file.stem, row["step"]): (int(row["keys"]), float(row["pass_s"])) for row in rows})
    with WALKS.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["lab", "step", "keys", "pass_s"])
        rows.writerows([lab, step, keys, f"{seconds:.1f}"] for (lab, step), (keys, seconds) in sorted(known.items()))


def lab_of(folder):
    with (folder / "lab.toml").open("rb") as file:
        return tomllib.load(file)


def walk_minutes(folder, lab, step, walked):
    keys, seconds = walked[lab["id"], step["id"]]
    return (step_words(folder, step) / WORDS_PER_MINUTE + questions(step) * MINUTES_PER_QUESTION +
            keys / KEYS_PER_MINUTE + seconds / 60)


def timing(text):
    """The section "Timing" of an INSTRUCTOR.md."""
    return text[text.index("## Timing"):text.index("\n## ", text.index("## Timing") + 1)]


def plan(text):
    """{number of a step: minutes} of an INSTRUCTOR.md"""
    return {int(number): sum(map(int, _MINUTES.findall(reading + exercise)))
            for number, reading, exercise in _PLAN_ROW.findall(timing(text))}


def plan_findings(name, folder, text, walked):
    lab, planned, findings = lab_of(folder), plan(text), []
    for number, step in enumerate(lab["step"], 1):
        least = walk_minutes(folder, lab, step, walked) * (TIME_TO_THINK if "exercise" in step else 1)
        if planned.get(number, 0) < round(least):
            findings.append(f"{name}: step {number} is planned for {planned.get(number, 0)} minutes, needs at least {round(least)}")
    total = re.search(r"Together (\d+) minutes", timing(text))
    if total and int(total[1]) != sum(planned.values()):
        findings.append(f"{name}: its plan comes to {sum(planned.values())} minutes, not {total[1]}")
    return findings


def course_findings(plans):
    """`plans`: {lab's title: {step's title: minutes}}. A row of docs/courses.md names a lab and steps, each with its minutes, by the
    beginnings of their titles."""
    findings, lab = [], {}
    for line in (ROOT / "docs/courses.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("| \n").split("|")]
        for cell, after in zip(cells, cells[1:] + [""]):
            steps = [re.fullmatch(r"(.+) \((\d+)\)", part.strip()) for part in cell.split(";")]
            if not all(steps):
                lab = next((steps for title, steps in plans.items() if title.startswith(cell)), lab) if cell else lab
                continue
            planned = [next((m for title, m in lab.items() if title.startswith(step[1])), None) for step in steps]
            if not any(planned):
                continue  # a session that has a name of its own
            findings += [f"docs/courses.md: {step[1]}: {step[2]} minutes, planned {minutes}"
                         for step, minutes in zip(steps, planned) if int(step[2]) != minutes]
            total = sum(minutes or 0 for minutes in planned)
            if after.isdigit() and int(after) != total:
                findings.append(f"docs/courses.md: {cell}: {total} minutes, not {after}")
    return findings


def table(folder, walked, text):
    lab, lines, total, long = lab_of(folder), [], 0.0, []
    for number, step in enumerate(lab["step"], 1):
        keys, seconds = walked[lab["id"], step["id"]]
        count, asked = step_words(folder, step), questions(step)
        minutes = walk_minutes(folder, lab, step, walked)
        total += minutes
        if minutes > LONG:
            long.append(str(number))
        typed = f"{keys} | {seconds:.1f}" if "exercise" in step else "– | –"
        lines.append(f"| {number} {step['title']} | {count} | {asked} | {typed} | {minutes:.1f} |")
    return (f"{TITLE}\n\nOne walk by one of us, typed by a script at this pace, without the time to think; the plan above has "
            f"{sum(plan(text).values()) / total:.1f} times as much: {WORDS_PER_MINUTE} words and {KEYS_PER_MINUTE} keys per minute, one minute per question or estimate. The keys change the "
            "lines in which the start and the worked solution differ; the wait is from the last key to the pass, as measured.\n\n"
            "| step | words | questions | keys | wait, s | minutes |\n|---|---|---|---|---|---|\n" + "\n".join(lines) +
            f"\n\nTogether {total:.0f} minutes." +
            (f" Longer than {LONG} minutes: step{'s' if len(long) > 1 else ''} {', '.join(long)}." if long else "") + "\n")


def main(arguments):
    if arguments[:1] == ["--take"]:
        take(arguments[1])
        return 0
    walked, findings, plans = walks(), [], {}
    for file in sorted(ROOT.glob("labs/*/INSTRUCTOR.md")):
        text = file.read_text(encoding="utf-8")
        name = file.relative_to(ROOT).as_posix()
        try:
            wanted = table(file.parent, walked, text)
        except KeyError as step:
            findings.append(f"{name}: {step} has not been walked: lab_walk, then --take and --write")
            continue
        if arguments == ["--write"]:
            at = text.index("\n## One sentence") if "\n## One sentence" in text else text.index("\n## ", text.index("## Timing") + 1)
            text = _TABLE.sub(lambda _: wanted, text) if TITLE in text else text[:at] + "\n" + wanted + text[at:]
            file.write_text(text, encoding="utf-8")
        elif wanted.strip() not in text:
            findings.append(f"{name}: the table \"{TITLE[3:]}\" is not what the lab says today: walk_table.py --write")
        findings += plan_findings(name, file.parent, text, walked)
        lab, planned = lab_of(file.parent), plan(text)
        plans[lab["title"]] = {step["title"]: planned.get(number) for number, step in enumerate(lab["step"], 1)}
    findings += course_findings(plans)
    print("\n".join(findings) if findings else "the tables of the typed walks agree with the labs")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

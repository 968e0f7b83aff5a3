#!/usr/bin/env python3
"""labs/*/h200-predicted.csv holds what the timing model says of each kernel that labs/*/h200.csv measured.

    predictions.py PROGRAM [LAB[/STEP]...]           predicts again; exit status 1 where a file says something else
    predictions.py PROGRAM --write [LAB[/STEP]...]   writes the files, and the cells of the labs' texts
"""
import csv
import pathlib
import sys
import tempfile

try:
    import kernels
except ModuleNotFoundError as missing:
    print(missing)
    sys.exit(77)

ROOT = kernels.ROOT
sys.path.insert(0, str(ROOT / "tests" / "texts"))
import predicted  # noqa: E402: of tests/texts

COLUMNS = ["exercise", "kernel", "size", "predicted_us"]
ROUNDING = 0.003  # of a prediction: other processors add up in another order


def predict(labs, lab, steps):
    """{(step, kernel, size): µs} of the rows whose kernels are here."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cases = labs.cases(lab, folder, steps)
        if not cases:
            return {}
        kernels.add_launches(labs.program, cases, folder)
        results = kernels.run_spec(labs.program, cases, folder, "predict", ["--predict", "--gpu", "h200"])
        return {tuple(case["row"]): result["predicted_us"] for case, result in zip(cases, results)}


def read(file):
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as lines:
        return {(row["exercise"], row["kernel"], row["size"]): float(row["predicted_us"])
                for row in csv.DictReader(lines)}


def write(file, values):
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        rows.writerows([*key, f"{us:.2f}"] for key, us in values.items())


def main(arguments):
    program = pathlib.Path(arguments[0]).resolve()
    writing = "--write" in arguments
    wanted = {}
    for name in arguments[1:]:
        if name != "--write":
            lab, _, step = name.partition("/")
            wanted.setdefault(lab, set()).update([step] if step else [])
    labs = kernels.Labs(program)
    findings = []
    for lab in sorted({lab for lab, _ in labs.exercises}):
        if wanted and lab not in wanted:
            continue
        file = ROOT / "labs" / lab / "h200-predicted.csv"
        old, steps = read(file), wanted.get(lab) or None
        new = predict(labs, lab, steps)
        if writing:
            if steps:  # the other steps stay as they are, in the order of h200.csv
                new = {row[:3]: {**old, **new}[row[:3]] for row in labs.rows(lab) if row[:3] in {**old, **new}}
            write(file, new)
            continue
        name = file.relative_to(ROOT).as_posix()
        for key, us in new.items():
            if abs(old.get(key, 0) - us) > ROUNDING * us + 0.005:
                findings.append(f"{name}: {', '.join(key)}: {old.get(key, 'nothing')} is there, the model says {us:.2f}")
        if not steps:
            findings += [f"{name}: {', '.join(key)}: there is no such kernel" for key in old.keys() - new.keys()]
    if writing:
        findings = predicted.write(ROOT)
    elif findings:
        findings.append(f"the model has changed? {pathlib.Path(__file__).name} PROGRAM --write brings the texts up to date")
    print("\n".join(findings) if findings else "no findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

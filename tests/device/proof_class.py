#!/usr/bin/env python3
"""Turns the labs' proof into a class: the solution, start and every wrong kernel of every exercise.

    proof_class.py make PROGRAM DATA FOLDER       makes the class; FOLDER.expected.json lists who must pass
    proof_class.py check FOLDER GRADES.csv        checks the verdicts of `warpshop grade`; status 1 if any differ
"""
import csv
import json
import pathlib
import subprocess
import sys
import tomllib


def make(program, data, folder):
    data, folder, expected = pathlib.Path(data), pathlib.Path(folder), {}

    def hand_in(student, exercise, text, passes):
        file = folder / student / (exercise + ".cu")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        expected[f"{student}/{exercise}"] = passes

    for lab_file in sorted(data.glob("labs/*/lab.toml")):
        lab = tomllib.loads(lab_file.read_text())
        solutions = data / "solutions" / lab["id"]
        for step in lab["step"]:
            if not (exercise := step.get("exercise")):
                continue
            name = f"{lab['id']}/{step['id']}"
            lines = (solutions / exercise["solution"]).read_text().splitlines(True)
            hand_in("solution", name, "".join(l for l in lines if not l.lstrip().startswith("//!")), True)
            skeleton = subprocess.run([program, "labs", "--skeleton", name], check=True, text=True, capture_output=True)
            hand_in("start", name, skeleton.stdout, False)
            for number, wrong in enumerate(exercise.get("wrong", []), 1):
                hand_in(f"wrong-{number}", name, (solutions / wrong["file"]).read_text(), False)
    pathlib.Path(str(folder) + ".expected.json").write_text(json.dumps(expected))
    print(f"{len(expected)} kernels")


def check(folder, grades):
    expected = json.loads(pathlib.Path(str(folder) + ".expected.json").read_text())
    found = {f"{row['student']}/{row['exercise']}": row for row in csv.DictReader(open(grades))}
    wrong = [name for name, passes in expected.items() if (found[name]["verdict"] == "passed") != passes]
    timed = sum(1 for row in found.values() if row["gpu_us"])
    print(f"{len(expected)} kernels, {len(wrong)} verdicts not as expected, {timed} kernels timed on the GPU", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(make(*sys.argv[2:]) if sys.argv[1] == "make" else check(*sys.argv[2:]))

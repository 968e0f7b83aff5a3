#!/usr/bin/env python3
"""Makes a class to grade: solutions, skeletons and wrong kernels, mixed like a real class's submissions.

    make_class.py PROGRAM DATA FOLDER STUDENTS [SEED]

Ten exercises a student, from all labs. Six of ten texts are right, two are the untouched start, two a
plausible mistake; each has a comment of its student's, so no two files are the same. Writes what every
verdict should be to FOLDER.expected.json: warpshop grade must find the same.
"""
import json
import pathlib
import random
import subprocess
import sys
import tomllib

EXERCISES = 10


def unmarked(text):
    return "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("//!"))


def main():
    program, data, folder, students = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
    random.seed(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    exercises = []
    for lab_file in sorted(data.glob("labs/*/lab.toml")):
        lab = tomllib.loads(lab_file.read_text())
        for step in lab["step"]:
            exercise = step.get("exercise")
            if exercise is None or not exercise.get("wrong"):
                continue
            name = f"{lab['id']}/{step['id']}"
            solutions = data / "solutions" / lab["id"]
            exercises.append((name, unmarked((solutions / exercise["solution"]).read_text()),
                              [(solutions / wrong["file"]).read_text() for wrong in exercise["wrong"]]))
    # Spread evenly over all labs.
    chosen = exercises[:: max(1, len(exercises) // EXERCISES)][:EXERCISES]
    skeletons = {name: subprocess.run([program, "labs", "--skeleton", name], check=True, text=True,
                                      capture_output=True).stdout for name, _, _ in chosen}
    expected = {}
    for number in range(students):
        student = f"student-{number:04}"
        for name, solution, wrong in chosen:
            kind = random.choices(["right", "start", "wrong"], [6, 2, 2])[0]
            text = {"right": solution, "start": skeletons[name]}.get(kind) or random.choice(wrong)
            file = folder / student / (name + ".cu")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// {student}\n{text}")
            expected[f"{student}/{name}"] = kind == "right"
    pathlib.Path(str(folder) + ".expected.json").write_text(json.dumps(expected))
    print(f"{students} students × {len(chosen)} exercises: {[name for name, _, _ in chosen]}")


if __name__ == "__main__":
    main()

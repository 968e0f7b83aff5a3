#!/usr/bin/env python3
"""Compares the grades of a class made by make_class.py with the expected ones.

    check_class.py FOLDER GRADES.json
"""
import json
import pathlib
import sys

expected = json.loads(pathlib.Path(sys.argv[1] + ".expected.json").read_text())
grades = json.loads(pathlib.Path(sys.argv[2]).read_text())["grades"]
seen = {}
for grade in grades:
    key = f"{grade['student']}/{grade['exercise']}"
    if key not in expected:
        continue
    assert key not in seen, f"{key} is there twice"
    seen[key] = grade
missing = [key for key in expected if key not in seen]
unlike = [f"{key}: {seen[key]['verdict']}: {seen[key]['reason']}" for key in seen
          if (seen[key]["verdict"] == "passed") != expected[key]]
print(f"{len(seen)} of {len(expected)} grades, {sum(expected.values())} should pass; "
      f"{len(unlike)} unlike, {len(missing)} missing")
print("\n".join(unlike[:10]))
sys.exit(1 if missing or unlike else 0)

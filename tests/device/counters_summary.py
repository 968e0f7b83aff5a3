#!/usr/bin/env python3
"""Compares the GPU's counters in OUT/lab-solution-LAB.json with the emulator's, for every worked solution at its
first size. Writes OUT/counters.json, one row per exercise, and names each counter that differs.
"""
import json
import pathlib
import sys


def main():
    out = pathlib.Path(sys.argv[1])
    rows, equal, all_compared = [], {}, {}
    for file in sorted(out.glob("lab-solution-*.json")):
        report = json.loads(file.read_text())
        for run in report["runs"]:
            size = run["sizes"][0]
            exercise = f"{report['lab']}/{run['step']}"
            measured = size["measured"].get("counters", {})
            if not measured:
                problems = [p["message"] for p in size["measured"].get("counter_problems", [])]
                print(f"{exercise}: no counters: {problems}")
                continue
            simulated = size["student"]["counters"]
            differ = {}
            for name, counter in measured.items():
                if name not in simulated:
                    continue
                all_compared[name] = all_compared.get(name, 0) + 1
                if counter["value"] == simulated[name]:
                    equal[name] = equal.get(name, 0) + 1
                else:
                    differ[name] = [simulated[name], counter["value"]]
            if differ:
                print(f"{exercise}: simulated, measured: {differ}")
            rows.append({"exercise": exercise, "size": size["label"],
                         "measured": {name: counter["value"] for name, counter in measured.items()},
                         "differ": differ})
    for name, count in all_compared.items():
        print(f"{name}: {equal.get(name, 0)} of {count} exercises as simulated")
    (out / "counters.json").write_text("[\n " + ",\n ".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()

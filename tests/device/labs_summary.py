#!/usr/bin/env python3
"""OUT/lab-*.json of `check LAB --solution --device cuda --json` as one table: OUT/labs.json. Times that
OUT/predicted-*.json has for the same sizes stand beside the measured ones."""
import json
import pathlib
import statistics
import sys


def predictions(out):
    """(lab, step, size) → predicted microseconds of the solution, without an empty launch's."""
    found = {}
    for file in out.glob("predicted-*.json"):
        try:
            runs = json.loads(file.read_text())["runs"]
        except (json.JSONDecodeError, KeyError):
            continue
        for run in runs:
            for size in run["sizes"]:
                prediction = size["student"].get("prediction")
                if prediction:
                    found[run["lab"], run["step"], size["label"]] = (
                        prediction["time_us"] - prediction["launch_us"])
    return found


def print_errors(rows):
    """How far the predictions are from the warm times, by lab: median and 90th percentile, percent."""
    for lab in sorted({row["lab"] for row in rows}) + [None]:
        errors = sorted(abs(row["prediction_error_pct"]) for row in rows
                        if lab in (row["lab"], None) and "prediction_error_pct" in row)
        if errors:
            print(f"{lab or 'all'}: {len(errors)} predictions, off by {statistics.median(errors):.1f} % "
                  f"(median), {errors[int(0.9 * (len(errors) - 1))]:.1f} % (90th percentile)")


def main():
    out = pathlib.Path(sys.argv[1])
    rows, problems, on = [], [], {}
    predicted = predictions(out)
    for file in sorted(out.glob("lab-*.json")):
        try:
            checked = json.loads(file.read_text())
        except json.JSONDecodeError:
            problems.append(f"{file.name}: no JSON")
            continue
        for run in checked["runs"]:
            name = f"{run['lab']}/{run['step']}"
            problems += [f"{name}: {p['kind']}: {p['message']}" for p in run.get("measure_problems", [])]
            on = run.get("measured_on", on)
            for size in run["sizes"]:
                measured = size.get("measured")
                if measured is None:
                    continue
                timing = measured["timing"]
                rows.append({
                    "lab": run["lab"], "step": run["step"], "size": size["label"],
                    "correct": measured["correct"],
                    "registers": measured["student"]["registers"],
                    "simulated_registers": size["student"]["registers"],
                    "blocks": measured["student"]["blocks_per_sm"],
                    "simulated_blocks": size["student"]["occupancy"]["blocks_per_sm"],
                    "cold_us": round(timing["student"]["cold_us"], 3),
                    "spread_us": round(timing["student"]["cold_spread_us"], 3),
                    "warm_us": round(timing["student"]["warm_us"], 3),
                    "reference_us": round(timing["reference"]["cold_us"], 3),
                    "empty_us": round(timing["empty_launch_us"], 3),
                    "gb_s": round(measured.get("student_gb_s", 0), 3),
                    "clock_mhz": timing["clock_mhz"], "throttled": timing["throttled"],
                    "copy_ceiling_gb_s": round(timing["copy_ceiling_gb_s"], 1)})
    for row in rows:
        us = predicted.get((row["lab"], row["step"], row["size"]))
        if us is not None and row["warm_us"] > 0:
            us += row["empty_us"]
            row["predicted_us"] = round(us, 3)
            row["prediction_error_pct"] = round(100 * (us / row["warm_us"] - 1), 1)
    print_errors(rows)
    text = ",\n  ".join(json.dumps(row) for row in rows)
    (out / "labs.json").write_text(
        f'{{"measured_on": {json.dumps(on)},\n "problems": {json.dumps(problems)},\n "sizes": [\n  {text}\n]}}\n')
    wrong = [row for row in rows if not row["correct"]]
    unlike = [row for row in rows if (row["registers"], row["blocks"]) !=
              (row["simulated_registers"], row["simulated_blocks"])]
    print(f"{len(rows)} sizes of {len({(r['lab'], r['step']) for r in rows})} exercises; {len(wrong)} wrong; "
          f"{len(unlike)} with other registers or blocks; problems: {problems}")


if __name__ == "__main__":
    main()

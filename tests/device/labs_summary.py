#!/usr/bin/env python3
"""Merges OUT/lab-TEXT-*.json of `check LAB --TEXT --device cuda --json`, TEXT solution or start, into OUT/labs.json.
Its "sizes" are the solutions at the sizes of the checks; its "timed" are both texts at the sizes for times. Predicted
times for the same sizes in OUT/predicted-TEXT-*.json are listed beside the measured ones."""
import json
import pathlib
import statistics
import sys


def runs_of(out, pattern, problems):
    """(text, run) in all files that match the pattern."""
    for file in sorted(out.glob(pattern)):
        try:
            runs = json.loads(file.read_text())["runs"]
        except (json.JSONDecodeError, KeyError):
            problems.append(f"{file.name}: no JSON")
            continue
        for run in runs:
            yield file.name.split("-")[1], run


def sizes_of(run):
    """(is it the size for times, the size)"""
    for size in run["sizes"]:
        yield False, size
    if "timed" in run:
        yield True, run["timed"]


def predictions(out):
    """(text, lab, step, size) → predicted microseconds minus an empty launch, for the text and for the reference."""
    found = {}
    for text, run in runs_of(out, "predicted-*.json", []):
        for _, size in sizes_of(run):
            both = [size[kernel].get("prediction") for kernel in ("student", "reference")]
            if both[0]:
                found[text, run["lab"], run["step"], size["label"]] = [
                    p["time_us"] - p["launch_us"] if p else None for p in both]
    return found


def row_of(text, run, size, timed):
    measured = size["measured"]
    timing = measured["timing"]
    row = {
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
        "copy_ceiling_gb_s": round(timing["copy_ceiling_gb_s"], 1)}
    if timed:
        reference = timing["reference"]
        row = {"text": text, "text_id": run["text"], **row, "variables": size["variables"],
               "reference_spread_us": round(reference["cold_spread_us"], 3),
               "reference_warm_us": round(reference["warm_us"], 3)}
    return row


def put_predictions(row, predicted):
    for us, prefix, warm in zip(predicted, ("", "reference_"), ("warm_us", "reference_warm_us")):
        if us is None or row.get(warm, 0) <= 0:
            continue
        us += row["empty_us"]
        row[f"{prefix}predicted_us"] = round(us, 3)
        row[f"{prefix}prediction_error_pct"] = round(100 * (us / row[warm] - 1), 1)


def print_errors(rows, what, key="prediction_error_pct"):
    """Errors of the predictions relative to warm times, per lab: median and 90th percentile, in percent."""
    for lab in sorted({row["lab"] for row in rows}) + [None]:
        errors = sorted(abs(row[key]) for row in rows if lab in (row["lab"], None) and key in row)
        if errors:
            print(f"{what}, {lab or 'all'}: {len(errors)} predictions, off by {statistics.median(errors):.1f} % "
                  f"(median), {errors[int(0.9 * (len(errors) - 1))]:.1f} % (90th percentile)")


def main():
    out = pathlib.Path(sys.argv[1])
    rows, timed_rows, problems, on = [], [], [], {}
    predicted = predictions(out)
    for text, run in runs_of(out, "lab-*.json", problems):
        name = f"{run['lab']}/{run['step']}"
        problems += [f"{name}: {p['kind']}: {p['message']}" for p in run.get("measure_problems", [])
                     if text == "solution"]
        on = run.get("measured_on", on)
        for timed, size in sizes_of(run):
            if size.get("measured") is None or not (timed or text == "solution"):
                continue
            row = row_of(text, run, size, timed)
            put_predictions(row, predicted.get((text, run["lab"], run["step"], size["label"]), [None, None]))
            (timed_rows if timed else rows).append(row)
    print_errors(rows, "checks' sizes")
    print_errors([row for row in timed_rows if row["text"] == "solution"], "sizes for times, solutions")
    print_errors([row for row in timed_rows if row["text"] == "start"], "sizes for times, starts")
    print_errors([row for row in timed_rows if row["text"] == "solution"], "sizes for times, references",
                 "reference_prediction_error_pct")
    lines = [",\n  ".join(json.dumps(row) for row in table) for table in (rows, timed_rows)]
    (out / "labs.json").write_text(
        f'{{"measured_on": {json.dumps(on)},\n "problems": {json.dumps(problems)},\n "sizes": [\n  {lines[0]}\n],\n'
        f' "timed": [\n  {lines[1]}\n]}}\n')
    wrong = [row for row in rows + timed_rows if not row["correct"]]
    unlike = [row for row in rows if (row["registers"], row["blocks"]) !=
              (row["simulated_registers"], row["simulated_blocks"])]
    print(f"{len(rows)} sizes of {len({(r['lab'], r['step']) for r in rows})} exercises and {len(timed_rows)} for times; "
          f"{len(wrong)} wrong; {len(unlike)} with other registers or blocks; problems: {problems}")


if __name__ == "__main__":
    main()

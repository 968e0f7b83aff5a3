#!/usr/bin/env python3
"""OUT/ncu-CASE.csv beside OUT/times.json: the worker's times by Nsight Compute's gpu__time_duration.

The worker launches a kernel for its buffers, then 3 + 21 times cold, then 21 times twice, of which the
second is warm: the last 42 launches are the warm ones, the 21 before them the cold ones.
"""
import csv
import json
import pathlib
import statistics
import sys


def durations(file):
    rows = list(csv.reader(line for line in file.read_text().splitlines() if not line.startswith("==")))
    column = rows[0].index("gpu__time_duration.sum")
    scale = {"ns": 1e-3, "us": 1, "usecond": 1, "nsecond": 1e-3, "ms": 1e3}[rows[1][column]]
    return [float(row[column].replace(",", "")) * scale for row in rows[2:]]


def main():
    out = pathlib.Path(sys.argv[1])
    times = {case["name"]: case["measured"] for case in json.loads((out / "times.json").read_text())}
    table = []
    for file in sorted(out.glob("ncu-*.csv")):
        name = file.stem[4:]
        us = durations(file)
        if len(us) < 65:
            print(f"{name}: only {len(us)} launches")
            continue
        cold, warm = statistics.median(us[-63:-42]), statistics.median(us[-42:][1::2])
        ours = times[name]
        table.append({"case": name, "ncu_cold_us": round(cold, 2), "cold_us": round(ours["cold_us"], 2),
                      "cold_pct": round(100 * (ours["cold_us"] / cold - 1), 2),
                      "ncu_warm_us": round(warm, 2), "warm_us": round(ours["warm_us"], 2),
                      "warm_pct": round(100 * (ours["warm_us"] / warm - 1), 2)})
        print(json.dumps(table[-1]))
    (out / "ncu.json").write_text("[\n " + ",\n ".join(json.dumps(row) for row in table) + "\n]\n")


if __name__ == "__main__":
    main()

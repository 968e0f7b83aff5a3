#!/usr/bin/env python3
"""recorded_times.py DATA PROFILE=LABS.json...: writes DATA/labs/*/times.toml, the times of real GPUs for each exercise's
start, solution and reference at its size for times, from the labs.json that labs_summary.py wrote there. PROFILE: the
id of the GPU's profile in assets/gpus."""
import json
import pathlib
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "texts"))
import stated  # noqa: E402: of tests/texts

HEAD = """# What real GPUs took for this lab's kernels at the sizes for times: medians of 21 launches, in microseconds. `text` names
# the text that was measured: after a change of it, or of the size, a row says nothing, until it is measured anew.
# Rows without cold_us are those that the texts state: launches one by one, so with all of a launch's time.
# Written by tests/device/recorded_times.py.
"""
STATED_EMPTY_US = 4.5  # an empty launch in that series: launch_us of assets/gpus/h200.toml


def text_id(text):
    """The same as app/core/text_id.cc."""
    value = 0xcbf29ce484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    return f"{value:016x}-{len(text):x}"


def reference_ids(data, lab):
    """step → text id of its reference"""
    with open(data / "labs" / lab / "lab.toml", "rb") as file:
        steps = tomllib.load(file)["step"]
    return {step["id"]: text_id((data / "kernels" / lab / step["exercise"]["reference"]).read_bytes())
            for step in steps if "exercise" in step}


def line(step, kernel, text, variables, times):
    size = ", ".join(f"{name} = {value}" for name, value in sorted(variables.items()))
    numbers = ", ".join(f"{name} = {float(value):g}" if value >= 1 else f"{name} = {float(value)}"
                        for name, value in times.items())
    return (f'  {{ step = "{step}", kernel = "{kernel}", text = "{text}", size = {{ {size} }}, {numbers} }},\n')


def gpu_part(data, lab, profile, report):
    rows = [row for row in report["timed"] if row["lab"] == lab and row["correct"] and not row["throttled"]]
    references = reference_ids(data, lab)
    said = stated.stated(data / "labs" / lab) if profile == "h200" else {}
    lines = []
    for row in sorted(rows, key=lambda r: (list(references).index(r["step"]), r["text"] != "start")):
        if any(step == row["step"] for step, _ in said):
            if us := said.get((row["step"], row["text"])):
                lines.append(line(row["step"], row["text"], row["text_id"], row["variables"],
                                  {"warm_us": us, "empty_us": STATED_EMPTY_US}))
            if us := said.get((row["step"], "reference")) if row["text"] == "solution" else None:
                lines.append(line(row["step"], "reference", references[row["step"]], row["variables"],
                                  {"warm_us": us, "empty_us": STATED_EMPTY_US}))
            continue
        lines.append(line(row["step"], row["text"], row["text_id"], row["variables"], {
            "warm_us": row["warm_us"], "cold_us": row["cold_us"], "spread_us": row["spread_us"],
            "empty_us": row["empty_us"]}))
        if row["text"] == "solution":
            lines.append(line(row["step"], "reference", references[row["step"]], row["variables"], {
                "warm_us": row["reference_warm_us"], "cold_us": row["reference_us"],
                "spread_us": row["reference_spread_us"], "empty_us": row["empty_us"]}))
    on = report["measured_on"]
    return (f'\n[[gpu]]\nprofile = "{profile}"\nname = "{on["gpu"]}"\ndriver = "{on["driver_version"]}"\n'
            f'times = [\n{"".join(lines)}]\n') if lines else ""


def main():
    data = pathlib.Path(sys.argv[1])
    reports = [(profile, json.loads(pathlib.Path(file).read_text()))
               for profile, file in (argument.split("=", 1) for argument in sys.argv[2:])]
    for lab in sorted({row["lab"] for _, report in reports for row in report["timed"]}):
        parts = "".join(gpu_part(data, lab, profile, report) for profile, report in reports)
        (data / "labs" / lab / "times.toml").write_text(HEAD + parts)


if __name__ == "__main__":
    main()

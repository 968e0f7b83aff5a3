"""times.toml must agree with the times that the texts state: where labs/*/h200.csv has a time of an exercise's start, solution
or reference at its size for times, the window shows the same time, and no times of another series for that exercise."""
import csv
import re
import tomllib


def numbers(text):
    return {int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)}


def stated(folder):
    """{(step, kernel): µs} of a lab's folder."""
    if not (folder / "h200.csv").exists():
        return {}
    with (folder / "lab.toml").open("rb") as file:
        timed = {step["id"]: set(v for k, v in step["exercise"].get("timed", {}).items() if k != "label")
                 for step in tomllib.load(file)["step"] if "exercise" in step}
    with (folder / "h200.csv").open(newline="", encoding="utf-8") as lines:
        return {(row["exercise"], row["kernel"]): float(row["us"]) for row in csv.DictReader(lines)
                if row["kernel"] in ("start", "solution", "reference") and timed.get(row["exercise"])
                and numbers(row["size"]) == timed[row["exercise"]]}


def check(root):
    """Compares times.toml with h200.csv."""
    findings = []
    for file in sorted(root.glob("labs/*/times.toml")):
        known = stated(file.parent)
        steps = {step for step, _ in known}
        with file.open("rb") as text:
            rows = [row for gpu in tomllib.load(text)["gpu"] if gpu["profile"] == "h200" for row in gpu["times"]]
        name = file.relative_to(root).as_posix()
        for row in rows:
            key = (row["step"], row["kernel"])
            if key in known and known[key] != row["warm_us"]:
                findings.append(f"{name}: {', '.join(key)}: {row['warm_us']} µs here, another time in h200.csv")
            elif row["step"] in steps and "cold_us" in row:
                findings.append(f"{name}: {', '.join(key)}: of another series than the exercise's times in h200.csv")
    return findings

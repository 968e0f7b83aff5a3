"""Every time on a slide must say of which GPU, and for how much: the class cannot look it up."""
import re
import tomllib

from markdown import labs

_TIME = re.compile(r"\d (µs|ms)\b")
_GPU = re.compile(r"\b([AH][12]00|8800 GT|GTX \d+|K40c?|RTX \d+)\b")
_SIZE = re.compile(r"\d[\d,.]*( million)? (elements|samples|pixels|numbers|rows|threads|bodies|nodes|vertices|tickets|particles|"
                   r"visits|vectors|cells|steps|floats|MiB)\b|\d[\d,]* × \d|\brows of \d")


def check(root):
    findings = []
    for folder, _, _ in labs(root):
        if not (folder / "demo.toml").exists():
            continue
        with (folder / "demo.toml").open("rb") as file:
            scenes = tomllib.load(file)["scene"]
        for number, scene in enumerate(scenes, 1):
            words = " ".join(scene.get(key, "") for key in ("say", "ask", "answer"))
            if not _TIME.search(words):
                continue
            missing = [what for what, known in (("GPU", _GPU), ("size", _SIZE)) if not known.search(words)]
            if missing:
                name = (folder / "demo.toml").relative_to(root).as_posix()
                findings.append(f"{name}: scene {number}: a time without its {' and '.join(missing)}")
    return findings

"""Every time on a slide must say of which GPU, and for how much: the class cannot look it up. Words and panel of a
scene must speak of the same: if the words name a GPU, then also the one that the scene's panel shows, and a time
beside a panel of predictions is of the size that is predicted. One lecture shows one of
GPUs that are alike, unless the words say that it is another; and docs/lecture.md lists every script with its scenes and minutes."""
import re
import tomllib

from markdown import labs

_TIME = re.compile(r"\d (µs|ms)\b")
_GPU = re.compile(r"\b([AH][12]00|8800 GT|GTX \d+|K40c?|RTX \d+)\b")
_SIZE = re.compile(r"\d[\d,.]*( million)? (elements|samples|pixels|numbers|rows|threads|bodies|nodes|vertices|tickets|particles|"
                   r"visits|vectors|cells|steps|floats|MiB)\b|\d[\d,]* × \d|\brows of \d")


# Panels whose heading gives the size at which times are predicted.
_PREDICTED = ("memory", "pipeline", "roofline", "schedulers", "times")
# They differ little, so that a change from one to the other only makes a class wonder.
_ALIKE = {"h100", "h200"}
_DEFAULT_GPU = "h200"  # app/ui/state/settings.h


def gpus_in(words):
    """The profiles of the GPUs that a text names."""
    return {"k40c" if name.startswith("K40") else name.lower().replace(" ", "-") for name in _GPU.findall(words)}


def sizes_in(words):
    """Its sizes: ("8192", "8192") of "8,192 × 8,192 pixels"."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", words)
    return set(re.findall(r"\d+(?: × \d+)*", plain))


def disagreements(scene, exercise):
    """What the scene's words say and its panel does not show."""
    words = " ".join(scene.get(key, "") for key in ("say", "ask", "answer"))
    shown = scene.get("gpu", exercise.get("model_gpu", _DEFAULT_GPU))
    if gpus_in(words) and shown not in gpus_in(words):
        yield f"it speaks of another GPU than its panel, which shows {shown}"
    label = exercise.get("timed", {}).get("label", "")
    size = re.match(r"[^a-z]*", label.replace(",", ""))[0].strip()
    if scene.get("show") in _PREDICTED and _TIME.search(words) and size and size not in sizes_in(words):
        yield f"it gives a time of another size than its panel, which is at {label}"


def listed(root, scripts):
    """How the table of docs/lecture.md differs from the scripts: {lab's title up to a colon: (scenes, minutes)}."""
    page = root / "docs/lecture.md"
    rows = re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \|", page.read_text(encoding="utf-8"), re.M) if page.exists() else []
    said = {title: (int(scenes), int(minutes)) for title, scenes, minutes in rows}
    for title, (scenes, minutes) in scripts.items():
        if said.get(title) != (scenes, minutes):
            yield f"docs/lecture.md: the script of {title} has {scenes} scenes and {minutes} minutes"
    for title in sorted(said.keys() - scripts.keys()):
        yield f"docs/lecture.md: no lab with a script is called {title}"


def switches(scenes, exercises):
    """Scenes that change from one GPU to one like it, of which their words do not speak."""
    before = None
    for number, scene in enumerate(scenes, 1):
        shown = scene.get("gpu", exercises.get(scene["step"], {}).get("model_gpu", _DEFAULT_GPU))
        words = " ".join(scene.get(key, "") for key in ("title", "say", "ask", "answer"))
        if shown in _ALIKE:
            if before not in (None, shown) and shown not in gpus_in(words):
                yield f"scene {number}: it changes from {before} to {shown}, of which its words do not speak"
            before = shown


def check(root):
    findings, scripts = [], {}
    for folder, _, _ in labs(root):
        if not (folder / "demo.toml").exists():
            continue
        with (folder / "demo.toml").open("rb") as file:
            scenes = tomllib.load(file)["scene"]
        name = (folder / "demo.toml").relative_to(root).as_posix()
        with (folder / "lab.toml").open("rb") as file:
            lab = tomllib.load(file)
        exercises = {step["id"]: step.get("exercise", {}) for step in lab["step"]}
        scripts[lab["title"].split(":")[0]] = (len(scenes), round(sum(scene.get("minutes", 0) for scene in scenes)))
        findings += [f"{name}: {what}" for what in switches(scenes, exercises)]
        for number, scene in enumerate(scenes, 1):
            findings += [f"{name}: scene {number}: {what}"
                         for what in disagreements(scene, exercises.get(scene["step"], {}))]
            words = " ".join(scene.get(key, "") for key in ("say", "ask", "answer"))
            if not _TIME.search(words):
                continue
            missing = [what for what, known in (("GPU", _GPU), ("size", _SIZE)) if not known.search(words)]
            if missing:
                findings.append(f"{name}: scene {number}: a time without its {' and '.join(missing)}")
    return findings + list(listed(root, scripts))

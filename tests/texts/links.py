"""Links, anchors, pictures and paths named in a text must exist."""
import re

from markdown import blank, labs, text_files, without_code_blocks


def slug(heading):
    """GitHub's anchor for a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(file):
    text = without_code_blocks(file.read_text(encoding="utf-8"))
    return {slug(h) for h in re.findall(r"^#+ (.*)$", text, re.M)}


def dead_link(file, target):
    """What is wrong with a link's target, or None."""
    if re.match(r"https?://[\w.-]+(/|$)|mailto:", target):
        return None
    path, _, anchor = target.partition("#")
    place = (file.parent / path).resolve() if path else file
    if path.endswith(".png") and re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", file.parent.name):
        place = file.parent.parent / path  # a translation names the pictures of its lab
    if not place.exists():
        return f"there is no {path}"
    if anchor and place.suffix == ".md" and anchor not in anchors(place):
        return f"{place.name} has no heading #{anchor}"
    return None


# Folders of the repository. A path in a text that starts with one of them must exist, unless it has
# a placeholder in capitals, as in labs/ID/lab.toml.
_PATH = re.compile(r"^(?:app|assets|cmake|docs|kernels|labs|solutions|tests)/[\w./*{},-]*$")


def dead_path(root, path):
    if not _PATH.match(path) or re.search(r"(^|/|_)[A-Z]{2,}(/|$|_|\.)", path):
        return None
    path = path.rstrip("/.,")
    alternatives = re.match(r"(.*)\{(.*)\}(.*)", path)
    names = [path]
    if alternatives:
        names = [alternatives[1] + a + alternatives[3] for a in alternatives[2].split(",")]
    for name in names:
        if not ((root / name).exists() or any(root.glob(name)) or any(root.glob(name + ".*"))):
            return f"there is no {name}"
    return None


def check(root):
    findings = []
    titles = {title for _, title, _ in labs(root)}
    steps_of = {folder: len(steps) for folder, _, steps in labs(root)}
    for file in text_files(root):
        name = file.relative_to(root).as_posix()
        text = without_code_blocks(file.read_text(encoding="utf-8"))
        linked = re.sub(r"`[^`]*`", blank, text)
        for number, line in enumerate(linked.split("\n"), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                problem = dead_link(file, target)
                if problem:
                    findings.append(f"{name}:{number}: dead link {target}: {problem}")
        for number, line in enumerate(text.split("\n"), 1):
            for path in re.findall(r"`([^`\s]+)`", line):
                problem = dead_path(root, path)
                if problem:
                    findings.append(f"{name}:{number}: `{path}`: {problem}")
            if name.startswith("labs/"):
                for title in re.findall(r'\blabs? "([^"]+)"', line):
                    if title not in titles:
                        findings.append(f'{name}:{number}: no lab is called "{title}"')
                for step in re.findall(r"\b[Ss]tep (\d+)|\b[Ss]teps \d+ (?:to|and) (\d+)", line):
                    step = step[0] or step[1]
                    if int(step) > steps_of.get(file.parent, 99) and "`" not in line:
                        findings.append(f"{name}:{number}: the lab has no step {step}")
    return findings

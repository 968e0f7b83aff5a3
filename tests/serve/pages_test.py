#!/usr/bin/env python3
"""Checks the files of assets/web without a browser.

    pages_test.py [--write LANGUAGE]

Every text has a translation with the same placeholders, and no translation is without its text; colours are
those of the window's themes and keep their contrast; pages need nothing from elsewhere, and nothing inline that
their content policy refuses; no text becomes HTML. --write adds missing keys to text/LANGUAGE.json, with
empty translations.
"""
import html.parser
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "assets" / "web"
STRING = r'"(?:[^"\\]|\\.)*"'
LITERAL = rf"{STRING}(?:\s*\+\s*{STRING})*"
NORMAL_CONTRAST = 4.5  # WCAG 2.2, 1.4.3


def joined(literal):
    return "".join(json.loads(part) for part in re.findall(STRING, literal))


def without_comments(source):
    return re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)


def texts_of_script(source):
    source = without_comments(source)
    for match in re.finditer(rf"\btr\(\s*({LITERAL})", source):
        yield joined(match[1])
    # A choice between two texts: tr(n ? "…" : "…"). counted(n, "one", "other").
    for match in re.finditer(rf"\btr\([^\"()]*\?\s*({LITERAL})\s*:\s*({LITERAL})\s*[,)]", source):
        yield from (joined(match[1]), joined(match[2]))
    for match in re.finditer(rf"\bcounted\([^\"]*?,\s*({LITERAL}),\s*({LITERAL})", source):
        yield from (joined(match[1]), joined(match[2]))


class Page(html.parser.HTMLParser):
    """The texts of an HTML file, and what is wrong with it."""

    def __init__(self, source):
        super().__init__()
        self.texts, self.problems, self.ids, self.labels = [], [], [], []
        self.collecting = None
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "data-label" in given:
            self.texts.append(given["data-label"])
        if "data-text" in given:
            self.collecting = ""
        if tag == "script" and "src" not in given or tag == "style" or "style" in given:
            self.problems.append(f"<{tag}> has inline code or style")
        for name, value in attributes:
            if name.startswith("on"):
                self.problems.append(f"<{tag} {name}> is inline code")
            if name in ("src", "href", "action") and value and (re.match(r"\w+:|//|/", value)):
                self.problems.append(f"<{tag} {name}={value}> is not relative")
        if "id" in given:
            if given["id"] in self.ids:
                self.problems.append(f"the id {given['id']} is there twice")
            self.ids.append(given["id"])
        for name in ("for", "aria-labelledby", "aria-describedby"):
            self.labels += (given.get(name) or "").split()
        if tag == "img" and "alt" not in given:
            self.problems.append("an <img> has no alt")

    def handle_data(self, data):
        if self.collecting is not None:
            self.collecting += data

    def handle_endtag(self, tag):
        if self.collecting is not None:
            self.texts.append(" ".join(self.collecting.split()))
            self.collecting = None


def placeholders(text):
    return sorted(set(re.findall(r"\{\w+\}", text)))


def check_texts(texts, write):
    problems = []
    for path in sorted((WEB / "text").glob("*.json")):
        translated = json.loads(path.read_text(encoding="utf-8"))
        if write == path.stem:
            merged = {key: translated.get(key, "") for key in sorted(texts)}
            path.write_text(json.dumps(merged, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
            continue
        for key in sorted(set(texts) - set(translated)):
            problems.append(f"{path.name} lacks “{key}” ({', '.join(sorted(texts[key]))})")
        for key, value in translated.items():
            if key not in texts:
                problems.append(f"{path.name}: no page says “{key}”")
            elif not value.strip():
                problems.append(f"{path.name}: “{key}” is not translated")
            elif placeholders(key) != placeholders(value) and not (key.startswith("{n} ") and value):
                problems.append(f"{path.name}: other placeholders in “{key}”")
        if list(translated) != sorted(translated):
            problems.append(f"{path.name} is not sorted by its keys")
    return problems


def luminance(colour):
    def channel(part):
        value = int(part, 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
    red, green, blue = (channel(colour[at:at + 2]) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    lighter, darker = sorted((luminance(one) + 0.05, luminance(other) + 0.05), reverse=True)
    return lighter / darker


def check_colours():
    problems = []
    theme = (ROOT / "app/ui/window/theme.cc").read_text(encoding="utf-8")
    css = (WEB / "page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root([^{]*)\{([^}]*)\}", css)
    if len(blocks) != 3:
        return ["page.css: expected the colours of the light theme, and twice those of the dark one"]
    for (selector, block), name in zip(blocks, ("light", "dark", "dark")):
        ours = dict(re.findall(r"--([\w-]+):\s*(#[0-9A-F]{6})", block))
        source = re.search(rf"{name}_theme\(\) \{{(.*?)\}};", theme, re.DOTALL)[1]
        windows = {key.replace("_", "-"): "#" + value
                   for key, value in re.findall(r"\.(\w+) = rgb\(0x([0-9A-F]{6})\)", source)}
        for key in sorted(set(ours) - {"bar"}):
            if windows.get(key) != ours[key]:
                problems.append(f"page.css, {selector.strip() or name}: --{key} is {ours[key]}, the window's is {windows.get(key)}")
        for text, grounds in (("text", ("window", "panel", "raised")), ("body", ("window", "panel")),
                              ("muted", ("window", "panel")), ("accent", ("window", "panel")),
                              ("poor", ("window", "panel")),
                              ("on-accent", ("accent",)), ("on-accent", ("good",)), ("window", ("poor",))):
            for ground in grounds:
                if contrast(ours[text], ours[ground]) < NORMAL_CONTRAST:
                    problems.append(f"page.css, {name}: {text} on {ground} has a contrast of {contrast(ours[text], ours[ground]):.2f}")
    return problems


def check_scripts():
    problems = []
    for path in sorted(WEB.glob("*.js")):
        source = without_comments(path.read_text(encoding="utf-8"))
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
                     "createContextualFragment", "setHTML", "DOMParser"):
            if word in source:
                problems.append(f"{path.name} uses {word}: texts of others must not become HTML or code")
        for address in re.findall(r"[\"'`](?:https?:)?//(?!www\.w3\.org/2000/svg)[^\"'`]*", source):
            problems.append(f"{path.name} needs something from elsewhere: {address}")
        if source.count("\n") > 600:
            problems.append(f"{path.name} is longer than 600 lines")
    for path in sorted(WEB.glob("*.css")):
        if re.search(r"url\(|@import", path.read_text(encoding="utf-8")):
            problems.append(f"{path.name} needs another file")
    return problems


def main():
    write = sys.argv[2] if sys.argv[1:2] == ["--write"] else None
    texts, problems = {}, []
    for path in sorted(WEB.glob("*.js")):
        for text in texts_of_script(path.read_text(encoding="utf-8")):
            texts.setdefault(text, set()).add(path.name)
    for path in sorted(WEB.glob("*.html")):
        page = Page(path.read_text(encoding="utf-8"))
        for text in page.texts:
            texts.setdefault(text, set()).add(path.name)
        problems += [f"{path.name}: {problem}" for problem in page.problems]
        problems += [f"{path.name}: no element has the id {name}" for name in page.labels if name not in page.ids]
    problems += check_texts(texts, write) + check_colours() + check_scripts()
    print("\n".join(problems) if problems else f"{len(texts)} texts, all well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Parses a report as a program would and lists what is wrong with it; prints nothing if all is well.

The page must be well-formed XML, need no network, and tell a screen reader everything that it shows.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def problems_of(text):
    problems = []
    root = ElementTree.fromstring(text)
    nodes = list(root.iter())

    ids = [node.get("id") for node in nodes if node.get("id")]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        problems.append(f"the id {name} is there twice")
    if root.get("lang") is None:
        problems.append("the page names no language")

    for node in nodes:
        tag = node.tag.split("}")[1]
        for attribute in ("src", "data", "poster", "srcset", "background", "action"):
            value = node.get(attribute)
            if value and not value.startswith("data:"):
                problems.append(f"<{tag} {attribute}={value!r}> needs another file")
        if tag in ("link", "script", "iframe", "object", "embed", "base"):
            problems.append(f"<{tag}> has no place in the page")
        href = node.get("href", "")
        if href.startswith("#") and href[1:] not in ids:
            problems.append(f"the link {href} leads nowhere")
        if href and not href.startswith(("#", "https://", "http://")):
            problems.append(f"the link {href} leads to a file")
        for name in node.get("aria-labelledby", "").split():
            if name not in ids:
                problems.append(f"aria-labelledby names {name}, which is not there")
        if tag == "img" and not node.get("alt"):
            problems.append("an <img> has no words")
        if node.tag == SVG + "svg" and node.get("aria-hidden") != "true":
            title, words = node.find(SVG + "title"), node.find(SVG + "desc")
            if node.get("role") != "img" or title is None or not title.text:
                problems.append("a picture has no title")
            if words is None or len(words.text or "") < 40:
                problems.append("a picture has no description")
        if tag == "figure":
            if node.find(f"{XHTML}details//{XHTML}table") is None:
                problems.append("a figure has no table with the same facts")
            if node.find(XHTML + "figcaption") is None:
                problems.append("a figure has no caption")
        if tag == "table" and node.find(f"{XHTML}tr") is None:
            rows = node.findall(f"{XHTML}tbody/{XHTML}tr")
            scoped = node.findall(f"{XHTML}thead/{XHTML}tr/{XHTML}th")
            if not scoped:
                problems.append("a table has no headings")
            widths = {len(list(row)) for row in rows}
            if widths - {len(scoped)}:
                problems.append(f"a table of {len(scoped)} columns has rows of {widths}")

    style = "".join(node.text or "" for node in nodes if node.tag == XHTML + "style")
    for place in re.findall(r"url\(([^)]*)\)|(@import)", style):
        name = place[0]
        if not name.startswith("#") or name[1:] not in ids:
            problems.append(f"the style needs {name or '@import'}")

    last = 0
    for node in nodes:
        found = re.fullmatch(r"h([1-6])", node.tag.split("}")[1])
        if not found:
            continue
        level = int(found.group(1))
        if level > last + 1:
            problems.append(f"heading {''.join(node.itertext())!r} skips from h{last} to h{level}")
        last = level
    return problems


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as page:
        found = problems_of(page.read())
    print("\n".join(found))
    sys.exit(1 if found else 0)

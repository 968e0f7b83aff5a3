"""The files that comments and ARCHITECTURE.md name exist, and so do the headings or terms that they quote from a document.

usage: references.py SOURCE_ROOT"""
import pathlib, re, sys

FOLDERS = "app assets cmake docs kernels labs python solutions tests".split()
# A path with a folder: of a source or a text anywhere in the repository, or of any file from its root.
PATH = re.compile(rf"(?<![\w/.$<>*~-])((?:{'|'.join(FOLDERS)})/[\w./-]*\w\.\w+|(?:[\w-]+/)+[\w.-]+\.(?:h|cc|def|md))\b")
QUOTED = re.compile(r'((?:[\w-]+/)*[\w-]+\.md), "([^"]+)"')
PLACEHOLDER = re.compile(r"(^|[/_.-])[A-Z]{2,}([/_.-]|$)")  # labs/ID/lab.toml
OTHERS = ("linux/", "cooperative_groups/", "media/docs/")  # of the system, CUDA and CUTLASS


def comments_of(text, sign):
    """Each comment with the number of its first line; lines that follow each other are one."""
    out, last = [], None
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(rf"(?:^|\s){sign}+ ?(.*)", line)
        if not found:
            continue
        if last == number - 1 and re.match(rf"\s*{sign}", line):
            out[-1][1] += " " + found[1].strip()
        else:
            out.append([number, found[1].strip()])
        last = number
    return out


def endings_of(files):
    """The files, as a comment may name them: without the first of their folders."""
    return {"/".join(parts[n:]) for parts in (f.split("/") for f in files) for n in range(len(parts))}


def problems_of(name, text, sign, known, read):
    """`sign` starts a comment; None: all of the text is one."""
    for number, comment in comments_of(text, sign) if sign else enumerate(text.splitlines(), 1):
        comment = re.sub(r"https?://\S+", "", comment)
        for path in PATH.findall(comment):
            if path not in known and not PLACEHOLDER.search(path) and not path.startswith(OTHERS):
                yield f"{name}:{number}: there is no {path}"
        for document, quoted in QUOTED.findall(comment):
            if document in known and re.sub(r"\s+", " ", quoted).rstrip(".") not in re.sub(r"\s+", " ", read(document)):
                yield f"{name}:{number}: {document} does not have “{quoted}”"


# It finds what is wrong where something is wrong.
planted = list(problems_of("planted", '// See app/a.h, app/gone.h and labs/ID/lab.toml: docs/b.md, "Old\n// name".\n', "//",
                           endings_of(["app/a.h", "docs/b.md"]), lambda document: "# New name"))
assert len(planted) == 2 and "app/gone.h" in planted[0] and "Old name" in planted[1], planted

root = pathlib.Path(sys.argv[1])
files = [f.relative_to(root).as_posix() for folder in FOLDERS for f in (root / folder).rglob("*")]
files += [f.name for f in root.glob("*.md")]


def read(document):
    return next(root / f for f in files if f == document or f.endswith("/" + document)).read_text()


known, found = endings_of(files), []
sources = [f for f in files if re.match(r"(app|tests|cmake)/.*\.(h|cc|def|cmake)$|assets/web/.*\.js$|.*CMakeLists\.txt$", f)]
assert len(sources) > 1500, "the sources are elsewhere"
for f in sources:
    found += problems_of(f, (root / f).read_text(), "#" if f.endswith((".cmake", ".txt")) else "//", known, read)
found += problems_of("ARCHITECTURE.md", (root / "ARCHITECTURE.md").read_text(), None, known, read)
print("\n".join(found))
sys.exit(bool(found))

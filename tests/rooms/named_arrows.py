"""Each room's CMakeLists.txt names the rooms that it includes, and no other: USES those of its public
headers, and USES or USES_INSIDE those of its other files.

usage: named_arrows.py APP"""
import pathlib
import re
import sys

app = pathlib.Path(sys.argv[1])
call = {c.parent.name: re.search(r"warpshop_room\(([^)]*)\)", c.read_text()) for c in app.glob("*/CMakeLists.txt")}
rooms = {name: found.group(1).split() for name, found in call.items() if found}


def named(words, key):
    inside, out = False, set()
    for word in words:
        if word.isupper():
            inside = word == key
        elif inside:
            out.add(word)
    return out


def included(folder):
    found = set()
    for file in folder.rglob("*"):
        if file.suffix in (".cc", ".h"):
            found |= set(re.findall(r'^#include "(\w+)/', file.read_text(), re.M))
    return found & set(rooms)


wrong = []
for room, words in rooms.items():
    uses, inside = named(words, "USES"), named(words, "USES_INSIDE")
    public = included(app / room / "include") - {room}
    every = included(app / room) - {room}
    wrong += [f"{room}: {r} is in a public header and not in USES" for r in sorted(public - uses)]
    wrong += [f"{room}: {r} is included and not named" for r in sorted(every - uses - inside)]
    wrong += [f"{room}: {r} is named and not included" for r in sorted((uses | inside) - every)]
assert len(rooms) > 10
sys.exit("\n".join(wrong) or 0)

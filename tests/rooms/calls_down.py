"""Layers of the emulator: no object file needs a symbol that a layer defines which it does not see.

usage: calls_down.py NM (--layer NAME --sees NAME… --objects FILE…)…"""
import subprocess
import sys


def layers_of(arguments):
    layers, key = [], None
    for word in arguments:
        if word.startswith("--"):
            key = word[2:]
            if key == "layer":
                layers.append({"sees": [], "objects": []})
        elif key == "layer":
            layers[-1]["name"] = word
        else:
            layers[-1][key].append(word)
    return layers


def symbols_of(nm, objects):
    """The symbols that the objects define for others, and those that they need."""
    defined, needed = set(), set()
    text = subprocess.run([nm, "--extern-only", "--format=posix", *objects], capture_output=True, text=True, check=True)
    for line in text.stdout.splitlines():
        words = line.split()
        if len(words) < 2:
            continue
        if words[1] == "U":
            needed.add(words[0])
        elif words[1] in "TDBR":  # weak ones are in every object that uses them
            defined.add(words[0])
    return defined, needed - defined


layers = layers_of(sys.argv[2:])
for layer in layers:
    layer["defined"], layer["needed"] = symbols_of(sys.argv[1], layer["objects"])
wrong = [f"{layer['name']} calls {symbol} of {other['name']}"
         for layer in layers for other in layers
         if other is not layer and other["name"] not in layer["sees"]
         for symbol in sorted(layer["needed"] & other["defined"])]
assert all(layer["defined"] for layer in layers), "no symbols found"
sys.exit("\n".join(wrong) or 0)

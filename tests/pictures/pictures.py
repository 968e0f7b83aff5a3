#!/usr/bin/python3
"""Makes the pictures of README.md and docs/ from the real window.

    xvfb-run -s "-screen 0 1920x1080x24" /usr/bin/python3 tests/pictures/pictures.py BUILD [NAME…]

BUILD is a build with the window; NAMEs are those of PICTURES, "warp" and "scrub"; without one, all are made. Needs Pillow
(python3-pil of Debian and Ubuntu). docs/images/gpu.png is not among them: it needs the GPU that it shows
(docs/BUILDING.md, "Pictures of the window").
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 2_000_000  # of the animation

# Name: what `warpshop` is asked for, besides --render.
PICTURES = {
    "lab": "--lab coalescing/transpose-naive --theme dark",
    "schedulers": "--lab bank-conflicts/pad --theme dark --panel schedulers --panel banks",
    "roofline": "--lab tiling/corner --theme dark --gpu gtx-280 --panel roofline",
    "partitions": "--lab partition-camping/walk --theme dark --gpu gtx-280 --panel partitions",
    "dram": "--lab dram-bursts/whole --theme light --panel dram",
    "page": "--lab bank-conflicts/four-banks --theme light",
    "two-gpus": "--lab coalescing/offset --theme dark --mode analysis --panel compare",
    "lecture": "--lab coalescing --mode lecture --scene 4 --revealed --theme dark",
}


def smaller(picture):
    """256 colours: the window has few, and the files shrink to a third. Rare ones, like a lane's, keep their own."""
    return picture.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=8, dither=Image.Dither.NONE)


def make_still(build, name):
    with tempfile.TemporaryDirectory() as home:
        file = pathlib.Path(home) / "picture.png"
        command = [build / "warpshop", *PICTURES[name].split(), "--zoom", "1", "--render", file]
        subprocess.run(command, check=True, env={**os.environ, "WARPSHOP_HOME": home}, stdout=subprocess.DEVNULL)
        smaller(Image.open(file)).save(IMAGES / f"{name}.png", optimize=True)


def make_film(build):
    with tempfile.TemporaryDirectory() as home:
        file = pathlib.Path(home) / "picture.png"
        subprocess.run([build / "tests" / "window_pictures", "warp", file], check=True,
                       env={**os.environ, "WARPSHOP_HOME": home})
        smaller(Image.open(file)).save(IMAGES / "warp.png", optimize=True)


def make_animation(build):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "tests" / "window_pictures", "scrub", folder], check=True,
                       env={**os.environ, "WARPSHOP_HOME": folder})
        rows = [line.split() for line in (pathlib.Path(folder) / "frames.txt").read_text().splitlines()]
        frames = [Image.open(pathlib.Path(folder) / name).convert("RGB") for name, _ in rows]
        # One palette for all, so that what does not change is the same in every frame and need not be stored again.
        strip = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
        for i, frame in enumerate(frames):
            strip.paste(frame, (0, i * frame.height))
        palette = strip.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=8, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        file = IMAGES / "scrub.gif"
        frames[0].save(file, save_all=True, append_images=frames[1:], duration=[int(ms) for _, ms in rows], loop=0,
                       optimize=False, disposal=1)
        if file.stat().st_size > MOST_BYTES:
            sys.exit(f"{file} has {file.stat().st_size} bytes, at most {MOST_BYTES} are wanted")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or [*PICTURES, "warp", "scrub"]:
        if name == "scrub":
            make_animation(build)
        elif name == "warp":
            make_film(build)
        elif name in PICTURES:
            make_still(build, name)
        else:
            sys.exit(f"no picture is called {name}: there are {', '.join([*PICTURES, 'warp', 'scrub'])}")
        print(name)


if __name__ == "__main__":
    main()

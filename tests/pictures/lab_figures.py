"""The figures of labs' texts, drawn anew: labs/ID/NAME.png and NAME-dark.png.

    python3 tests/pictures/lab_figures.py [FOLDER OF ROBOTO AND INCONSOLATA]

Needs Pillow; the faces lie in build/share/warpshop/fonts. A figure is drawn in pixels of 200% zoom, 680 wide, so that it is as
wide as the text of a step at 100%; colours are those of app/ui/window/theme.cc, the ground is transparent.
"""
import csv
import math
import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

ROOT = pathlib.Path(__file__).resolve().parents[2]
FONTS = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/share/warpshop/fonts"
WIDTH = 680  # 340 at 100%
OVER = 4     # drawn larger and made smaller, for smooth edges

THEMES = {
    "": dict(raised="#E9EDF2", line="#CFD6DF", text="#161B22", muted="#566274", good="#0A6FD8", poor="#B4540A"),
    "-dark": dict(raised="#303845", line="#4A5466", text="#E6EAF0", muted="#93A0B2", good="#4DB6FF", poor="#F29A4A"),
}
# Viridis, by lane: bids.github.io/colormap, every eighth of it.
VIRIDIS = ["#440154", "#472D7B", "#3B528B", "#2C728E", "#21918C", "#28AE80", "#5EC962", "#ADDC30", "#FDE725"]


def lane_color(lane):
    at = lane / 31 * (len(VIRIDIS) - 1)
    low = min(int(at), len(VIRIDIS) - 2)
    mix = [tuple(int(VIRIDIS[low + n][i:i + 2], 16) for i in (1, 3, 5)) for n in (0, 1)]
    return tuple(round(a + (b - a) * (at - low)) for a, b in zip(*mix))


class Page:
    """Lengths are pixels of 100%."""

    def __init__(self, theme, height):
        self.theme = THEMES[theme]
        self.scale = 2 * OVER
        self.image = Image.new("RGBA", (WIDTH * OVER, height * self.scale), (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def color(self, name):
        return self.theme.get(name, name) if isinstance(name, str) else name

    def box(self, x0, y0, x1, y1, fill, radius=0):
        s = self.scale
        self.draw.rounded_rectangle([round(x0 * s), round(y0 * s), round(x1 * s) - 1, round(y1 * s) - 1],
                                    round(radius * s), fill=self.color(fill))

    def line(self, points, color, width=1.2):
        s = self.scale
        self.draw.line([(x * s, y * s) for x, y in points], fill=self.color(color), width=round(width * s), joint="curve")

    def text(self, x, y, words, color="muted", size=11, face="Roboto-Regular", anchor="la"):
        font = ImageFont.truetype(str(FONTS / f"{face}.ttf"), size * self.scale)
        self.draw.text((x * self.scale, y * self.scale), words, fill=self.color(color), font=font, anchor=anchor)

    def save(self, file):
        # Colours of transparent pixels must not darken the edges.
        small = self.image.convert("RGBa").resize((WIDTH, self.image.height // OVER), Image.BOX).convert("RGBA")
        small.save(file, optimize=True)
        print(f"{file.relative_to(ROOT)}  {small.width} × {small.height}, {file.stat().st_size} bytes")


def padded_tile(theme):
    """bank-conflicts/pad: where the words of a column lie, in tile[32][32] and in tile[32][33]."""
    page = Page(theme, 204)
    cell, side, column = 5, 160, 12
    for left, width, name, said, color in ((0, 32, "tile[32][32]", "32 wavefronts", "poor"),
                                           (180, 33, "tile[32][33]", "1 wavefront", "good")):
        page.text(left, 0, name, "text", 13, "Inconsolata-Medium")
        page.text(left + side, 1, said, color, 12, "Roboto-Medium", "ra")
        top = 20
        rows = 32 * width // 32
        for word in range(32 * width):
            row, col = divmod(word, width)
            x, y = left + word % 32 * cell, top + word // 32 * cell
            if col == column:
                continue
            if col < 32:
                page.box(x, y, x + cell - 0.5, y + cell - 0.5, "raised")
            else:  # never used
                page.line([(x + 0.5, y + cell - 1), (x + cell - 1, y + 0.5)], "muted", 0.6)
        for row in range(32):
            word = row * width + column
            x, y = left + word % 32 * cell, top + word // 32 * cell
            page.box(x, y, x + cell - 0.5, y + cell - 0.5, lane_color(row))
        bottom = top + 33 * cell + 4
        page.text(left, bottom, "bank 0")
        page.text(left + side, bottom, "31", anchor="ra")
    return page


def phases(theme):
    """tiling/tiled: the tiles of A and B that a block brings, phase by phase."""
    page = Page(theme, 266)
    tile, gap, count = 26, 3, 4
    step = tile + gap
    left, top = 64, 20
    size = count * step - gap
    b_left, a_top = left + size + 26, top + size + 18
    page.text(b_left + 1.5 * step - gap / 2, 0, "B", "text", 13, "Roboto-Medium", "ma")
    page.text(left - 12, a_top + 1.5 * step - gap / 2, "A", "text", 13, "Roboto-Medium", "rm")
    row, col = 1, 1  # of C's tile
    for y in range(count):
        for x in range(count):
            for x0, y0, own in ((left, a_top, y == row), (b_left, top, x == col), (b_left, a_top, (x, y) == (col, row))):
                phase = x if x0 == left else y
                of_c = x0 == b_left and y0 == a_top
                fill = "raised"
                if own:
                    fill = "good" if of_c else lane_color(4 + 8 * phase)
                page.box(x0 + x * step, y0 + y * step, x0 + x * step + tile, y0 + y * step + tile, fill, 2)
                if own and not of_c:
                    ink = "#161B22" if phase > 1 else "#FFFFFF"
                    page.text(x0 + x * step + tile / 2, y0 + y * step + tile / 2, str(phase), ink, 12, "Roboto-Medium", "mm")
    page.text(b_left + col * step + tile / 2, a_top + row * step + tile / 2, "C", "#FFFFFF" if not theme else "#14171C", 13,
              "Roboto-Medium", "mm")
    # In a narrow dock a figure shrinks by a quarter, and its words are still read.
    for n, words in enumerate(("the number", "says in which", "phase the tile", "is brought")):
        page.text(left, top + 2 + 19 * n, words, "muted", 15)
    return page


def rooms(theme):
    """first-kernels/threads: three blocks of four threads, and the element of each."""
    page = Page(theme, 150)
    seats, seat, gap = 4, 20, 4
    wide = seats * (seat + gap) - gap + 12
    for block in range(3):
        left = 2 + block * (wide + 12)
        x0 = left + 6
        page.box(left, 18, left + wide, 58, "raised", 5)
        page.text(left + wide / 2, 0, f"blockIdx.x = {block}", "text", 12, "Inconsolata-Medium", "ma")
        for thread in range(seats):
            i = block * seats + thread
            x = x0 + thread * (seat + gap)
            color = lane_color(round(i * 31 / 11))
            ink = "#161B22" if i > 5 else "#FFFFFF"
            page.box(x, 28, x + seat, 48, color, 10)
            page.text(x + seat / 2, 38, str(thread), ink, 12, "Roboto-Medium", "mm")
            page.line([(x + seat / 2, 62), (x + seat / 2, 88)], color, 1.2)
            page.box(x, 92, x + seat, 120, color, 2)
            page.text(x + seat / 2, 106, str(i), ink, 12, "Roboto-Medium", "mm")
    page.text(2, 132, "round: threads, with threadIdx.x", "muted", 11)
    page.text(338, 132, "square: elements, with i", "muted", 11, anchor="ra")
    return page


# ---- from-the-host: measured on an H100 (tests/hardware/host/h100.csv), and a model of its engines ----


def host_rows(table):
    """The rows of one table of the host benchmark's first series."""
    with (ROOT / "tests/hardware/host/h100.csv").open(newline="", encoding="utf-8") as lines:
        return [row[3:] for row in csv.reader(lines) if row[:3] == ["1", table, ""]]


def schedule(orders, call):
    """Model of streams: (engine, start, end) of each order, and the host's time for its call.

    `orders`: (stream, engine, duration). An order starts when the host has queued it (one call after another, `call` each), the
    order before it in its stream is done and its engine is free; each engine takes orders as they were queued. Stream None is the
    legacy default stream: its orders start when all earlier ones are done, and later ones start after it.
    """
    free, last, floor, latest, result = {}, {}, 0.0, 0.0, []
    for index, (stream, engine, duration) in enumerate(orders):
        start = max((index + 1) * call, free.get(engine, 0.0), last.get(stream, 0.0), floor)
        if stream is None:
            start = max(start, latest)
        end = start + duration
        free[engine], last[stream], latest = end, end, max(latest, end)
        if stream is None:
            floor = end
        result.append((engine, start, end))
    return result


class Chunked:
    """64 MiB up, a kernel as long as that copy, and 64 MiB down, on the measured chip: time of a part = fixed + share."""

    def __init__(self):
        _, _, up, kernel, down, _ = (float(cell) for cell in host_rows("parts")[0])
        # A synchronous 4 KiB copy pays call and notice, too; the engine's own fixed time is what one of many queued ones costs.
        queued = {int(n): float(us) for n, _, us, _ in host_rows("small")}
        self.fixed = (queued[1024] - queued[256]) / (1024 - 256)
        self.parts = {"up": up, "SMs": kernel, "down": down}
        self.call = self.fixed

    def orders(self, streams, chunks, kernels_in_default=False):
        result = []
        for c in range(chunks):
            for engine, whole in self.parts.items():
                stream = None if kernels_in_default and engine == "SMs" else c % streams
                result.append((stream, engine, self.fixed + (whole - self.fixed) / chunks))
        return result

    def total(self, *args, **kinds):
        return max(end for _, _, end in schedule(self.orders(*args, **kinds), self.call))


def lanes_of_time(page, top, title, orders, call, scale, engines, result):
    """Draws one timeline: a row per engine, its chunks numbered; returns the row below it."""
    left, row, gap = 44, 17, 3
    page.text(0, top, title, "text", 11, "Roboto-Medium")
    done = schedule(orders, call)
    total = max(end for _, _, end in done)
    page.text(340, top, result(total), "muted", 11, anchor="ra")
    top += 18
    count = {}
    for engine in engines:
        y = top + engines.index(engine) * (row + gap)
        page.box(left, y, 340, y + row, "raised", 2)
        page.text(left - 6, y + row / 2, engine, "muted", 10, anchor="rm")
    most = max(sum(1 for e, _, _ in done if e == engine) for engine in engines)
    for engine, start, end in done:
        index = count.get(engine, 0)
        count[engine] = index + 1
        y = top + engines.index(engine) * (row + gap)
        x0, x1 = left + start * scale, left + end * scale
        lane = 4 + round(24 * index / max(most - 1, 1)) if most > 1 else 14
        page.box(x0, y, max(x1 - 0.7, x0 + 0.5), y + row, lane_color(lane), 1.5)
        if x1 - x0 > 12:
            ink = "#161B22" if lane > 15 else "#FFFFFF"
            page.text((x0 + x1) / 2, y + row / 2, str(index), ink, 10, "Roboto-Medium", "mm")
    return top + len(engines) * (row + gap) + 8


def timeline(theme):
    """from-the-host/overlap: one piece, four chunks and sixteen, in streams."""
    page = Page(theme, 282)
    chip = Chunked()
    cases = [("one piece", 1, 1), ("4 chunks in 4 streams", 4, 4), ("16 chunks in 4 streams", 4, 16)]
    scale = 290 / chip.total(1, 1)
    top = 0
    for title, streams, chunks in cases:
        top = lanes_of_time(page, top, title, chip.orders(streams, chunks), chip.call, scale, ["up", "SMs", "down"],
                            lambda us: f"computed: {us / 1000:.2f} ms")
    page.text(44, top - 2, "time goes to the right; numbers: chunks", "muted", 10)
    return page


def default_stream(theme):
    """from-the-host/queues: the same chunks, with and without kernels in the default stream."""
    page = Page(theme, 190)
    chip = Chunked()
    scale = 290 / chip.total(4, 8, kernels_in_default=True)
    top = 0
    for title, flag in (("8 chunks, all orders in 4 streams", False), ("8 chunks, kernels in the default stream", True)):
        top = lanes_of_time(page, top, title, chip.orders(4, 8, kernels_in_default=flag), chip.call, scale, ["up", "SMs", "down"],
                            lambda us: f"computed: {us / 1000:.2f} ms")
    page.text(44, top - 2, "time goes to the right; numbers: chunks", "muted", 10)
    return page


def bandwidth(theme):
    """from-the-host/copies: measured bandwidth over the size of a copy."""
    page = Page(theme, 240)
    left, top, width, height = 34, 18, 300, 168
    series = {}
    for direction, memory, kib, _, rate in host_rows("copy"):
        series.setdefault((direction, memory), []).append((int(kib), float(rate)))
    ceiling = 10 * math.ceil(max(rate for points in series.values() for _, rate in points) / 10)
    low, high = 2, 18  # log2 of KiB

    def at(kib, rate):
        return (left + (math.log2(kib) - low) / (high - low) * width, top + height - rate / ceiling * height)

    for rate in range(0, ceiling + 1, 10):
        y = at(4, rate)[1]
        page.line([(left, y), (left + width, y)], "line", 0.6)
        page.text(left - 5, y, str(rate), "muted", 10, anchor="rm")
    page.text(left, 0, "GB/s, measured on an H100", "muted", 11)
    for power, word in ((2, "4 KiB"), (6, "64 KiB"), (10, "1 MiB"), (14, "16 MiB"), (18, "256 MiB")):
        page.text(at(2 ** power, 0)[0], top + height + 5, word, "muted", 10, anchor="ma" if power < 18 else "ra")
    for (direction, memory), points in sorted(series.items()):
        color = "good" if memory == "pinned" else "poor"
        path = [at(*point) for point in points]
        if direction == "H2D":
            page.line(path, color, 1.8)
        else:
            for (x0, y0), (x1, y1) in zip(path, path[1:]):
                pieces = max(2, round(math.hypot(x1 - x0, y1 - y0) / 4))
                for k in range(0, pieces, 2):
                    a, b = k / pieces, min((k + 1) / pieces, 1)
                    page.line([(x0 + a * (x1 - x0), y0 + a * (y1 - y0)), (x0 + b * (x1 - x0), y0 + b * (y1 - y0))], color, 1.5)
    y = top + height + 26
    page.line([(left, y + 6), (left + 16, y + 6)], "good", 1.8)
    page.text(left + 20, y, "pinned", "good", 11, "Roboto-Medium")
    page.line([(left + 70, y + 6), (left + 86, y + 6)], "poor", 1.8)
    page.text(left + 90, y, "pageable", "poor", 11, "Roboto-Medium")
    page.text(left, y + 17, "whole line: to the GPU; dashes: to the host", "muted", 10)
    return page


def launches(theme):
    """from-the-host/launches: eight kernels of 1.5 µs with waits, queued, and as a graph; host and GPU."""
    page = Page(theme, 204)
    says = {row[0]: float(row[1]) for row in host_rows("launch")}
    round_trip = says["empty kernel and wait"]
    call = says["1000 empty kernels back to back per launch"]
    graph = {(int(r[0]), int(r[1])): [float(x) for x in r[3:]] for r in host_rows("graph")}
    gap_in_graph = (graph[200, 0][1] - graph[20, 0][1]) / 180  # of an empty kernel in a graph
    graph_call = graph[20, 0][3]
    start_up = round_trip - call  # from the end of a call until the kernel's end is known
    kernel, count = 1.5, 8
    travel = start_up / 2
    cases = []
    waits = [(k * (round_trip + kernel), k * (round_trip + kernel) + call) for k in range(count)]
    cases.append(("a wait after each", waits, [(end + travel, end + travel + kernel) for _, end in waits]))
    calls = [(k * call, (k + 1) * call) for k in range(count)]
    runs, free = [], 0.0
    for _, end in calls:
        start = max(end + travel, free)
        runs.append((start, start + kernel))
        free = start + kernel
    cases.append(("queued", calls, runs))
    first = graph_call + travel
    step = kernel + gap_in_graph
    cases.append(("one graph", [(0, graph_call)], [(first + k * step, first + k * step + kernel) for k in range(count)]))
    longest = max(runs[-1][1] + travel for _, _, runs in cases)
    left, row, gap, top = 44, 17, 3, 0
    scale = (340 - left) / longest
    for title, calls, runs in cases:
        page.text(0, top, title, "text", 11, "Roboto-Medium")
        page.text(340, top, f"computed: {runs[-1][1] + travel:.0f} µs", "muted", 11, anchor="ra")
        top += 18
        for name, pieces, shade in (("host", calls, 24), ("GPU", runs, 10)):
            page.box(left, top, 340, top + row, "raised", 2)
            page.text(left - 6, top + row / 2, name, "muted", 10, anchor="rm")
            for start, end in pieces:
                page.box(left + start * scale, top, max(left + end * scale - 0.7, left + start * scale + 0.5), top + row,
                         lane_color(shade), 1.5)
            top += row + gap
        top += 8
    return page


FIGURES = {"bank-conflicts/padded-tile": padded_tile, "first-kernels/rooms": rooms,
           "tiling/phases": phases, "from-the-host/bandwidth": bandwidth,
           "from-the-host/default-stream": default_stream, "from-the-host/timeline": timeline,
           "from-the-host/launches": launches}


def main():
    for name, figure in FIGURES.items():
        for theme in THEMES:
            figure(theme).save(ROOT / "labs" / f"{name}{theme}.png")


if __name__ == "__main__":
    main()

"""The figures of labs' texts, drawn anew: labs/ID/NAME.png and NAME-dark.png.

    python3 tests/pictures/lab_figures.py [FOLDER OF ROBOTO AND INCONSOLATA]

Needs Pillow; the faces lie in build/share/warpshop/fonts. A figure is drawn in pixels of 200% zoom, 680 wide, so that it is as
wide as the text of a step at 100%; colours are those of app/ui/window/theme.cc, the ground is transparent.
"""
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
    page.text(left, top + 2, "a number:", "muted", 11)
    page.text(left, top + 17, "the phase in which", "muted", 11)
    page.text(left, top + 32, "the tile is brought", "muted", 11)
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


FIGURES = {"bank-conflicts/padded-tile": padded_tile, "first-kernels/rooms": rooms, "tiling/phases": phases}


def main():
    for name, figure in FIGURES.items():
        for theme in THEMES:
            figure(theme).save(ROOT / "labs" / f"{name}{theme}.png")


if __name__ == "__main__":
    main()

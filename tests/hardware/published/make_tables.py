#!/usr/bin/env python3
"""Writes published measurements of kernels as timing cases: tables/NAME/cases.json and truth.json.

usage: tests/hardware/published/make_tables.py

Each table names its source and the day that it was published or read. Figures and launches are the source's, the kernels are
ours, written after its description. README.md lists the tables."""
import json, os

HERE = os.path.dirname(os.path.abspath(__file__))


def buffer(size, fill="f32"):
    return {"buffer": size, "fill": fill}


def write(name, rows):
    folder = os.path.join(HERE, "tables", name)
    os.makedirs(folder, exist_ok=True)
    cases = [case for case, _ in rows]
    truth = [truth for _, truth in rows]
    for file, content in (("cases.json", cases), ("truth.json", truth)):
        with open(os.path.join(folder, file), "w") as out:
            out.write("[\n" + ",\n".join(map(json.dumps, content)) + "\n]\n")


def row(gpu, name, source, kernel, options, grid, block, shared, args, us, published):
    case = {"name": name, "source": "../" + source, "kernel": kernel, "options": options, "grid": (grid + [1, 1])[:3],
            "block": (block + [1, 1])[:3], "dynamic_shared": shared, "args": args}
    return case, {"name": name, "gpu": gpu, "us": round(us, 1), "published": published}


def streams(table, gpu, shared, figures):
    """te42kyfo/gpu-benches, gpu-stream: doubles, two blocks per SM. GB/s of init, read, scale, triad, 3pt, 5pt by block size."""
    n = 128 * 1024 * 1024 + 2
    kernels = [("init", 1), ("read", 1), ("scale", 2), ("triad", 3), ("stencil3", 2), ("stencil5", 2)]
    rows = []
    for block, rates in figures.items():
        for (kernel, moved), gb_s in zip(kernels, rates):
            rows.append(row(gpu, f"{kernel}-{block}", "streams.cu", "k_" + kernel, [], [n // block + 1], [block], shared,
                            [buffer(n * 8, "f64"), buffer(n * 8, "f64"), buffer(n * 8, "f64"), {"i64": n}],
                            moved * n * 8 / gb_s / 1e3, f"{gb_s} GB/s"))
    write(table, rows)


def intensity(table, gpu, blocks, figures):
    """te42kyfo/gpu-benches, gpu-roofline: two floats and WORK multiply-adds each, 4,000 rows of 256. GB/s by WORK."""
    floats = blocks * 256 * 4000
    write(table, [row(gpu, f"intensity-{work}", "streams.cu", "k_intensity", [f"-DWORK={work}"], [blocks], [256], 0,
                      [buffer(floats * 4), buffer(floats * 4), buffer(blocks * 4, "none"), {"i32": 4000}],
                      2 * floats * 4 / gb_s / 1e3, f"{gb_s} GB/s") for work, gb_s in figures.items()])


def adds(table, gpu, figures):
    """codcordance/add_kernel: y = x + y on 2^27 floats, blocks of 256. Milliseconds; "gs": a loop with 2,048 blocks."""
    n = 1 << 27
    rows = []
    for (wide, each, loop), ms in figures.items():
        elements = n // wide
        rows.append(row(gpu, f"add-v{wide}-u{each}{'-loop' if loop else ''}", "streams.cu", "k_add_stride" if loop else "k_add",
                        [f"-DWIDE={wide}", f"-DEACH={each}"], [2048 if loop else elements // each // 256], [256], 0,
                        [buffer(n * 4), buffer(n * 4), {"i32": elements}], ms * 1e3, f"{ms} ms"))
    write(table, rows)


def sums(table, gpu, figures):
    """Liu-xiandong/How_to_optimize_in_GPU: c = a + b on 2^25 floats, blocks of 256. GB/s by floats per thread."""
    n = 1 << 25
    write(table, [row(gpu, f"sum-v{wide}", "streams.cu", "k_sum", [f"-DWIDE={wide}"], [n // wide // 256], [256], 0,
                      [buffer(n * 4), buffer(n * 4), buffer(n * 4, "none")], 3 * n * 4 / gb_s / 1e3, f"{gb_s} GB/s")
                  for wide, gb_s in figures.items()])


def products(table, gpu, figures):
    """siboehm/SGEMM_CUDA and yzhaiustc/Optimizing-SGEMM-on-NVIDIA-Turing-GPUs: C = alpha A B + beta C of n x n floats. GFLOP/s
    by kernel and n."""
    tile_and_block = {"column_first": (32, [32, 32]), "row_first": (32, [1024]), "row_first_2d": (32, [32, 32]),
                      "shared": (32, [1024]), "shared_conflicts": (32, [32, 32]), "shared_transposed": (32, [1024]),
                      "column_of_eight": (64, [512]), "four_by_four": (64, [256]), "eight_by_eight": (128, [256]),
                      "eight_by_eight_wide": (128, [256])}
    rows = []
    for (kernel, n), gflop_s in figures.items():
        tile, block = tile_and_block[kernel]
        rows.append(row(gpu, f"{kernel}-{n}", "products.cu", "k_" + kernel, [], [n // tile] * 2, block, 0,
                        [buffer(n * n * 4), buffer(n * n * 4), buffer(n * n * 4), {"i32": n}, {"f32": 0.5}, {"f32": 3.0}],
                        2 * n ** 3 / gflop_s / 1e3, f"{gflop_s} GFLOP/s"))
    write(table, rows)


def main():
    streams("v100-streams", "v100", 49152, {
        32: (153, 72, 128, 180, 122, 117), 64: (306, 139, 244, 323, 230, 224), 128: (595, 262, 423, 545, 403, 394),
        256: (895, 490, 673, 765, 645, 633), 512: (895, 746, 784, 800, 777, 774), 1024: (895, 866, 802, 814, 798, 795)})
    streams("a100-streams", "a100", 57344, {
        32: (171, 85, 157, 221, 148, 144), 64: (414, 167, 305, 427, 280, 275), 128: (804, 325, 581, 799, 530, 521),
        256: (1506, 619, 1026, 1372, 962, 937), 512: (1897, 1122, 1577, 1659, 1517, 1493),
        1024: (1880, 1769, 1732, 1759, 1696, 1680)})
    streams("a40-streams", "a40", 40960, {
        32: (201, 82, 154, 219, 142, 126), 64: (397, 160, 290, 400, 268, 236), 128: (679, 304, 514, 625, 466, 391),
        256: (679, 552, 643, 660, 630, 512), 512: (679, 679, 655, 655, 655, 641), 768: (679, 679, 652, 653, 653, 655)})
    streams("l40-streams", "l40", 40960, {
        32: (322, 163, 298, 425, 279, 254), 64: (643, 320, 549, 702, 516, 472), 128: (845, 615, 772, 769, 756, 726),
        256: (846, 844, 792, 795, 793, 792), 512: (846, 844, 778, 798, 784, 764), 768: (846, 844, 770, 768, 759, 760)})
    # Rows in which the clock stayed within 6 % of the boost clock.
    intensity("a40-intensity", "a40", 504, {0: 679, 8: 679, 32: 678, 64: 676, 96: 672, 128: 630, 160: 518, 192: 443, 256: 344})
    adds("rtx-4060-laptop-adds", "rtx-4060-laptop", {
        (1, 1, False): 7.125, (1, 1, True): 7.052, (1, 4, False): 6.899, (1, 4, True): 6.854, (2, 1, False): 7.046,
        (2, 1, True): 7.074, (2, 4, False): 6.758, (2, 4, True): 6.743, (4, 1, False): 6.936, (4, 1, True): 6.865,
        (4, 4, False): 6.735, (4, 4, True): 6.797})
    sums("v100-sums", "v100", {1: 827, 2: 838, 4: 844})
    products("rtx-a6000-products", "rtx-a6000", {
        ("column_first", 4096): 309.0, ("row_first", 4096): 1986.5, ("shared", 4096): 2980.3,
        ("column_of_eight", 4096): 8474.7, ("eight_by_eight", 4096): 15971.7, ("eight_by_eight_wide", 4096): 18237.3})
    products("rtx-2080-super-products", "rtx-2080-super", {
        ("row_first_2d", 1024): 1162.841, ("row_first_2d", 2048): 1058.034, ("shared_conflicts", 1024): 308.185,
        ("shared_conflicts", 2048): 313.758, ("shared_transposed", 1024): 874.876, ("shared_transposed", 2048): 753.242,
        ("four_by_four", 2048): 4280.964, ("four_by_four", 4096): 4752.531, ("eight_by_eight_wide", 2048): 6812.832,
        ("eight_by_eight_wide", 4096): 7416.490})


if __name__ == "__main__":
    main()

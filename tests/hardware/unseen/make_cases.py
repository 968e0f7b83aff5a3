#!/usr/bin/env python3
"""Writes cases.json: kernels of kinds, and sizes, that the timing model was not made with."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
MIB = 1 << 20
cases = []


def three(dim):
    dim = dim if isinstance(dim, (list, tuple)) else [dim]
    return list(dim) + [1] * (3 - len(dim))


def add(name, kernel, grid, block, args, options=(), source="kernels.cu"):
    cases.append({"name": name, "source": source, "kernel": kernel, "options": list(options), "grid": three(grid),
                  "block": three(block), "dynamic_shared": 0, "buffers_start": 0, "args": args})


def buffer(size, fill="f32"):
    return {"buffer": int(size), "fill": fill}


def i32(value):
    return {"i32": int(value)}


SIZES = {"float": 4, "double": 8}
FILLS = {"float": "f32", "double": "f64"}


def streams():
    for element, size in SIZES.items():
        fill = FILLS[element]
        for n in (1 << 16, 1 << 20, 1 << 22, 1 << 24):
            option = [f"-DElement={element}"]
            blocks, array = n // 256, lambda f=fill, n=n: buffer(n * size, f)
            label = f"{element}-{n}"
            add(f"add2-{label}", "k_add2", blocks, 256, [array(), array(), array("none"), i32(n)], option)
            if n >= 1 << 20:
                add(f"blend3-{label}", "k_blend3", blocks, 256,
                    [array(), array(), array(), array("none"), i32(n)], option)
                add(f"update-{label}", "k_update", blocks, 256, [array(), array(), array(), i32(n)], option)
                add(f"triad-{label}", "k_triad", 1056, 256, [array(), array(), array("none"), i32(n)], option)
                add(f"read-{label}", "k_read", 1056, 256, [array(), buffer(8, "zero"), i32(n)], option)
            if n == 1 << 24:
                add(f"write-{label}", "k_write", 1056, 256, [array("none"), i32(n)], option)


def reductions():
    for n in (1 << 18, 1 << 22, 1 << 25):
        for blocks in (132, 1056):
            add(f"sum-atomic-{n}-{blocks}", "k_sum_atomic", blocks, 256, [buffer(4 * n), buffer(4, "zero"), i32(n)])
    for rows, columns in ((1024, 1024), (8192, 512), (64, 65536), (16384, 4096)):
        add(f"row-max-{rows}x{columns}", "k_row_max", rows, 256,
            [buffer(4 * rows * columns), buffer(4 * rows, "none"), i32(columns)])
    for n in (1 << 20, 1 << 24):
        add(f"scan-block-{n}", "k_scan_block", n // 1024, 256,
            [buffer(4 * n, "iota"), buffer(4 * n, "none"), buffer(4 * n // 1024, "none")])
    for n in (1 << 16, 1 << 18):
        add(f"scan-chain-{n}", "k_scan_chain", n // 256, 256,
            [buffer(4 * n, "iota"), buffer(4 * n, "none"), buffer(4 * n // 256, "zero"), buffer(4 * n // 256, "zero")])


def unequal():
    for element in SIZES:
        for edge, most in ((512, 64), (1024, 256), (2048, 256)):
            add(f"mandelbrot-{element}-{edge}-{most}", "k_mandelbrot", [edge // 16, edge // 16], [16, 16],
                [buffer(4 * edge * edge, "none"), i32(edge), i32(edge), i32(most)], [f"-DElement={element}"])
    for n in (1 << 14, 1 << 18, 1 << 21):
        add(f"collatz-{n}", "k_collatz", n // 256, 256, [buffer(4 * n, "none"), i32(n)])
    for rows, columns in ((4096, 256), (1024, 2048), (65536, 128)):
        option = [f"-DN={columns}"]
        args = [buffer(4 * rows * columns), buffer(4 * rows, "none"), i32(rows)]
        add(f"row-per-thread-{rows}x{columns}", "k_row_per_thread", rows // 128, 128, args, option)
        add(f"row-per-warp-{rows}x{columns}", "k_row_per_warp", rows // 4, 128, args, option)
    add("row-per-warp-32x65536", "k_row_per_warp", 8, 128, [buffer(4 * 32 * 65536), buffer(128, "none"), i32(32)],
        ["-DN=65536"])
    for rows, most in ((1 << 14, 8), (1 << 18, 8), (1 << 16, 64), (1 << 14, 128)):
        args = [buffer(4 * rows * most, "bits"), buffer(4 * rows * most), buffer(4 * rows), buffer(4 * rows, "none"),
                i32(rows), i32(rows - 1)]
        add(f"sparse-thread-{rows}-{most}", "k_sparse_thread", rows // 128, 128, args, [f"-DM={most}"])
        add(f"sparse-warp-{rows}-{most}", "k_sparse_warp", rows // 4, 128, args, [f"-DM={most}"])
    for words, blocks in ((1 << 12, 4), (1 << 18, 256), (1 << 23, 256)):
        add(f"chains-{words}-{blocks}", "k_chains", blocks, 256,
            [buffer(4 * words, "bits"), buffer(4 * 256 * blocks, "none"), i32(words - 1)], ["-DN=64"])
    for count in (1 << 12, 1 << 20):
        add(f"search-{count}", "k_search", 1024, 256, [buffer(4 * count, "iota"), buffer(4 * 256 * 1024, "none"),
                                                      i32(count)])


def arithmetic():
    for n, m in ((1 << 16, 8), (1 << 20, 4), (1 << 20, 16)):
        add(f"roots-{n}-{m}", "k_roots", n // 256, 256, [buffer(8 * n, "f64"), buffer(8 * n, "none"), i32(n)],
            [f"-DM={m}"])
    for n in (4096, 16384):
        for kernel in ("k_bodies", "k_bodies_tiled"):
            add(f"{kernel[2:].replace('_', '-')}-{n}", kernel, n // 256, 256,
                [buffer(16 * n), buffer(16 * n, "none"), i32(n)])
    for n in (1 << 18, 1 << 24):
        add(f"gelu-{n}", "k_gelu", n // 256, 256, [buffer(4 * n), buffer(4 * n, "none"), i32(n)])
    for n, m in ((1 << 16, 32), (1 << 20, 64)):
        add(f"paths-{n}-{m}", "k_paths", n // 256, 256, [buffer(4 * n, "none"), i32(n)], [f"-DM={m}"])
    for blocks, m in ((16, 8), (256, 10)):
        add(f"recursion-{blocks}-{m}", "k_recursion", blocks, 128, [buffer(4 * 128 * blocks, "none")], [f"-DM={m}"])
    for blocks in (64, 2048):
        add(f"local-stack-{blocks}", "k_local_stack", blocks, 128,
            [buffer(4 * 128 * blocks, "bits"), buffer(4 * 128 * blocks, "none")], ["-DN=64"])


def atomics():
    for n, words in ((1 << 14, 1), (1 << 16, 64), (1 << 20, 65536)):
        add(f"swap-add-{n}-{words}", "k_swap_add", n // 256, 256,
            [buffer(8 * n, "f64"), buffer(8 * words, "zero"), i32(n), i32(words)])
    for n, table in ((1 << 16, 1 << 18), (1 << 20, 1 << 21), (1 << 20, 1 << 24)):
        add(f"hash-insert-{n}-{table}", "k_hash_insert", n // 256, 256,
            [buffer(4 * n, "bits"), buffer(4 * table, "zero"), i32(n), i32(table - 1)])
    for bins in (1, 256, 65536):
        n = 1 << 22
        add(f"histogram-global-{bins}", "k_histogram_global", 1056, 256,
            [buffer(4 * n, "bits"), buffer(4 * bins, "zero"), i32(n), i32(bins - 1)])
    for fill in ("bits", "zero"):
        add(f"histogram-shared-{fill}", "k_histogram_shared", 528, 256,
            [buffer(4 << 22, fill), buffer(1024, "zero"), i32(1 << 22)])
    for n in (1 << 18, 1 << 22):
        add(f"append-{n}", "k_append", n // 256, 256,
            [buffer(4 * n, "bits"), buffer(4 * n, "none"), buffer(4, "zero"), i32(n)])
    for blocks, m in ((16, 4), (128, 2)):
        add(f"lists-{blocks}-{m}", "k_lists", blocks, 128, [buffer(4 * 128 * blocks, "none")], [f"-DM={m}"])


def sorts():
    for blocks, n, threads in ((1, 2048, 1024), (1, 4096, 512), (132, 1024, 512), (1024, 2048, 256)):
        add(f"bitonic-{blocks}x{n}-{threads}", "k_bitonic", blocks, threads,
            [buffer(4 * blocks * n, "bits"), buffer(4 * blocks * n, "none")], [f"-DKEYS={n}"])
    for blocks, m in ((64, 32), (1024, 16)):
        add(f"insertion-{blocks}-{m}", "k_insertion", blocks, 128,
            [buffer(4 * 128 * blocks * m, "bits"), buffer(4 * 128 * blocks * m, "none")], [f"-DM={m}"])


def stencils():
    for element, size in SIZES.items():
        for edge in (512, 2048, 4096):
            for block in ((32, 8), (16, 16)):
                add(f"heat2-{element}-{edge}-{block[0]}x{block[1]}", "k_heat2", [edge // block[0], edge // block[1]],
                    block, [buffer(size * edge * edge, FILLS[element]), buffer(size * edge * edge, "none"), i32(edge),
                            i32(edge)], [f"-DElement={element}"])
        for edge in (128, 256):
            cube = size * edge ** 3
            add(f"heat3-{element}-{edge}", "k_heat3", [edge // 32, edge // 8, edge], [32, 8],
                [buffer(cube, FILLS[element]), buffer(cube, "none"), i32(edge)], [f"-DElement={element}"])
            add(f"heat3-planes-{element}-{edge}", "k_heat3_planes", [edge // 32, edge // 8, edge // 16], [32, 8],
                [buffer(cube, FILLS[element]), buffer(cube, "none"), i32(edge)], [f"-DElement={element}", "-DM=16"])
    for edge, m in ((512, 2), (1024, 3), (2048, 2)):
        add(f"bilateral-{edge}-{m}", "k_bilateral", [edge // 32, edge // 8], [32, 8],
            [buffer(4 * edge * edge), buffer(4 * edge * edge, "none"), i32(edge), i32(edge)], [f"-DM={m}"])


def network():
    for rows, n in ((1024, 512), (8192, 1024), (65536, 256)):
        args = [buffer(4 * rows * n), buffer(4 * rows * n, "none"), i32(rows)]
        add(f"softmax-warp-{rows}x{n}", "k_softmax_warp", rows // 8, 256, args, [f"-DN={n}"])
        add(f"softmax-thread-{rows}x{n}", "k_softmax_thread", rows // 64, 64, args, [f"-DN={n}"])
        add(f"layer-norm-{rows}x{n}", "k_layer_norm", rows, 128, [args[0], buffer(4 * n), args[1]], [f"-DN={n}"])
    for tokens, m in ((1024, 32), (4096, 32), (2048, 64)):
        add(f"attention-thread-{tokens}-{m}", "k_attention_thread", tokens // 64, 64,
            [buffer(4 * tokens * m), buffer(4 * tokens * m), buffer(4 * tokens * m), buffer(4 * tokens * m, "none"),
             i32(tokens)], [f"-DM={m}"])
    for rows, columns in ((512, 4096), (4096, 4096), (16384, 1024)):
        add(f"gemv-warp-{rows}x{columns}", "k_gemv_warp", rows // 4, 128,
            [buffer(4 * rows * columns), buffer(4 * columns), buffer(4 * rows, "none"), i32(columns)])
    for n in (256, 1024):
        add(f"product-half2-{n}", "k_product_half2", [n // 16, n // 16], [16, 16],
            [buffer(2 * n * n, "zero"), buffer(2 * n * n, "zero"), buffer(4 * n * n, "none"), i32(n)])
        add(f"product-double-{n}", "k_product_double", [n // 16, n // 16], [16, 16],
            [buffer(8 * n * n, "f64"), buffer(8 * n * n, "f64"), buffer(8 * n * n, "none"), i32(n)])
    for n in (256, 512, 1024, 2048):
        args = [buffer(2 * n * n, "zero"), buffer(2 * n * n, "zero"), buffer(4 * n * n, "none"), i32(n)]
        add(f"wmma-global-{n}", "k_wmma_global", n * n // 256 // 4, 128, args, source="tensor.cu")
        for kernel in ("k_wmma_shared", "k_wmma_async"):
            add(f"{kernel[2:].replace('_', '-')}-{n}", kernel, [n // 64, n // 64], 128, args, source="tensor.cu")


for part in (streams, reductions, unequal, arithmetic, atomics, sorts, stencils, network):
    part()
names = [c["name"] for c in cases]
assert len(set(names)) == len(names), [n for n in names if names.count(n) > 1]
(HERE / "cases.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")

#!/usr/bin/env python3
"""Writes counters/cases.json and timing/cases.json: launches that the emulator and the model were not made with.

Other sizes, strides, types and tiles of the kernels of ../cases, and the kernels of kernels.cu and
sized_kernels.cu. The first list is small and compared counter by counter, the second fills a GPU and is timed.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
SIZES = {"unsigned char": 1, "signed char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "float": 4,
         "double": 8, "long long": 8, "float2": 8, "int2": 8, "uchar4": 4, "short4": 8, "float4": 16, "int4": 16,
         "double2": 16, "longlong2": 16}


class Cases:
    def __init__(self):
        self.cases = []

    def add(self, name, source, kernel, grid, block, args, options=(), shared=0):
        def three(dim):
            return list(dim) + [1] * (3 - len(dim))
        self.cases.append({"name": name, "source": source, "kernel": kernel, "options": list(options),
                           "grid": three(grid), "block": three(block), "dynamic_shared": shared, "args": args})

    def write(self, folder):
        names = [c["name"] for c in self.cases]
        assert len(set(names)) == len(names), [n for n in names if names.count(n) > 1]
        (HERE / folder).mkdir(exist_ok=True)
        (HERE / folder / "cases.json").write_text(
            "[\n" + ",\n".join(json.dumps(c) for c in self.cases) + "\n]\n")


def buffer(size, fill="bits"):
    return {"buffer": int(size), "fill": fill}


def i32(value):
    return {"i32": value}


def f32(value):
    return {"f32": value}


def short(element):
    return element.replace("unsigned ", "u").replace("signed ", "s").replace(" ", "")


def templates_counters(c):
    access, shared = "../../cases/access.cu", "../../cases/shared.cu"
    n = 64 * 256
    for element, strides in {"unsigned char": (5, 7, 12, 64), "short": (5, 6, 9, 24), "unsigned short": (3, 10),
                             "int": (5, 6, 7, 9, 12), "float": (10, 17, 24, 48), "double": (5, 6, 7, 9, 17, 64),
                             "long long": (1, 3), "float2": (5, 6, 9), "uchar4": (1, 3, 8), "short4": (1, 2, 5),
                             "float4": (5, 6, 7), "int4": (1, 3), "double2": (1, 2, 3)}.items():
        size = SIZES[element]
        for stride in strides:
            c.add(f"load-{short(element)}-stride{stride}", access, "k_load_stride", [64], [256],
                  [buffer(size * (n * stride + 64)), buffer(size * n, "zero")],
                  [f"-DElement={element}", f"-DSTRIDE={stride}"])
    for element, strides in {"unsigned char": (1, 2, 3, 8, 33), "short": (1, 2, 3, 16), "int": (5, 7, 16),
                             "double": (1, 2, 3, 4, 5, 16), "float2": (1, 2, 3, 8), "uchar4": (1, 2),
                             "float4": (5, 6), "int4": (1, 2), "double2": (1, 2, 4)}.items():
        size = SIZES[element]
        for stride in strides:
            c.add(f"store-{short(element)}-stride{stride}", access, "k_store_stride", [64], [256],
                  [buffer(size * n), buffer(size * (n * stride + 64), "zero")],
                  [f"-DElement={element}", f"-DSTRIDE={stride}"])
    for element, offsets in {"unsigned char": (1, 3, 31), "short": (1, 15), "double": (1, 2, 3), "float2": (1, 3),
                             "float4": (1,), "float": (3, 5, 9, 15, 17, 33)}.items():
        size = SIZES[element]
        for offset in offsets:
            c.add(f"load-{short(element)}-offset{offset}", access, "k_load_stride", [64], [256],
                  [buffer(size * (n + 64)), buffer(size * n, "zero")], [f"-DElement={element}", f"-DOFFSET={offset}"])
            c.add(f"store-{short(element)}-offset{offset}", access, "k_store_stride", [64], [256],
                  [buffer(size * n), buffer(size * (n + 64), "zero")], [f"-DElement={element}", f"-DOFFSET={offset}"])
    for element in ("unsigned char", "short", "float2", "double2"):
        for mask in (31, 255, 4095, 65535):
            size = SIZES[element]
            c.add(f"gather-{short(element)}-{mask + 1}", access, "k_gather", [64], [256],
                  [buffer(size * 65536), buffer(size * n, "zero")], [f"-DElement={element}", f"-DMASK={mask}"])
    for element in ("unsigned char", "double", "float4"):
        c.add(f"scatter-{short(element)}", access, "k_scatter", [64], [256],
              [buffer(SIZES[element] * n), buffer(SIZES[element] * n, "zero")], [f"-DElement={element}"])
    for limit in (2, 5, 16, 17, 24, 30):
        c.add(f"partial-{limit}", access, "k_partial", [64], [256], [buffer(4 * n), buffer(4 * n, "zero")],
              [f"-DLIMIT={limit}"])
    for element in ("unsigned char", "double", "float4"):
        c.add(f"partial-{short(element)}-11", access, "k_partial", [64], [256],
              [buffer(SIZES[element] * n), buffer(SIZES[element] * n, "zero")], [f"-DElement={element}", "-DLIMIT=11"])
        c.add(f"every-other-{short(element)}", access, "k_every_other", [64], [256],
              [buffer(SIZES[element] * n), buffer(SIZES[element] * n, "zero")], [f"-DElement={element}"])
    for group in (3, 5, 7, 12, 64):
        for element in ("float", "double", "float4"):
            c.add(f"broadcast-{short(element)}-{group}", access, "k_broadcast", [64], [256],
                  [buffer(SIZES[element] * n), buffer(SIZES[element] * n, "zero")],
                  [f"-DElement={element}", f"-DGROUP={group}"])
    for mask in (1, 7, 63, 255, 4095):
        c.add(f"atomic-{mask + 1}", access, "k_atomic", [64], [256], [buffer(4 * (mask + 1), "zero")],
              [f"-DMASK={mask}"])
    for block in (17, 31, 40, 65, 96, 127, 160, 200, 384, 1000):
        c.add(f"block-{block}", access, "k_load_stride", [16], [block], [buffer(4 * 16 * block), buffer(4 * 16 * block, "zero")])
    for count in (1000, 16384, 50000):
        c.add(f"grid-stride-{count}", access, "k_grid_stride", [16], [128],
              [buffer(4 * count), buffer(4 * count, "zero"), i32(count)])

    words = 2048
    for element, strides in {"unsigned char": (5, 6, 12, 64, 100), "short": (5, 6, 7, 24, 64), "float": (5, 6, 7, 12, 24, 48, 64),
                             "double": (5, 6, 7, 12, 24), "float2": (5, 6, 7, 12), "float4": (5, 6, 7, 12, 24),
                             "uchar4": (1, 3, 16), "int4": (1, 9), "double2": (1, 2, 3, 8)}.items():
        size = SIZES[element]
        for stride in strides:
            options = [f"-DElement={element}", f"-DSTRIDE={stride}"]
            c.add(f"shared-load-{short(element)}-stride{stride}", shared, "k_shared_load", [8], [256],
                  [buffer(size * words), buffer(size * 8 * 256, "zero")], options)
            c.add(f"shared-store-{short(element)}-stride{stride}", shared, "k_shared_store", [8], [32],
                  [buffer(size * words), buffer(size * 8 * 32, "zero")], options)
    for element in ("float", "double", "float4", "short", "unsigned char"):
        for offset in (1, 2, 5):
            options = [f"-DElement={element}", "-DSTRIDE=2", f"-DOFFSET={offset}"]
            c.add(f"shared-load-{short(element)}-offset{offset}", shared, "k_shared_load", [8], [256],
                  [buffer(SIZES[element] * words), buffer(SIZES[element] * 8 * 256, "zero")], options)
    for element in ("unsigned char", "short", "float2", "double2", "float", "float4"):
        for mask in (15, 127, 511):
            c.add(f"shared-random-{short(element)}-{mask + 1}", shared, "k_shared_random", [8], [256],
                  [buffer(SIZES[element] * words), buffer(SIZES[element] * 8 * 256, "zero")],
                  [f"-DElement={element}", f"-DMASK={mask}"])
    for element in ("short", "double", "float4"):
        for group in (2, 3, 6, 16):
            for stride in (1, 33):
                c.add(f"shared-broadcast-{short(element)}-{group}-stride{stride}", shared, "k_shared_broadcast", [8], [256],
                      [buffer(SIZES[element] * words), buffer(SIZES[element] * 8 * 256, "zero")],
                      [f"-DElement={element}", f"-DGROUP={group}", f"-DSTRIDE={stride}"])
    for element, pads in {"float": (2, 3, 8, 16), "double": (2, 3), "float2": (0, 1, 2), "short": (0, 1, 2, 3),
                          "unsigned char": (0, 1, 2, 4), "float4": (0, 1, 2)}.items():
        for pad in pads:
            c.add(f"shared-column-{short(element)}-pad{pad}", shared, "k_shared_column", [1], [32, 32],
                  [buffer(SIZES[element] * 1024), buffer(SIZES[element] * 1024, "zero")],
                  [f"-DElement={element}", f"-DPAD={pad}"])
    for element in ("double", "short", "float4"):
        c.add(f"shared-swizzle-{short(element)}", shared, "k_shared_swizzle", [1], [32, 32],
              [buffer(SIZES[element] * 1024), buffer(SIZES[element] * 1024, "zero")], [f"-DElement={element}"])
    for bins in (2, 4, 16, 128, 256, 2048):
        c.add(f"shared-atomic-{bins}", shared, "k_shared_atomic", [8], [256], [buffer(4 * bins, "zero")], [f"-DBINS={bins}"])
    for seq in (0, 1):
        for block in (64, 128):
            c.add(f"reduce-seq{seq}-block{block}", shared, "k_reduce", [64], [block],
                  [buffer(4 * 64 * block, "f32"), buffer(4 * 64, "zero")], [f"-DSEQ={seq}"])

    transpose = "../../cases/transpose.cu"
    kinds = ("copy", "transpose_naive", "transpose_gather", "transpose_tiled", "transpose_diagonal")
    for kind in kinds:
        for element, tile, rows, n, pad in (("float", 16, 4, 256, 1), ("float", 32, 16, 256, 2), ("float", 64, 8, 256, 1),
                                            ("short", 32, 8, 256, 1), ("unsigned char", 32, 8, 256, 4),
                                            ("double", 16, 16, 256, 0), ("float2", 32, 8, 128, 1), ("int", 8, 8, 128, 1),
                                            ("float4", 16, 8, 128, 1)):
            if tile == 64 and kind in ("transpose_tiled", "transpose_diagonal") and SIZES[element] > 4:
                continue
            c.add(f"{kind}-{short(element)}-{tile}x{rows}-pad{pad}", transpose, f"k_{kind}", [n // tile, n // tile],
                  [tile, rows], [buffer(SIZES[element] * n * n), buffer(SIZES[element] * n * n, "zero"), i32(n)],
                  [f"-DElement={element}", f"-DTILE={tile}", f"-DROWS={rows}", f"-DPAD={pad}"])
    matmul = "../../cases/matmul.cu"
    for kernel, block in (("rows", (8, 8)), ("rows", (32, 4)), ("rows", (64, 2)), ("columns", (8, 8)), ("columns", (4, 32)),
                          ("columns", (64, 1))):
        n = 128
        c.add(f"matmul-{kernel}-{block[0]}x{block[1]}", matmul, f"k_matmul_{kernel}",
              [n // block[0], n // block[1]], list(block),
              [buffer(4 * n * n, "f32"), buffer(4 * n * n, "f32"), buffer(4 * n * n, "zero"), i32(n)])
    for tile in (4, 8):
        n = 128
        c.add(f"matmul-tiled-{tile}", matmul, "k_matmul_tiled", [n // tile, n // tile], [tile, tile],
              [buffer(4 * n * n, "f32"), buffer(4 * n * n, "f32"), buffer(4 * n * n, "zero"), i32(n)], [f"-DTILE={tile}"])
    for work in (1, 2, 16):
        n = 128
        c.add(f"matmul-register-{work}", matmul, "k_matmul_register", [4, 4], [32, 32 // work],
              [buffer(4 * n * n, "f32"), buffer(4 * n * n, "f32"), buffer(4 * n * n, "zero"), i32(n)], [f"-DWORK={work}"])
    latency = "../../cases/latency.cu"
    for ilp in (3, 6, 8):
        c.add(f"fma-chain-ilp{ilp}", latency, "k_fma_chain", [16], [128], [buffer(4 * 2048, "zero"), f32(0.75), f32(0.5)],
              [f"-DILP={ilp}"])
    for loads in (2, 3, 6, 16):
        c.add(f"loads-in-flight-{loads}", latency, "k_loads_in_flight", [16], [128],
              [buffer(4 * 2048 * loads, "f32"), buffer(4 * 2048 * loads, "zero"), i32(128)], [f"-DLOADS={loads}"])
    c.add("divergent-3", latency, "k_divergent", [16], [128], [buffer(8192, "f32"), buffer(8192, "zero")], ["-DWAYS=3"])
    c.add("pointer-chase", latency, "k_pointer_chase", [1], [1], [buffer(4096, "chase=32"), buffer(4, "zero"), i32(500)])


def kernels(c, big):
    """Small: some 16,384 threads; big: some 16 million, where the kernel has work for that."""
    blocks = 65536 if big else 64
    n = blocks * 256
    none = "none" if big else "zero"

    def add(name, grid, block, args, options=(), shared=0, kernel=None):
        source = "../sized_kernels.cu" if options else "../kernels.cu"
        c.add(name, source, "k_" + (kernel or name).replace("-", "_"), grid, block, args, options, shared)

    def floats(count, fill="f32"):
        return buffer(4 * count, fill)

    def out(size):
        return buffer(size, none)

    add("saxpy", [blocks], [256], [f32(1.5), floats(n), floats(n), i32(n - 100)])
    for element in ("float", "double") if big else ("unsigned char", "float", "double", "float4"):
        size = SIZES[element]
        add(f"reverse-{short(element)}", [blocks], [256], [buffer(size * n), out(size * n), i32(n)],
            [f"-DElement={element}"], kernel="reverse")
    for element, count in (("float", 4), ("float", 8)) if big else (("float", 2), ("float", 4), ("unsigned char", 4), ("double", 4), ("float2", 3)):
        size = SIZES[element]
        part = blocks // (count if big else 1)
        for kernel in ("many-each", "many-apart"):
            add(f"{kernel}-{short(element)}-{count}", [part], [256],
                [buffer(size * part * 256 * count), out(size * part * 256 * count)],
                [f"-DElement={element}", f"-DN={count}"], kernel=kernel)
    add("particles", [blocks // 4], [256], [floats(n // 4 * 8), f32(0.5)])
    add("mixed", [blocks // 2], [256], [buffer(n // 2 * 16, "f64"), out(n // 2 * 8)])
    add("gray", [blocks], [256], [buffer(3 * n, "u8"), out(n)])
    add("complex", [blocks], [256], [floats(2 * n), floats(2 * n), out(8 * n)])
    add("half-of-vector", [blocks], [256], [floats(4 * n), out(4 * n)])
    add("positive", [blocks], [256], [floats(n), buffer(4 * n, "zero")])
    side = 256 if big else 32
    add("three-dimensions", [side // 8, side // 8, side // 4], [8, 8, 4], [floats(side ** 3), out(4 * side ** 3), i32(side), i32(side)])
    rows, width = (16384, 4096) if big else (1024, 64)
    add("row-sums", [rows // 128], [128], [floats(rows * width), out(4 * rows), i32(width)])
    add("column-sums", [rows // 128], [128], [floats(rows * width), out(4 * rows), i32(rows), i32(width)])
    add("row-a-warp", [rows // 8], [256], [floats(rows * width), floats(width), out(4 * rows), i32(width)])
    add("dot", [blocks // 16], [256], [buffer(8 * n, "f64"), buffer(8 * n, "f64"), out(8 * blocks // 16)], ["-DN=16"])
    add("reduce-warps", [blocks], [256], [floats(n), out(4 * blocks)])
    add("reduce-interleaved", [blocks // 2], [256], [floats(n), out(2 * blocks)], shared=1024)
    add("reduce-unrolled", [blocks // 2], [256], [floats(n), out(2 * blocks)])
    add("scan-steps", [blocks], [256], [buffer(4 * n), out(4 * n)])
    for pad in (0, 1):
        add(f"scan-tree-pad{pad}", [blocks // 2], [256], [buffer(4 * n), out(4 * n)], [f"-DPAD={pad}"], kernel="scan-tree")
    add("scan-warps", [blocks], [256], [buffer(4 * n), out(4 * n)])
    add("compact", [blocks], [256], [floats(n), buffer(4 * n, "zero"), out(n // 8)])
    add("histogram-warps", [blocks // 16], [256], [buffer(n, "u8"), buffer(1024, "zero")], ["-DN=16"])
    add("ticket", [blocks // 16], [256], [buffer(32, "zero"), buffer(1024, "zero")])
    add("largest", [blocks // 16], [256], [buffer(n // 4), buffer(4, "zero")])
    add("swap", [blocks // 16], [256], [buffer(n // 8, "zero"), buffer(4, "zero")])
    add("add-float", [blocks // 64 if big else 16], [256], [floats(n // 16 if big else n), buffer(8, "zero"), buffer(256, "zero")])
    add("stencil-row", [blocks], [256], [floats(n), buffer(4 * n, "zero"), i32(n)])
    for radius in (1, 8):
        add(f"stencil-shared-{radius}", [blocks], [256], [floats(n), out(4 * n), i32(n)], [f"-DN={radius}"], kernel="stencil-shared")
    w = 4096 if big else 128
    add("heat-32x8", [w // 32, w // 8], [32, 8], [floats(w * w), buffer(4 * w * w, "zero"), i32(w), i32(w)], kernel="heat")
    add("heat-16x16", [w // 16, w // 16], [16, 16], [floats(w * w), buffer(4 * w * w, "zero"), i32(w), i32(w)], kernel="heat")
    add("life", [w // 32, w // 8], [32, 8], [buffer(w * w, "u8"), out(w * w), i32(w), i32(w)])
    add("sobel", [w // 16, w // 16], [16, 16], [buffer(w * w, "u8"), out(2 * w * w), i32(w), i32(w)])
    add("convolve-rows", [w // 32, w // 8], [32, 8], [floats(w * w), out(4 * w * w), i32(w)])
    add("convolve-columns", [w // 32, w // 8], [32, 8], [floats(w * w), out(4 * w * w), i32(w), i32(w)])
    for pad in (0, 1):
        add(f"transpose-wide-pad{pad}", [w // 32, w // 32], [8, 32], [floats(w * w), out(4 * w * w), i32(w)], [f"-DPAD={pad}"], kernel="transpose-wide")
    add("transpose-in-warp", [n // 8192], [256], [buffer(4 * n), out(4 * n)])
    m = 2048 if big else 128
    square = [floats(m * m), floats(m * m), out(4 * m * m), i32(m)]
    for pad in (0, 1):
        add(f"matmul-transposed-pad{pad}", [m // 16, m // 16], [16, 16], square, [f"-DPAD={pad}"], kernel="matmul-transposed")
    add("matmul-squares", [m // 64, m // 64], [16, 16], square)
    add("matmul-double", [m // 16, m // 16], [16, 16],
        [buffer(8 * m * m, "f64"), buffer(8 * m * m, "f64"), out(8 * m * m), i32(m)])
    add("shortest-paths", [m // 32, m // 8], [32, 8], [buffer(4 * m * m), i32(m), i32(5)])
    rows, width = (1 << 20, 16) if big else (4096, 8)
    mask = rows - 1
    sparse = [buffer(4 * rows * width), floats(rows * width), floats(rows), out(4 * rows)]
    add("sparse-rows", [rows // 256], [256], sparse + [i32(width), i32(mask)])
    add("sparse-ell", [rows // 256], [256], sparse + [i32(rows), i32(width), i32(mask)])
    add("bitonic", [blocks // 8], [256], [buffer(n // 8 * 8)])
    add("search", [blocks // 4], [256], [buffer(4 * 65536, "iota"), buffer(n), out(n), i32(65536)])
    bodies = 16384 if big else 1024
    add("bodies", [bodies // 256], [256], [floats(4 * bodies), out(16 * bodies), i32(bodies)])
    add("mandelbrot", [w // 16, w // 16], [16, 16], [out(w * w), i32(w), i32(100)])
    add("polynomial", [blocks // 8], [256], [floats(n // 8), out(n // 2)])
    add("integers", [blocks // 8], [256], [out(n // 2), i32(256)])
    add("divide", [blocks // 8], [256], [buffer(n // 2), out(n // 2), i32(17)])
    add("roots", [blocks // 8], [256], [floats(n // 8), out(n // 2)])
    add("local-array", [blocks // 8], [256], [buffer(n // 2), out(n // 2)])
    for stride in (1, 2, 8):
        add(f"shared-three-{stride}", [blocks], [256], [floats(n), out(4 * n)], [f"-DN={stride}"], kernel="shared-three")
    for pad in (0, 1):
        add(f"shared-pairs-pad{pad}", [n // 1024], [32, 8], [floats(2 * n), out(8 * n)], [f"-DPAD={pad}"], kernel="shared-pairs")
    for pad in (0, 2):
        add(f"shared-halves-pad{pad}", [n // 1024], [32, 8], [buffer(2 * n), out(2 * n)], [f"-DPAD={pad}"], kernel="shared-halves")
    add("shared-bytes", [blocks], [256], [buffer(n, "u8"), out(n)])
    for count in (4, 64):
        add(f"shared-table-{count}", [blocks], [256], [buffer(4 * n), out(4 * n)], [f"-DN={count}"], kernel="shared-table")
    for pad in (0, 1):
        add(f"shared-double-rows-pad{pad}", [blocks], [16, 16], [buffer(8 * n, "f64"), out(8 * n)], [f"-DPAD={pad}"], kernel="shared-double-rows")
    add("queue", [blocks], [256], [floats(n), out(4 * n)])


def templates_timing(c):
    access, shared, transpose, matmul, latency = (f"../../cases/{f}.cu" for f in ("access", "shared", "transpose", "matmul", "latency"))
    n = 65536 * 256
    for element, strides in {"float": (3, 6, 12, 24, 64), "double": (3, 5, 16), "float2": (3, 8), "short": (1, 2, 8), "float4": (3, 8),
                             "unsigned char": (3, 32)}.items():
        size = SIZES[element]
        for stride in strides:
            part = 65536 if size * stride <= 64 else 16384
            c.add(f"load-{short(element)}-stride{stride}", access, "k_load_stride", [part], [256],
                  [buffer(size * (part * 256 * stride + 64), "f32"), buffer(size * part * 256, "none")],
                  [f"-DElement={element}", f"-DSTRIDE={stride}"])
    for element, strides in {"float": (3, 6, 8, 16), "double": (1, 2, 4), "unsigned char": (1, 4), "float4": (1, 2)}.items():
        size = SIZES[element]
        for stride in strides:
            part = 65536 if size * stride <= 32 else 16384
            c.add(f"store-{short(element)}-stride{stride}", access, "k_store_stride", [part], [256],
                  [buffer(size * part * 256, "f32"), buffer(size * (part * 256 * stride + 64), "none")],
                  [f"-DElement={element}", f"-DSTRIDE={stride}"])
    for element, bits in (("float", 13), ("float", 20), ("float", 24), ("double", 16), ("double", 23), ("float4", 14), ("float4", 22)):
        size = SIZES[element]
        c.add(f"gather-{short(element)}-2^{bits}", access, "k_gather", [65536], [256],
              [buffer(size << bits, "f32"), buffer(size * n, "none")], [f"-DElement={element}", f"-DMASK={(1 << bits) - 1}"])
    for bits in (3, 8, 14, 24):
        c.add(f"atomic-2^{bits}", access, "k_atomic", [65536], [256], [buffer(4 << bits, "zero")], [f"-DMASK={(1 << bits) - 1}"])
    for block in (32, 96, 192, 768):
        c.add(f"copy-block{block}", access, "k_load_stride", [n // block], [block], [buffer(4 * (n // block) * block, "f32"), buffer(4 * (n // block) * block, "none")])
    c.add("scatter", access, "k_scatter", [65536], [256], [buffer(4 * n, "f32"), buffer(4 * n, "none")])
    c.add("broadcast-32", access, "k_broadcast", [65536], [256], [buffer(4 * n, "f32"), buffer(4 * n, "none")])
    for blocks in (132, 528, 2112):
        c.add(f"grid-stride-{blocks}", access, "k_grid_stride", [blocks], [512], [buffer(4 * n, "f32"), buffer(4 * n, "none"), i32(n)])
    for kind in ("copy", "transpose_naive", "transpose_gather", "transpose_tiled", "transpose_diagonal"):
        for element, tile, rows, size, pad in (("float", 16, 16, 4096, 1), ("float", 32, 32, 4096, 1), ("float", 32, 4, 6144, 0),
                                               ("short", 32, 8, 8192, 2), ("double", 16, 8, 4096, 1)):
            c.add(f"{kind}-{short(element)}-{tile}x{rows}-{size}-pad{pad}", transpose, f"k_{kind}", [size // tile, size // tile], [tile, rows],
                  [buffer(SIZES[element] * size * size, "f32"), buffer(SIZES[element] * size * size, "none"), i32(size)],
                  [f"-DElement={element}", f"-DTILE={tile}", f"-DROWS={rows}", f"-DPAD={pad}"])
    for kernel, block, size in (("rows", (32, 8), 2048), ("rows", (8, 8), 1024), ("rows", (256, 1), 1024), ("columns", (8, 32), 1024),
                                ("columns", (32, 8), 1024)):
        c.add(f"matmul-{kernel}-{block[0]}x{block[1]}-{size}", matmul, f"k_matmul_{kernel}", [size // block[0], size // block[1]], list(block),
              [buffer(4 * size * size, "f32"), buffer(4 * size * size, "f32"), buffer(4 * size * size, "none"), i32(size)])
    for tile, size in ((8, 1024), (16, 4096), (32, 1024)):
        c.add(f"matmul-tiled-{tile}-{size}", matmul, "k_matmul_tiled", [size // tile, size // tile], [tile, tile],
              [buffer(4 * size * size, "f32"), buffer(4 * size * size, "f32"), buffer(4 * size * size, "none"), i32(size)], [f"-DTILE={tile}"])
    for work, size in ((2, 1024), (4, 4096), (16, 2048)):
        c.add(f"matmul-register-{work}-{size}", matmul, "k_matmul_register", [size // 32, size // 32], [32, 32 // work],
              [buffer(4 * size * size, "f32"), buffer(4 * size * size, "f32"), buffer(4 * size * size, "none"), i32(size)], [f"-DWORK={work}"])
    for ilp, block in ((3, 64), (4, 256), (6, 128), (2, 1024)):
        c.add(f"fma-chain-ilp{ilp}-block{block}", latency, "k_fma_chain", [264], [block], [buffer(4 * 264 * block, "none"), f32(0.999), f32(0.001)],
              [f"-DILP={ilp}", "-DSTEPS=4096"])
    for loads, kib in ((3, 0), (6, 40), (16, 0), (2, 100)):
        blocks = 262144 // loads
        c.add(f"loads-in-flight-{loads}-shared{kib}K", latency, "k_loads_in_flight", [blocks], [256],
              [buffer(4 * blocks * 256 * loads, "f32"), buffer(4 * blocks * 256 * loads, "none"), i32(256)], [f"-DLOADS={loads}"], kib * 1024)
    for kib in (64, 1024, 32768):
        c.add(f"pointer-chase-{kib}K", latency, "k_pointer_chase", [1], [1], [buffer(kib * 1024, "chase=32"), buffer(4, "none"), i32(10000)])
    for element, stride in (("float", 2), ("float", 16), ("float", 32), ("double", 4), ("float4", 8), ("short", 64)):
        size = SIZES[element]
        c.add(f"shared-load-{short(element)}-stride{stride}", shared, "k_shared_load", [16384], [256],
              [buffer(size * 2048, "f32"), buffer(size * 16384 * 256, "none")], [f"-DElement={element}", f"-DSTRIDE={stride}"])
    for bins in (16, 256, 4096):
        c.add(f"shared-atomic-{bins}", shared, "k_shared_atomic", [16384], [256], [buffer(4 * bins, "zero")], [f"-DBINS={bins}"])
    c.add("reduce-seq1-block128", shared, "k_reduce", [131072], [128], [buffer(4 * n, "f32"), buffer(4 * 131072, "none")], ["-DSEQ=1"])


def main():
    counters, timing = Cases(), Cases()
    templates_counters(counters)
    kernels(counters, big=False)
    counters.write("counters")
    templates_timing(timing)
    kernels(timing, big=True)
    timing.write("timing")
    print(len(counters.cases), "to count,", len(timing.cases), "to time")


if __name__ == "__main__":
    main()

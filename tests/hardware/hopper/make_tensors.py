#!/usr/bin/env python3
"""Writes tensor_cases.h: tensor maps, what is copied with them, and maps that the driver may refuse."""
import random

# Name, CUtensorMapDataType, bytes.
TYPES = {"u8": (0, 1), "u16": (1, 2), "u32": (2, 4), "s32": (3, 4), "u64": (4, 8), "s64": (5, 8), "f16": (6, 2),
         "f32": (7, 4), "f64": (8, 8), "bf16": (9, 2), "f32_ftz": (10, 4), "tf32": (11, 4), "tf32_ftz": (12, 4)}
SPAN = {0: 0, 1: 32, 2: 64, 3: 128}
rng = random.Random(20261127)
SMEM = 16384
BUFFER = 65536


def fits(case):
    size = TYPES[case["type"]][1]
    n = size
    for b, e in zip(case["box"], [1] + case["elem"][1:]):
        n *= -(-b // e)
    total = case["dims"][0] * size
    for d, s in zip(case["dims"][1:], case["strides"]):
        total += (d - 1) * s
    case["bytes"] = n
    return n + case["offset"] <= SMEM and total <= BUFFER and n > 0


def make(rank, type_, swizzle, kernel="load", fill=0, elem=False, outside=True, offset=0):
    size = TYPES[type_][1]
    for _ in range(10000):
        box0 = rng.choice([16, 32, 64, 128, 256, 48, 80]) // size
        if box0 == 0 or box0 > 256:
            continue
        if swizzle and box0 * size > SPAN[swizzle]:
            continue
        box = [box0] + [rng.choice([1, 2, 3, 4, 5, 8, 16, 33]) for _ in range(rank - 1)]
        dims = [rng.randint(1, 2 * box[0] + 5)] + [rng.randint(1, 2 * b + 3) for b in box[1:]]
        strides, at = [], dims[0] * size
        for d in dims[1:]:
            at = -(-at // 16) * 16 + rng.choice([0, 0, 16, 48])
            strides.append(at)
            at *= d
        low = -3 if outside else 0
        coords = [rng.randint(low, max(0, d - 1) if outside else max(0, d - b)) for d, b in zip(dims, box)]
        # The first element must be at a multiple of 16 bytes (an H100 calls others illegal instructions).
        coords[0] = coords[0] * size // 16 * 16 // size
        es = [1] + [rng.choice([1, 2, 3]) if elem else 1 for _ in range(rank - 1)]
        case = dict(kernel=kernel, type=type_, rank=rank, dims=dims, strides=strides, box=box, elem=es, swizzle=swizzle,
                    fill=fill, coords=coords, offset=offset)
        if fits(case):
            return case
    raise RuntimeError("no case")


def array(values):
    """Without the zeros after the last dimension."""
    return "{" + ", ".join(map(str, values)) + "}"


def tensor_text(case, name):
    """The first columns of a row: the tensor and the box."""
    return (f'    {{"{name}", "{case["kernel"]}_{case["rank"]}d", {TYPES[case["type"]][0]}, {case["rank"]}, '
            f'{array(case["dims"])}, {array(case["strides"])}, {array(case["box"])},')


def copy_text(case):
    """The other columns, without the last ones that have their defaults."""
    columns = [case["swizzle"], case["fill"], array(case["coords"] if any(case["coords"]) else []),
               case.get("bytes", 0), case["offset"], array(case["elem"] if set(case["elem"]) != {1} else [])]
    for default in ("{}", 0, 0, "{}", 0, 0):
        if columns[-1] != default:
            break
        columns.pop()
    return ", ".join(map(str, columns)) + "},\n"


def main():
    cases = []
    for rank in range(1, 6):
        for swizzle in range(4):
            for n, t in enumerate(rng.sample(list(TYPES), 4)):
                cases.append(make(rank, t, swizzle, offset=0 if n < 3 else 256))
        for t in ("f16", "u8", "f32"):
            cases.append(make(rank, t, rng.randint(0, 3), elem=True))
        for t in ("f16", "bf16", "f32", "f64"):
            cases.append(make(rank, t, rng.randint(0, 3), fill=1))
    for t in TYPES:
        cases.append(make(2, t, 3, outside=False))
        cases.append(make(2, t, 0))
    for rank in range(1, 6):
        for swizzle in range(4):
            cases.append(make(rank, rng.choice(list(TYPES)), swizzle, "store", offset=rng.choice([0, 128])))
        cases.append(make(rank, "u16", 0, "store", elem=True))
    for t in ("f32_ftz", "tf32", "tf32_ftz", "f32"):
        cases.append(make(2, t, 0, "store", outside=False))
    ops = {"add": "u32 s32 u64 f16 bf16 f32", "min": "u32 s32 u64 s64 f16 bf16", "max": "u32 s32 u64 s64 f16 bf16",
           "inc": "u32", "dec": "u32", "and": "u32 u64", "or": "u32 u64", "xor": "u32 u64"}
    for op, types in ops.items():
        for t in types.split():
            cases.append(make(2, t, rng.randint(0, 3), op))
    for rank in (1, 3, 4, 5):
        cases.append(make(rank, "f32", 0, "add"))
        cases.append(make(rank, "u32", 3, "xor"))
    for type_, first in (("u8", 8), ("f16", 4), ("f32", -2), ("f64", 1)):
        case = make(2, type_, 0)
        case["coords"][0] = first
        cases.append(case)
    case = make(2, "f16", 0)
    case["offset"] = 16
    cases.append(case)
    case = make(2, "f16", 0, "store")
    case["offset"] = 64
    cases.append(case)
    # At the edge of what is defined: last, since they may fault.
    for op, t in (("add", "f64"), ("add", "s64"), ("min", "f32"), ("max", "f64"), ("and", "s32"), ("add", "u16"), ("add", "u8")):
        cases.append(make(2, t, 0, op))

    base = dict(kernel="load", type="f16", rank=2, dims=[64, 64], strides=[128], box=[64, 8], elem=[1, 1], swizzle=0, fill=0,
                coords=[0, 0], offset=0)
    edges = [("good", {})]

    def edge(name, **change):
        edges.append((name, change))
    for b in (0, 1, 255, 256, 257):
        edge(f"box rows {b}", box=[64, b])
    for b in (0, 4, 8, 12, 16, 256, 264):
        edge(f"box columns {b}", box=[b, 8], dims=[512, 64], strides=[1024])
    for s in (0, 8, 16, 64, 112, 120, 136, 144, 1 << 39, (1 << 40) - 16, 1 << 40):
        edge(f"stride {s}", strides=[s])
    for d in (0, 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1):
        edge(f"rows {d}", dims=[64, d])
        edge(f"columns {d}", dims=[d, 4], strides=[1 << 39])
    for s in (1, 2, 3):
        for b in (8, 16, 24, 32, 64, 72, 128):
            edge(f"swizzle {SPAN[s]} of {2 * b} bytes", swizzle=s, box=[b, 8], dims=[512, 64], strides=[1024])
    for e in (0, 1, 7, 8, 9):
        edge(f"element stride {e}", elem=[1, e])
        edge(f"first element stride {e}", elem=[e, 1])
    for t in TYPES:
        edge(f"{t} in rows of 128 bytes", type=t, dims=[128 // TYPES[t][1], 64], box=[16 // TYPES[t][1], 8])
        edge(f"{t} filled with NaN", type=t, dims=[128 // TYPES[t][1], 64], box=[16 // TYPES[t][1], 8], fill=1)
    edge("box of 128 KiB", box=[256, 256], dims=[512, 512], strides=[1024])
    edge("box of 256 KiB", type="f32", box=[256, 256], dims=[512, 512], strides=[2048])
    edge("box of 512 KiB", type="f64", box=[256, 256], dims=[512, 512], strides=[4096])
    for rows, layers in ((256, 3), (226, 4), (227, 4), (228, 4), (255, 4)):
        edge(f"box of {256 * rows * layers} bytes", type="u8", rank=3, dims=[512, 512, 8], strides=[512, 262144],
             box=[256, rows, layers], elem=[1, 1, 1])
    edge("box larger than the tensor", box=[128, 128])
    edge("stride shorter than a row", strides=[64])
    edge("third stride shorter than the second", rank=3, dims=[64, 64, 4], strides=[128, 64], box=[64, 8, 1], elem=[1, 1, 1])
    for o in (4, 8, 16, 32):
        edge(f"address plus {o}", offset=o)
    edge("rank 0", rank=0)
    edge("rank 6", rank=6)
    with open("tensor_cases.h", "w", encoding="utf-8") as f:
        f.write("// Tensor maps, and the copies made with them. Written by make_tensors.py.\n#pragma once\n\n// clang-format off\n"
                "#include <cstdint>\n\n"
                "// Types, swizzles and fills are numbered as in cuda.h: CUtensorMapDataType, …Swizzle,\n// …FloatOOBfill.\n"
                "struct TensorCase {\n  const char* name;\n  const char* kernel;  // of forms.ptx\n  int type;\n  int rank;\n"
                "  uint64_t dims[5];\n  uint64_t strides[4];  // bytes\n  uint32_t box[5];\n"
                "  int swizzle = 0;\n  int fill = 0;\n  int32_t coordinates[5] = {};\n"
                "  uint32_t bytes = 0;   // of the box in shared memory\n"
                "  uint32_t offset = 0;  // of the box in shared memory, or of the tensor's address\n"
                "  uint32_t element_strides[5] = {1, 1, 1, 1, 1};\n};\n\n"
                "inline constexpr TensorCase kTensorCases[] = {\n")
        for n, c in enumerate(cases):
            f.write(tensor_text(c, f"{n} {c['type']}") + "\n     " + copy_text(c))
        f.write("};\n\n// What the driver makes of these: no copy.\ninline constexpr TensorCase kTensorEdges[] = {\n")
        for name, change in edges:
            case = {**base, **change}
            f.write(f"{tensor_text(case, name)} {copy_text(case)}".replace(", }", "}"))
        f.write("};\n")
    print(len(cases), len(edges))


main()

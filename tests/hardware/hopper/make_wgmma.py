#!/usr/bin/env python3
"""Writes wgmma.ptx, a kernel for each form of wgmma.mma_async, and wgmma_cases.h, what to run them on.

Each block of four warps loads SHARED bytes, its sums and, where the first factor is in registers, four registers per
thread, multiplies once, and stores its sums."""

SHARED = 45056
FLOAT8 = ("e4m3", "e5m2")
DEPTH = {"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256}

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"


def form_of(n, d, a, b, trans_a=0, trans_b=0, scale_a=1, scale_b=1, registers=False, saturate=False):
    return dict(n=n, d=d, a=a, b=b, trans_a=trans_a, trans_b=trans_b, scale_a=scale_a, scale_b=scale_b,
                registers=registers, saturate=saturate)


def sums_of(form):
    return form["n"] // (4 if form["d"] == "f16" else 2)


def name_of(form):
    name = f"n{form['n']}_{form['d']}_{form['a']}_{form['b']}"
    if form["trans_a"] or form["trans_b"]:
        name += f"_t{form['trans_a']}{form['trans_b']}"
    if form["scale_a"] < 0 or form["scale_b"] < 0:
        name += "_" + ("m" if form["scale_a"] < 0 else "p") + ("m" if form["scale_b"] < 0 else "p")
    return name + ("_regs" if form["registers"] else "") + ("_sat" if form["saturate"] else "")


def instruction_of(form):
    a, b, d = form["a"], form["b"], form["d"]
    text = f"wgmma.mma_async.sync.aligned.m64n{form['n']}k{DEPTH[a]}" + (".satfinite" if form["saturate"] else "")
    text += f".{d}.{a}.{b}" + (".and.popc" if a == "b1" else "")
    sums = ", ".join(f"%d{i}" for i in range(sums_of(form)))
    factor = "{%a0, %a1, %a2, %a3}" if form["registers"] else "%l8"
    text += f" {{{sums}}}, {factor}, %l9, %q1"
    if d != "s32":
        text += f", {form['scale_a']}, {form['scale_b']}"
    if a in ("f16", "bf16"):
        text += f", {form['trans_b']}" if form["registers"] else f", {form['trans_a']}, {form['trans_b']}"
    return text + ";\n"


def kernel_of(form):
    words = SHARED // 4 + 128 * sums_of(form) + (512 if form["registers"] else 0)
    body = (f".visible .entry {name_of(form)}(.param .u64 a0, .param .u64 a1, .param .u64 factor_a, .param .u64 factor_b, "
            ".param .u32 keep)\n{\n.reg .b64 %l<16>; .reg .b32 %r<16>; .reg .pred %q<2>; .reg .b32 %d<128>; .reg .b32 %a<4>;\n"
            f".shared .align 1024 .b8 s[{SHARED}];\n"
            "ld.param.u64 %l0, [a0]; ld.param.u64 %l1, [a1]; ld.param.u64 %l8, [factor_a]; ld.param.u64 %l9, [factor_b];\n"
            "ld.param.u32 %r0, [keep]; setp.ne.u32 %q1, %r0, 0; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, s;\n"
            f"mul.wide.u32 %l2, %r2, {4 * words}; add.s64 %l0, %l0, %l2; mul.wide.u32 %l2, %r2, {512 * sums_of(form)};\n"
            "add.s64 %l1, %l1, %l2; mul.wide.u32 %l2, %r1, 4; add.s64 %l0, %l0, %l2; add.s64 %l1, %l1, %l2;\n"
            "shr.u32 %r4, %r3, 4; cvt.u64.u32 %l3, %r4; add.s64 %l8, %l8, %l3; add.s64 %l9, %l9, %l3;\n"
            f"mov.u64 %l4, %l0; shl.b32 %r5, %r1, 2; LOAD: setp.ge.u32 %q0, %r5, {SHARED}; @%q0 bra LOADED;\n"
            "ld.global.u32 %r6, [%l4]; add.u32 %r7, %r3, %r5; st.shared.u32 [%r7], %r6; add.s64 %l4, %l4, 512;\n"
            "add.u32 %r5, %r5, 512; bra LOAD; LOADED:\n")
    for i in range(sums_of(form)):
        body += f"ld.global.u32 %d{i}, [%l0+{SHARED + 512 * i}];\n"
    for i in range(4 if form["registers"] else 0):
        body += f"ld.global.u32 %a{i}, [%l0+{SHARED + 512 * (sums_of(form) + i)}];\n"
    body += ("fence.proxy.async; bar.sync 0;\nwgmma.fence.sync.aligned;\n" + instruction_of(form) +
             "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
    for i in range(sums_of(form)):
        body += f"st.global.u32 [%l1+{512 * i}], %d{i};\n"
    return body + "ret;\n}\n"


def descriptor(start, leading, stride, swizzle, base=0):
    """`swizzle`: bytes. PTX ISA, "Matrix Descriptor Format"."""
    mode = {0: 0, 128: 1, 64: 2, 32: 3}[swizzle]
    return start // 16 | (leading // 16) << 16 | (stride // 16) << 32 | base << 49 | mode << 62


def plain(rows, start, swizzle, transposed=False):
    """Rows of 16 bytes or of `swizzle` bytes, eight of them one after the other."""
    width = swizzle or 16
    if transposed:
        # The same, of columns: `leading` and `stride` lie as CUTLASS's canonical layouts have them.
        return descriptor(start, 1024 if swizzle else 2048, 8 * width if swizzle else 128, swizzle)
    return descriptor(start, 128 * (rows // 8) if not swizzle else 16, 8 * width, swizzle)


def forms_and_cases():
    forms, cases = {}, []

    def add(form, a, b, keep=1):
        forms.setdefault(name_of(form), form)
        cases.append((name_of(form), a, b, keep))

    def natural(form, swizzle=128):
        add(form, plain(64, 0, swizzle, form["trans_a"]), plain(form["n"], 8192, swizzle, form["trans_b"]))

    for n in (8, 16, 24, 40, 64, 120, 256):
        natural(form_of(n, "f32", "f16", "f16"))
    types = [("f32", "f16", "f16"), ("f16", "f16", "f16"), ("f32", "bf16", "bf16"), ("f32", "tf32", "tf32"),
             ("s32", "b1", "b1")]
    types += [(d, a, b) for d in ("f16", "f32") for a in FLOAT8 for b in FLOAT8]
    types += [("s32", a, b) for a in ("s8", "u8") for b in ("s8", "u8")]
    for d, a, b in types:
        for registers in (False, True):
            for n in (8, 32):
                natural(form_of(n, d, a, b, registers=registers))
        form = form_of(8, d, a, b)
        add(form, plain(64, 0, 128), plain(8, 8192, 128), keep=0)
        if d != "s32":
            for signs in ((-1, 1), (1, -1), (-1, -1)):
                natural(form_of(8, d, a, b, scale_a=signs[0], scale_b=signs[1]))
            natural(form_of(8, d, a, b, scale_a=-1, registers=True))
        elif a != "b1":
            natural(form_of(32, d, a, b, saturate=True))
    # Layouts.
    for a in ("f16", "tf32", "e4m3", "s8"):
        d = "s32" if a == "s8" else "f32"
        sixteen = a == "f16"
        for trans_a in ((0, 1) if sixteen else (0,)):
            for trans_b in ((0, 1) if sixteen else (0,)):
                form = form_of(64, d, a, a, trans_a, trans_b)
                for first in (0, 32, 64, 128):
                    for second in (0, 32, 64, 128):
                        add(form, plain(64, 0, first, trans_a), plain(64, 16384, second, trans_b))
                        # Gaps, and parts of a row.
                        add(form, descriptor(0 if not first else 32 % first, 2304, 1152, first),
                            descriptor(16384 + (0 if not second else second // 2), 3328, 1280, second))
    registers = form_of(64, "f32", "f16", "f16", trans_b=1, registers=True)
    for swizzle in (0, 32, 64, 128):
        add(registers, 0, plain(64, 16384, swizzle, True))
    # Starts that are not multiples of 1,024 bytes, with and without a base offset.
    form = form_of(64, "f32", "f16", "f16")
    for start in (128, 256, 512, 640, 896):
        for base in (0, 1, 2, 4, start // 128 % 8):
            for swizzle in (32, 64, 128):
                add(form, descriptor(start, 16, 8 * swizzle, swizzle, base), plain(64, 16384, 128))
                add(form, plain(64, 0, 128), descriptor(16384 + start, 16, 8 * swizzle, swizzle, base))
    return forms, cases


def main():
    forms, cases = forms_and_cases()
    with open("wgmma.ptx", "w") as out:
        out.write(HEAD + "".join(kernel_of(form) for form in forms.values()))
    with open("wgmma_cases.h", "w") as out:
        out.write("// Written by make_wgmma.py.\n#pragma once\n\n#include <cstdint>\n\n"
                  f"constexpr uint32_t kWgmmaShared = {SHARED};\n"
                  "// Registers per thread; type of the sums and of the first factor's elements.\n"
                  "struct WgmmaForm {\n  const char* name;\n  uint32_t sums;\n  uint32_t factors;\n  const char* d;\n"
                  "  const char* a;\n};\n// Descriptors without the address of the shared array. `keep`: scale-d.\n"
                  "struct WgmmaCase {\n  uint32_t form;\n  uint64_t a;\n  uint64_t b;\n  uint32_t keep;\n};\n\n"
                  "constexpr WgmmaForm kWgmmaForms[] = {\n")
        for name, form in forms.items():
            out.write(f'    {{"{name}", {sums_of(form)}, {4 if form["registers"] else 0}, "{form["d"]}", "{form["a"]}"}},\n')
        out.write("};\n\nconstexpr WgmmaCase kWgmmaCases[] = {\n")
        index = {name: n for n, name in enumerate(forms)}
        for name, a, b, keep in cases:
            out.write(f"    {{{index[name]}, 0x{a:x}, 0x{b:x}, {keep}}},\n")
        out.write("};\n")
    print(len(forms), "forms,", len(cases), "cases")


if __name__ == "__main__":
    main()

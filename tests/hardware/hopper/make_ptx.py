#!/usr/bin/env python3
"""Writes forms.ptx: a kernel for each form of a copy in bulk, and one for each kind of tensor copy."""

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
BYTES = {"f16": 2, "bf16": 2, "u32": 4, "s32": 4, "b32": 4, "f32": 4, "u64": 8, "s64": 8, "b64": 8, "f64": 8}
REGS = (".reg .b64 %p<8>; .reg .b32 %r<32>; .reg .b64 %l<16>; .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .pred %q<8>; "
        ".reg .b16 %h<4>;\n.shared .align 1024 .b8 s[16384]; .shared .align 8 .b64 m;\n")
# Thread 0 … 127 copy n bytes between [%l1] (generic) and s + %r20.
LOAD = """mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, {n}; shl.b32 %r4, %r1, 2;
LOAD: setp.ge.u32 %q0, %r4, %r3; @%q0 bra LOADED; cvt.u64.u32 %l2, %r4; add.s64 %l2, {from}, %l2; ld.global.u32 %r5, [%l2];
add.u32 %r6, %r2, %r4; st.shared.u32 [%r6], %r5; add.u32 %r4, %r4, 512; bra LOAD; LOADED:
fence.proxy.async; bar.sync 0;
"""
STORE = """bar.sync 0; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, {n}; shl.b32 %r4, %r1, 2;
STORE: setp.ge.u32 %q0, %r4, %r3; @%q0 bra STORED; add.u32 %r6, %r2, %r4; ld.shared.u32 %r5, [%r6]; cvt.u64.u32 %l2, %r4;
add.s64 %l2, {to}, %l2; st.global.u32 [%l2], %r5; add.u32 %r4, %r4, 512; bra STORE; STORED:
"""
WAIT = "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q2, [m], 0; @!%q2 bra WAIT;\n"
MEET = "barrier.cluster.arrive; barrier.cluster.wait;\n"


def entry(name, params, body, directives=""):
    return f".visible .entry {name}({params})\n{directives}{{\n{REGS}{body}ret;\n}}\n"


def to_global(name, instruction, bytes_):
    """Old values in `out`, operands in `in`: one instruction combines them."""
    body = ("ld.param.u64 %p0, [a0]; ld.param.u64 %p1, [a1];\n" + LOAD.format(n=bytes_, **{"from": "%p0"}) +
            f"setp.ne.u32 %q1, %r1, 0; @%q1 bra DONE; mov.u32 %r7, {bytes_};\n{instruction} [%p1], [s], %r7;\n"
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:\n")
    return entry(name, ".param .u64 a0, .param .u64 a1", body)


def to_block(name, instruction, bytes_, each_thread=False):
    """Block 0 has `in`, block 1 `out`: block 0 writes into block 1's memory."""
    per = bytes_
    issue = (instruction if each_thread else
             f"@%q1 bra ISSUED; mov.u32 %r7, {bytes_};\n{instruction} [%r11], [s], %r7, [%r12];\n")
    body = ("ld.param.u64 %p0, [a0]; ld.param.u64 %p1, [a1]; mov.u32 %r10, %cluster_ctarank; setp.eq.u32 %q3, %r10, 0;\n"
            "selp.b64 %l1, %p0, %p1, %q3; mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0;\n"
            f"@%q1 bra READY; mbarrier.init.shared::cta.b64 [m], 1; mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], {per};\n"
            "fence.mbarrier_init.release.cluster; READY:\n" + LOAD.format(n=bytes_, **{"from": "%l1"}) + MEET +
            "@!%q3 bra ISSUED; mov.u32 %r13, s; mapa.shared::cluster.u32 %r11, %r13, 1; mov.u32 %r13, m;\n"
            "mapa.shared::cluster.u32 %r12, %r13, 1;\n" + issue + "ISSUED: @%q3 bra MEET;\n" + WAIT +
            STORE.format(n=bytes_, to="%p1") + "MEET:\n" + MEET)
    return entry(name, ".param .u64 a0, .param .u64 a1", body, ".explicitcluster\n.reqnctapercluster 2, 1, 1\n")


def multicast(name, mask, bytes_):
    """Block 0 copies `in` into the memory of the blocks in `mask`; block n writes its memory to out + 4096 n."""
    body = ("ld.param.u64 %p0, [a0]; ld.param.u64 %p1, [a1]; mov.u32 %r10, %cluster_ctarank; setp.eq.u32 %q3, %r10, 0;\n"
            "mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0; mul.wide.u32 %l3, %r10, 4096; add.s64 %l3, %p1, %l3;\n"
            "@%q1 bra READY; mbarrier.init.shared::cta.b64 [m], 1; mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], "
            f"{bytes_}; fence.mbarrier_init.release.cluster; READY:\n" + LOAD.format(n=bytes_, **{"from": "%l3"}) + MEET +
            f"@!%q3 bra ISSUED; @%q1 bra ISSUED; mov.u32 %r7, {bytes_}; mov.u16 %h0, {mask}; mov.u32 %r11, s; mov.u32 %r12, m;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r11], [%p0], %r7, "
            "[%r12], %h0;\n"
            f"ISSUED: shr.u32 %r14, {mask}, %r10; and.b32 %r14, %r14, 1; setp.eq.u32 %q4, %r14, 0; @%q4 bra NONE;\n" + WAIT +
            "NONE:\n" + STORE.format(n=bytes_, to="%l3") + MEET)
    return entry(name, ".param .u64 a0, .param .u64 a1", body, ".explicitcluster\n.reqnctapercluster 4, 1, 1\n")


COORDINATES = {d: "{" + ", ".join(f"%r{20 + n}" for n in range(d)) + "}" for d in range(1, 6)}
MAP = (".param .align 64 .b8 map[128], .param .u64 a1, .param .u32 c0, .param .u32 c1, .param .u32 c2, .param .u32 c3, "
       ".param .u32 c4, .param .u32 bytes, .param .u32 offset")
ASK = ("ld.param.u64 %p1, [a1]; mov.b64 %l4, map; cvta.param.u64 %l4, %l4; ld.param.u32 %r20, [c0]; ld.param.u32 %r21, [c1];\n"
       "ld.param.u32 %r22, [c2]; ld.param.u32 %r23, [c3]; ld.param.u32 %r24, [c4]; ld.param.u32 %r30, [bytes];\n"
       "ld.param.u32 %r31, [offset]; mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0;\n")


def tensor_load(d):
    body = (ASK + "@%q1 bra READY; mbarrier.init.shared::cta.b64 [m], 1; fence.proxy.async; READY:\n"
            # Bytes that the copy does not write keep 0xcd.
            "mov.u32 %r2, s; shl.b32 %r4, %r1, 2; mov.u32 %r5, 0xcdcdcdcd;\n"
            "FILL: setp.ge.u32 %q0, %r4, 16384; @%q0 bra FILLED; add.u32 %r6, %r2, %r4; st.shared.u32 [%r6], %r5;\n"
            "add.u32 %r4, %r4, 512; bra FILL; FILLED: fence.proxy.async; bar.sync 0;\n"
            "@%q1 bra ISSUED; add.u32 %r11, %r2, %r31; mov.u32 %r12, m;\n"
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], %r30;\n"
            f"cp.async.bulk.tensor.{d}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r11], "
            f"[%l4, {COORDINATES[d]}], [%r12]; ISSUED:\n" + WAIT + STORE.format(n=16384, to="%p1"))
    return entry(f"load_{d}d", MAP, body)


def tensor_store(d, name, instruction):
    # The bytes come from the second parameter, and the map is of another buffer.
    body = (ASK + LOAD.format(n=16384, **{"from": "%p1"}) +
            f"@%q1 bra DONE; mov.u32 %r2, s; add.u32 %r11, %r2, %r31; {instruction} [%l4, {COORDINATES[d]}], [%r11];\n"
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:\n")
    return entry(f"{name}_{d}d", MAP, body)


def main():
    out = [HEAD]
    names = []

    def add(text, name, bytes_):
        out.append(text)
        names.append((name, bytes_))

    base = "cp.reduce.async.bulk.global.shared::cta.bulk_group."
    for op, types in (("add", "u32 s32 u64 f32 f64 f16 bf16"), ("min", "u32 s32 u64 s64 f16 bf16"),
                      ("max", "u32 s32 u64 s64 f16 bf16"), ("inc", "u32"), ("dec", "u32"), ("and", "b32 b64"),
                      ("or", "b32 b64"), ("xor", "b32 b64")):
        for t in types.split():
            noftz = ".noftz" if op == "add" and t in ("f16", "bf16") else ""
            name = f"global_{op}_{t}"
            add(to_global(name, f"{base}{op}{noftz}.{t}", 256 * BYTES[t]), name, 256 * BYTES[t])
    add(to_global("global_copy", "cp.async.bulk.global.shared::cta.bulk_group", 2048), "global_copy", 2048)
    base = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
    for op, types in (("add", "u32 s32 u64"), ("min", "u32 s32"), ("max", "u32 s32"), ("inc", "u32"), ("dec", "u32"),
                      ("and", "b32"), ("or", "b32"), ("xor", "b32")):
        for t in types.split():
            name = f"block_{op}_{t}"
            add(to_block(name, base + f"{op}.{t}", 256 * BYTES[t]), name, 256 * BYTES[t])
    add(to_block("block_copy", "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", 2048),
        "block_copy", 2048)
    for op, types in (("add", "u32 s32 u64"), ("min", "u32 s32"), ("max", "u32 s32"), ("inc", "u32"), ("dec", "u32"),
                      ("and", "b32"), ("or", "b32"), ("xor", "b32")):
        for t in types.split():
            wide = BYTES[t] == 8
            size = 128 * BYTES[t]
            name = f"thread_{op}_{t}"
            body = (f"mov.u32 %r13, s; mul.lo.u32 %r14, %r1, {BYTES[t]}; add.u32 %r15, %r13, %r14; "
                    f"add.u32 %r11, %r11, %r14; ld.shared.{'u64 %l5' if wide else 'u32 %r16'}, [%r15];\n"
                    f"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{op}.{t} [%r11], "
                    f"{'%l5' if wide else '%r16'}, [%r12];\n")
            add(to_block(name, body, size, True), name, size)
    for t, n in (("b32", 1), ("b32", 2), ("b32", 4), ("u64", 1), ("b64", 2), ("s32", 1)):
        wide = BYTES[t] == 8
        size = 128 * BYTES[t] * n
        name = f"thread_store_{t}x{n}"
        regs = [f"%l{5 + k}" if wide else f"%r{16 + k}" for k in range(n)]
        value = regs[0] if n == 1 else "{" + ", ".join(regs) + "}"
        vec = "" if n == 1 else f".v{n}"
        loads = f"ld.shared{vec}.{'u64' if wide else 'u32'} {value}, [%r15];"
        body = (f"mov.u32 %r13, s; mul.lo.u32 %r14, %r1, {BYTES[t] * n}; add.u32 %r15, %r13, %r14; "
                f"add.u32 %r11, %r11, %r14; {loads}\n"
                f"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{vec}.{t} [%r11], {value}, [%r12];\n")
        add(to_block(name, body, size, True), name, size)
    for mask in (1, 2, 6, 11, 15):
        add(multicast(f"multicast_{mask}", mask, 4096), f"multicast_{mask}", 16384)
    for d in range(1, 6):
        out.append(tensor_load(d))
        out.append(tensor_store(d, "store", f"cp.async.bulk.tensor.{d}d.global.shared::cta.tile.bulk_group"))
        for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
            out.append(tensor_store(d, op, f"cp.reduce.async.bulk.tensor.{d}d.global.shared::cta.{op}.tile.bulk_group"))
    with open("forms.ptx", "w", encoding="utf-8") as file:
        file.write("".join(out))
    with open("bulk_forms.h", "w", encoding="utf-8") as file:
        file.write("// The kernels of forms.ptx that take two buffers, and their sizes in bytes. Written by make_ptx.py.\n#pragma once\n\n// clang-format off\n"
                   "struct BulkForm {\n  const char* name;\n  unsigned bytes;\n};\n"
                   "inline constexpr BulkForm kBulkForms[] = {\n" +
                   "".join(f'    {{"{n}", {b}}},\n' for n, b in names) + "};\n")


main()

// Pairs of loads, from [%d20] and [%d21+4], that ptxas 13.0 merges (LDS.64) if it considers the
// addresses adjacent. t, u: values; b: the array's address. The emulator differs for two of 60 such
// pairs: it considers (4t|1)·4 − 4 and 16t to be the same address, and an address that is truncated
// to 32 bits and extended again to be a new one.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct PairCase {
  const char* name;
  const char* body;
  bool merged;
};

const PairCase kMergedPairs[] = {
    {"b+4t+4t | b+8t", "add.s64 %d20, %d5, %d3; mul.wide.s32 %d6, %r1, 8; add.s64 %d21, %d2, %d6;",
     false},
    {"b+4t+4t | b+8t wide.u32",
     "mul.wide.u32 %d3, %r1, 4; add.s64 %d5, %d2, %d3; add.s64 %d20, %d5, %d3; mul.wide.u32 %d6, "
     "%r1, 8; add.s64 %d21, %d2, %d6;",
     false},
    {"b+4(2t shl) | b+8t",
     "shl.b32 %r3, %r1, 1; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; mul.wide.s32 %d6, "
     "%r1, 8; add.s64 %d21, %d2, %d6;",
     false},
    {"twice t, zero-extended, against eight t",
     "shl.b32 %r3, %r1, 1; mul.wide.u32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; mul.wide.u32 %d6, "
     "%r1, 8; add.s64 %d21, %d2, %d6;",
     false},
    {"b+4t+4t | b+4(2t)",
     "add.s64 %d20, %d5, %d3; shl.b32 %r3, %r1, 1; mul.wide.s32 %d7, %r3, 4; add.s64 %d21, %d2, "
     "%d7;",
     false},
    {"(b+4t)+4u | b+(4t+4u)",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d3, %w35, 4; mul.wide.s32 %d4, "
     "%w36, 4; add.s64 %d5, %d2, %d3; add.s64 %d20, %d5, %d4; add.s64 %d8, %d3, %d4; add.s64 %d21, "
     "%d2, %d8;",
     false},
    {"(b+8t)+8u | (b+8u)+8t",
     "mul.wide.s32 %d3, %r1, 8; mul.wide.s32 %d4, %r2, 8; add.s64 %d5, %d2, %d3; add.s64 %d20, "
     "%d5, %d4; add.s64 %d8, %d2, %d4; add.s64 %d21, %d8, %d3;",
     false},
    {"t+t",
     "add.s32 %r3, %r1, %r1; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; mul.wide.s32 %d6, "
     "%r1, 8; add.s64 %d21, %d2, %d6;",
     false},
    {"(2t)*4 | (2t+1)*4 -4.. offset in index",
     "shl.b32 %r3, %r1, 1; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; add.s32 %r4, %r3, 4; "
     "mul.wide.s32 %d8, %r4, 4; add.s64 %d40, %d2, %d8; add.s64 %d21, %d40, -16;",
     false},
    {"4(2(t+u)) | 8t+8u",
     "add.s32 %r3, %r1, %r2; shl.b32 %r3, %r3, 1; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, "
     "%d7; mul.wide.s32 %d6, %r1, 8; mul.wide.s32 %d9, %r2, 8; add.s64 %d8, %d6, %d9; add.s64 "
     "%d21, %d2, %d8;",
     false},
    {"32-bit: shl t,3 | mad t*8",
     "shl.b32 %r3, %r1, 3; cvt.u64.u32 %d7, %r3; add.s64 %d20, %d2, %d7; mul.lo.s32 %r4, %r1, 8; "
     "cvt.u64.u32 %d8, %r4; add.s64 %d21, %d2, %d8;",
     true},
    {"32bit addr: shl(shl t,1),2 | shl t,3",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 1; shl.b32 %r3, %r3, 2; add.s32 %r6, %r5, %r3; shl.b32 "
     "%r4, %r1, 3; add.s32 %r7, %r5, %r4; cvt.u64.u32 %d20, %r6; cvt.u64.u32 %d21, %r7;",
     true},
    {"64bit shl(8t)",
     "cvt.s64.s32 %d7, %r1; shl.b64 %d8, %d7, 3; add.s64 %d20, %d2, %d8; mul.wide.s32 %d6, %r1, 8; "
     "add.s64 %d21, %d2, %d6;",
     false},
    {"4t+4t as 64 add first | 8t",
     "add.s64 %d7, %d3, %d3; add.s64 %d20, %d2, %d7; mul.wide.s32 %d6, %r1, 8; add.s64 %d21, %d2, "
     "%d6;",
     false},
    {"8t+4n-4n",
     "mul.wide.s32 %d6, %r1, 8; add.s64 %d21, %d2, %d6; mul.wide.s32 %d9, %r10, 16; add.s64 %d7, "
     "%d21, %d9; sub.s64 %d20, %d7, %d9;",
     true},
    {"4(2t) | 4(2t) recomputed",
     "shl.b32 %r3, %r1, 1; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; shl.b32 %r4, %r1, 1; "
     "mul.wide.s32 %d8, %r4, 4; add.s64 %d21, %d2, %d8;",
     true},
    {"mul.lo 2t | shl t,1 (both *4)",
     "mul.lo.s32 %r3, %r1, 2; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; shl.b32 %r4, %r1, "
     "1; mul.wide.s32 %d8, %r4, 4; add.s64 %d21, %d2, %d8;",
     true},
    {"(4t+1)*4 | 16t",
     "shl.b32 %r3, %r1, 2; or.b32 %r4, %r3, 1; mul.wide.s32 %d7, %r4, 4; add.s64 %d8, %d2, %d7; "
     "add.s64 %d20, %d8, -4; mul.wide.s32 %d6, %r1, 16; add.s64 %d21, %d2, %d6;",
     false},
    {"(4t)*4 | 16t",
     "shl.b32 %r3, %r1, 2; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; mul.wide.s32 %d6, "
     "%r1, 16; add.s64 %d21, %d2, %d6;",
     false},
    {"(4t+1)*4-4 | (4t)*4",
     "shl.b32 %r3, %r1, 2; or.b32 %r4, %r3, 1; mul.wide.s32 %d7, %r4, 4; add.s64 %d8, %d2, %d7; "
     "add.s64 %d20, %d8, -4; mul.wide.s32 %d6, %r3, 4; add.s64 %d21, %d2, %d6;",
     false},
    {"b+4t+4t | b+8t (32)",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 2; add.s32 %r6, %r5, %r3; add.s32 %r30, %r6, %r3; shl.b32 "
     "%r4, %r1, 3; add.s32 %r31, %r5, %r4; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     false},
    {"b+(4t+4t) | b+8t",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 2; add.s32 %r6, %r3, %r3; add.s32 %r30, %r6, %r5; shl.b32 "
     "%r4, %r1, 3; add.s32 %r31, %r5, %r4; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     false},
    {"(b+8t)+8u | (b+8u)+8t (32)",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 3; shl.b32 %r4, %r2, 3; add.s32 %r6, %r5, %r3; add.s32 "
     "%r30, %r6, %r4; add.s32 %r7, %r5, %r4; add.s32 %r31, %r7, %r3; cvt.u64.u32 %d20, %r30; "
     "cvt.u64.u32 %d21, %r31;",
     false},
    {"(b+8t)+8u | b+(8u+8t)",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 3; shl.b32 %r4, %r2, 3; add.s32 %r6, %r5, %r3; add.s32 "
     "%r30, %r6, %r4; add.s32 %r7, %r3, %r4; add.s32 %r31, %r7, %r5; cvt.u64.u32 %d20, %r30; "
     "cvt.u64.u32 %d21, %r31;",
     false},
    {"(2t+4)*4-16 | 8t",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 1; add.s32 %r4, %r3, 4; shl.b32 %r4, %r4, 2; add.s32 %r7, "
     "%r4, %r5; add.s32 %r30, %r7, -16; shl.b32 %r8, %r1, 3; add.s32 %r31, %r5, %r8; cvt.u64.u32 "
     "%d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"(2t+4)*4-16 | (2t)*4",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 1; add.s32 %r4, %r3, 4; shl.b32 %r4, %r4, 2; add.s32 %r7, "
     "%r4, %r5; add.s32 %r30, %r7, -16; shl.b32 %r8, %r3, 2; add.s32 %r31, %r5, %r8; cvt.u64.u32 "
     "%d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"(4t)*4 | 16t again",
     "mov.u32 %r5, s; shl.b32 %r3, %r1, 2; shl.b32 %r4, %r3, 2; add.s32 %r30, %r4, %r5; shl.b32 "
     "%r8, %r1, 4; add.s32 %r31, %r5, %r8; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"4(t+u) | 4t+4u",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; add.s32 %r3, %w35, %w36; shl.b32 "
     "%r4, %r3, 2; add.s32 %r30, %r4, %r5; shl.b32 %r8, %w35, 2; shl.b32 %r9, %w36, 2; add.s32 "
     "%r7, %r8, %r9; add.s32 %r31, %r5, %r7; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     false},
    {"mad t*12+.. | 8t+4t",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; mad.lo.s32 %r30, %w35, 12, %r5; shl.b32 %r3, %w35, 3; "
     "shl.b32 %r4, %w35, 2; add.s32 %r6, %r3, %r4; add.s32 %r31, %r6, %r5; cvt.u64.u32 %d20, %r30; "
     "cvt.u64.u32 %d21, %r31;",
     false},
    {"(t*2+n)*4+16 | (2t+n+4)*4",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w37, %r10, 1; add.s32 %r3, %w35, %w37; "
     "shl.b32 %r4, %r3, 2; add.s32 %r6, %r4, %r5; add.s32 %r30, %r6, 16; add.s32 %r7, %r3, 4; "
     "shl.b32 %r8, %r7, 2; add.s32 %r31, %r8, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"wide (2t+n)*4+16 | (2t+n+4)*4",
     "shl.b32 %w35, %r1, 1; shl.b32 %w37, %r10, 1; add.s32 %r3, %w35, %w37; mul.wide.s32 %d7, %r3, "
     "4; add.s64 %d8, %d2, %d7; add.s64 %d20, %d8, 16; add.s32 %r7, %r3, 4; mul.wide.s32 %d9, %r7, "
     "4; add.s64 %d21, %d2, %d9;",
     false},
    {"wide same index, base +16 vs -",
     "shl.b32 %w35, %r1, 1; mul.wide.s32 %d7, %w35, 4; add.s64 %d8, %d7, 16; add.s64 %d20, %d2, "
     "%d8; add.s64 %d9, %d2, %d7; add.s64 %d21, %d9, 16;",
     true},
    {"row: s+(t*32)*4 + u*4 | s+ u*4 + t*128",
     "shl.b32 %w36, %r2, 1; shl.b32 %r3, %r1, 5; add.s32 %r4, %r3, %w36; mul.wide.s32 %d7, %r4, 4; "
     "add.s64 %d20, %d2, %d7; mul.wide.s32 %d8, %r1, 128; add.s64 %d9, %d2, %d8; mul.wide.s32 "
     "%d10, %w36, 4; add.s64 %d21, %d9, %d10;",
     false},
    {"commut: d2+d7 | d7+d2",
     "shl.b32 %w35, %r1, 1; mul.wide.s32 %d7, %w35, 4; add.s64 %d20, %d2, %d7; add.s64 %d21, %d7, "
     "%d2;",
     true},
    {"s32 vs u32 wide",
     "shl.b32 %w35, %r1, 1; mul.wide.s32 %d7, %w35, 4; mul.wide.u32 %d8, %w35, 4; add.s64 %d20, "
     "%d2, %d7; add.s64 %d21, %d8, %d2;",
     false},
    {"and-masked index: (2t&62)*4 same twice",
     "shl.b32 %w35, %r1, 1; and.b32 %r3, %w35, 62; mul.wide.u32 %d7, %r3, 4; and.b32 %r4, %w35, "
     "62; mul.wide.u32 %d8, %r4, 4; add.s64 %d20, %d2, %d7; add.s64 %d21, %d8, %d2;",
     true},
    {"cvt+shl64 vs mul.wide",
     "shl.b32 %w35, %r1, 1; cvt.s64.s32 %d7, %w35; shl.b64 %d7, %d7, 2; mul.wide.s32 %d8, %w35, 4; "
     "add.s64 %d20, %d2, %d7; add.s64 %d21, %d8, %d2;",
     false},
    {"mad.wide",
     "shl.b32 %w35, %r1, 1; mad.wide.s32 %d20, %w35, 4, %d2; mul.wide.s32 %d8, %w35, 4; add.s64 "
     "%d21, %d8, %d2;",
     false},
    {"mad.lo t*4+b | shl t,2 + b",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mad.lo.s32 %r30, %w35, 4, %r5; "
     "shl.b32 %r3, %w35, 2; add.s32 %r31, %r3, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, "
     "%r31;",
     true},
    {"mad.lo (t*12+u)*4 | mul 12, add, shl",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mad.lo.s32 %r3, %w35, 12, %w36; "
     "shl.b32 %r4, %r3, 2; add.s32 %r30, %r4, %r5; mul.lo.s32 %r6, %w35, 12; add.s32 %r7, %r6, "
     "%w36; shl.b32 %r8, %r7, 2; add.s32 %r31, %r8, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, "
     "%r31;",
     true},
    {"mul 12 then *4 | mul 48",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.lo.s32 %r3, %w35, 12; "
     "shl.b32 %r4, %r3, 2; add.s32 %r30, %r4, %r5; mul.lo.s32 %r6, %w35, 48; add.s32 %r31, %r6, "
     "%r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"sub const",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; add.s32 %r3, %w35, -2; shl.b32 "
     "%r4, %r3, 2; add.s32 %r6, %r4, %r5; add.s32 %r30, %r6, 8; shl.b32 %r7, %w35, 2; add.s32 "
     "%r31, %r7, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"sub instr const",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; sub.s32 %r3, %w35, 2; shl.b32 "
     "%r4, %r3, 2; add.s32 %r6, %r4, %r5; add.s32 %r30, %r6, 8; shl.b32 %r7, %w35, 2; add.s32 "
     "%r31, %r7, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"mul.lo by const distributes",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; add.s32 %r3, %w35, 2; mul.lo.s32 "
     "%r4, %r3, 12; add.s32 %r6, %r4, %r5; add.s32 %r30, %r6, -24; mul.lo.s32 %r7, %w35, 12; "
     "add.s32 %r31, %r7, %r5; cvt.u64.u32 %d20, %r30; cvt.u64.u32 %d21, %r31;",
     true},
    {"add inner const: (t+2)+u vs (t+u)+2",
     "mov.u32 %r5, s; shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; add.s32 %r3, %w35, 2; add.s32 "
     "%r4, %r3, %w36; shl.b32 %r6, %r4, 2; add.s32 %r30, %r6, %r5; add.s32 %r7, %w35, %w36; "
     "add.s32 %r8, %r7, 2; shl.b32 %r9, %r8, 2; add.s32 %r31, %r9, %r5; cvt.u64.u32 %d20, %r30; "
     "cvt.u64.u32 %d21, %r31;",
     true},
    {"cvt widened",
     "cvt.s64.s32 %d7, %r1; shl.b64 %d8, %d7, 3; add.s64 %d20, %d2, %d8; cvt.s64.s32 %d9, %r1; "
     "mul.lo.s64 %d10, %d9, 8; add.s64 %d21, %d2, %d10;",
     false},
    {"shl of sum const",
     "cvt.s64.s32 %d7, %r1; shl.b64 %d8, %d7, 3; add.s64 %d20, %d2, %d8; add.s64 %d9, %d7, 2; "
     "shl.b64 %d10, %d9, 3; add.s64 %d11, %d2, %d10; add.s64 %d21, %d11, -16;",
     true},
    {"shl shl",
     "cvt.s64.s32 %d7, %r1; shl.b64 %d8, %d7, 3; add.s64 %d20, %d2, %d8; shl.b64 %d9, %d7, 1; "
     "shl.b64 %d10, %d9, 2; add.s64 %d21, %d2, %d10;",
     true},
    {"wide of shl | same wide",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; shl.b64 %d8, %d7, 1; "
     "add.s64 %d20, %d2, %d8; mul.wide.s32 %d9, %w35, 4; mul.lo.s64 %d10, %d9, 2; add.s64 %d21, "
     "%d2, %d10;",
     false},
    {"wide u32 of add const",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.u32 %d7, %w35, 4; add.s64 %d20, %d2, "
     "%d7; add.s32 %r3, %w35, 2; mul.wide.u32 %d8, %r3, 4; add.s64 %d9, %d2, %d8; add.s64 %d21, "
     "%d9, -8;",
     false},
    {"wide s32 of add const, no wrap known (and)",
     "and.b32 %r3, %r1, 62; mul.wide.s32 %d7, %r3, 4; add.s64 %d20, %d2, %d7; add.s32 %r4, %r3, 2; "
     "mul.wide.s32 %d8, %r4, 4; add.s64 %d9, %d2, %d8; add.s64 %d21, %d9, -8;",
     false},
    {"bfi/and same",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; and.b32 %r3, %w35, 62; and.b32 %r4, %w35, 62; "
     "mul.wide.u32 %d7, %r3, 4;mul.wide.u32 %d8, %r4, 4; add.s64 %d20, %d2, %d7; add.s64 %d21, "
     "%d2, %d8;",
     true},
    {"cancel (x+y)-y 64",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; mul.wide.s32 %d8, "
     "%w36, 4; add.s64 %d9, %d2, %d7; add.s64 %d10, %d9, %d8; sub.s64 %d20, %d10, %d8; add.s64 "
     "%d21, %d2, %d7;",
     true},
    {"sums same order",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; mul.wide.s32 %d8, "
     "%w36, 4; add.s64 %d9, %d2, %d7; add.s64 %d20, %d9, %d8; add.s64 %d10, %d2, %d7; add.s64 "
     "%d21, %d10, %d8;",
     true},
    {"dynamic stride: (t*n)*4 | recomputed",
     "shl.b32 %w37, %r10, 1; mul.lo.s32 %r3, %r1, %w37; mul.wide.s32 %d7, %r3, 4; mul.lo.s32 %r4, "
     "%w37, %r1; mul.wide.s32 %d8, %r4, 4; add.s64 %d20, %d2, %d7; add.s64 %d21, %d2, %d8;",
     true},
    {"cvt.u64 of sum const, shl",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; cvt.u64.u32 %d7, %w35; shl.b64 %d8, %d7, 2; "
     "add.s64 %d20, %d2, %d8; add.s32 %r3, %w35, 2; cvt.u64.u32 %d9, %r3; shl.b64 %d10, %d9, 2; "
     "add.s64 %d11, %d2, %d10; add.s64 %d21, %d11, -8;",
     false},
    {"cvt.u64 of sum const, add",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; shl.b32 %w39, %w35, 2; cvt.u64.u32 %d7, %w39; "
     "add.s64 %d20, %d2, %d7; add.s32 %r3, %w39, 8; cvt.u64.u32 %d9, %r3; add.s64 %d11, %d2, %d9; "
     "add.s64 %d21, %d11, -8;",
     false},
    {"cvt.s64 of sum const, add",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; shl.b32 %w39, %w35, 2; cvt.s64.s32 %d7, %w39; "
     "add.s64 %d20, %d2, %d7; add.s32 %r3, %w39, 8; cvt.s64.s32 %d9, %r3; add.s64 %d11, %d2, %d9; "
     "add.s64 %d21, %d11, -8;",
     false},
    {"two vars",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; add.s64 %d20, %d2, "
     "%d7; mov.u64 %d9, s+64; add.s64 %d40, %d9, %d7; add.s64 %d21, %d40, -64;",
     false},
    {"add assoc with B: (B+x)+y | (B+y)+x",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; mul.wide.s32 %d8, "
     "%w36, 4; add.s64 %d9, %d2, %d7; add.s64 %d20, %d9, %d8; add.s64 %d10, %d2, %d8; add.s64 "
     "%d21, %d10, %d7;",
     false},
    {"mov chain",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; add.s64 %d9, %d2, "
     "%d7; mov.u64 %d20, %d9; add.s64 %d21, %d2, %d7;",
     true},
    {"cvta",
     "shl.b32 %w35, %r1, 1; shl.b32 %w36, %r2, 1; mul.wide.s32 %d7, %w35, 4; cvta.shared.u64 %d8, "
     "%d2; cvta.to.shared.u64 %d9, %d8; add.s64 %d20, %d9, %d7; add.s64 %d21, %d2, %d7;",
     false},
};

TEST(MergedPairs, AreThosePtxasMerges) {
  for (const PairCase& c : kMergedPairs) {
    SCOPED_TRACE(c.name);
    const std::string body =
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r10, %ctaid.x; mov.u64 %d2, s; "
        "mul.wide.s32 %d3, %r1, 4;"
        "mul.wide.s32 %d4, %r2, 4; add.s64 %d5, %d2, %d3; st.shared.u32 [%d5], %r1; bar.sync 0;\n" +
        std::string(c.body) +
        "\nld.shared.u32 %r20, [%d20]; ld.shared.u32 %r21, [%d21+4]; add.s32 %r22, %r20, %r21;"
        "st.global.u32 [%p0], %r22; ret;";
    const std::string text = kernel_text(
        body, 1, "", ".shared .align 16 .b8 s[16384]; .reg .b64 %d<60>; .reg .b32 %w<48>;");
    const ptx::ParseOutput parsed = ptx::parse(text, "t");
    ASSERT_FALSE(has_errors(parsed.diagnostics)) << render(parsed.diagnostics);
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(parsed.module), "k");
    ASSERT_TRUE(program.ok()) << render(program.errors());
    int loads = 0;
    for (const AccessSite& site : program->access_sites()) {
      if (site.space != ptx::Space::kShared || site.kind != AccessKind::kLoad) continue;
      loads += site.leader < 0 && !site.dropped ? 1 : 0;
    }
    EXPECT_EQ(loads, c.merged ? 1 : 2);
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing

// Loads whose value is checked again by an atomic. By the PTX memory model (PTX ISA §8, "data
// race") a plain load concurrent with an atomic of another thread is a race. Yet programs rely on
// some such loads, even in NVIDIA's documentation (CUDA C++ Programming Guide, "Atomic Functions",
// atomicAdd for double), since a stale value does no harm there:
//
//   old = *p;
//   do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);
//   if (v < *p) atomicMin(p, v);
//   if (table[h] == 0) atomicCAS(&table[h], 0, key);
//
// In each, the loaded value is an operand of an atomicCAS on the same address, by the same thread,
// whose result decides what happens next, or it decides whether an atomic there is executed. An
// operand that is computed from it is not enough: atomicMax(p, *p + 1), and an atomicCAS(p, v, v +
// 1) that is not tried again, lose updates. For atomicCAS it is enough that both access the same
// array, since the compiler may compute one index in two ways: (31 k & 1023) << 2 is (31 k << 2) &
// 4092.
#pragma once

#include <vector>

#include "state/decoded.h"

namespace warpshop::emulator {

// Indexed by site of the program; sites that are not loads are kPlain.
std::vector<LoadBesideAtomics> loads_beside_atomics(const DecodedProgram& program);

}  // namespace warpshop::emulator

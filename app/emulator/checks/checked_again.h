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
// In each, the loaded value is an operand of an atomic on the same address, by the same thread,
// that reads memory again, or decides whether such an atomic is executed. For atomicCAS it is
// enough that both access the same array, since the compiler may compute one index in two ways: (31
// k & 1023) << 2 is (31 k << 2) & 4092.
#pragma once

#include <cstdint>
#include <vector>

namespace warpshop::emulator {

struct DecodedProgram;

enum class LoadBesideAtomics : uint8_t {
  kPlain,
  kCheckedAgain,  // its value is used by an atomic on the same address, or decides about one
  kStrong,  // volatile, relaxed, acquire: no race with an atomic (PTX ISA §8, "strong operations")
};

// Indexed by site of the program; sites that are not loads are kPlain.
std::vector<LoadBesideAtomics> loads_beside_atomics(const DecodedProgram& program);

}  // namespace warpshop::emulator

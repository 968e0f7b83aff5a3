// Loads whose value an atomic checks again. By the PTX memory model (PTX ISA §8, "data race") a plain load that meets an
// atomic of another thread is a race. Programs live on some of them all the same, NVIDIA's own documents among them
// (CUDA C++ Programming Guide, "Atomic Functions", atomicAdd for double), since an old value does no harm there:
//
//   old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);
//   if (v < *p) atomicMin(p, v);
//   if (table[h] == 0) atomicCAS(&table[h], 0, key);
//
// What they share: the loaded value goes into an atomic on the same address, by the same thread, that looks at memory
// anew, or decides whether such an atomic is executed. Of an atomicCAS it is enough that both go to one array, since the
// compiler may work out one index in two ways: (31 k & 1023) << 2 is (31 k << 2) & 4092.
#pragma once

#include <cstdint>
#include <vector>

namespace warpshop::emulator {

struct DecodedProgram;

enum class LoadBesideAtomics : uint8_t {
  kPlain,
  kCheckedAgain,   // its value goes into an atomic on the same address, or decides about one
  kStrong,         // volatile, relaxed, acquire: no race with an atomic (PTX ISA §8, "strong operations")
};

// By site of the program; what is no load is kPlain.
std::vector<LoadBesideAtomics> loads_beside_atomics(const DecodedProgram& program);

}  // namespace warpshop::emulator

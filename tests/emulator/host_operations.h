// PTX operations in host arithmetic, written from the text of the
// PTX ISA, independently of the emulator.
#pragma once

#include <cstdint>
#include <span>

namespace warpshop::emulator::testing {

// Register classes: r = 32 bits, l = 64 bits, f = f32, d = f64. Values are passed as bits.
using Bits = uint64_t;

struct Operation {
  const char* ptx;  // $0 is the destination, $1 … are the sources; %t0, %t1 and %u0 are scratch
  char destination;
  const char* sources;  // one class per source
  Bits (*host)(const Bits* in);
};

std::span<const Operation> operations();

struct Comparison {
  const char* ptx;  // "setp.lt.u32"
  char sources;     // class of both sources
  bool (*host)(Bits a, Bits b);
};
std::span<const Comparison> comparisons();

}  // namespace warpshop::emulator::testing

// What a buffer holds before a launch: the same for labs and for `run --spec`, on the emulator and
// on a GPU. docs/writing-a-lab.md and docs/cli.md give the table; the kinds and formulas are those
// of the hardware truth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/element_type.h"

namespace warpshop {

// 32-bit finaliser that makes numbers look random. Source: hardware truth README, "Fills".
constexpr uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

// 64-bit finaliser. Source: SplitMix64, Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014), with
// the constants of Stafford's variant 13.
constexpr uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

enum class FillKind : uint8_t {
  kZero,
  kNone,    // never written
  kIota,    // element i is i, in the element type
  kRandom,  // by element type: f32 and f64 in −0.25 … 0.75, integers the low bits of mix(i)
  kBits,    // u32: mix(i · 2654435761 + 12345)
  kChase,   // u32: (i + shift) mod n
  kFile,    // the bytes of a file
};

struct Fill {
  FillKind kind = FillKind::kZero;
  ElementType type = ElementType::kU32;  // of kIota and kRandom
  uint32_t seed = 0;                     // kRandom, kBits: added to mix's input times 0x9e3779b9
  uint32_t shift = 0;                    // kChase
  std::string file = {};                 // kFile: as written
  // kRandom, kBits: not 0: inputs that nobody knows who does not know the key. Word i then begins with the upper half of
  // mix64(key + (i + 1) · 0x9e3779b97f4a7c15) instead of mix(…); from the words the key cannot be told.
  uint64_t key = 0;
};

// True when the kernel may read the buffer: everything but kNone.
bool writes(const Fill& fill);

// Fills `bytes`; kNone leaves zeroes. `file_bytes` is what kFile takes from, at least as long as
// `bytes`. Buffers over 64 MiB repeat their first 64 MiB (kChase apart), as the hardware truth's
// do.
void fill_bytes(const Fill& fill, std::span<uint8_t> bytes, std::string_view file_bytes = {});

// FNV-1a, 64 bits, as 16 hexadecimal digits. Source: hardware truth README, "Truth".
std::string fnv1a_hex(std::span<const uint8_t> bytes);

}  // namespace warpshop

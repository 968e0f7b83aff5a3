// Initial contents of a buffer. Labs and `run --spec` use the same fills, on the emulator and on a
// GPU. docs/writing-a-lab.md and docs/cli.md list them; the kinds and formulas match the hardware
// truth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/element_type.h"

namespace warpshop {

// 32-bit finaliser: turns a counter into a pseudorandom number. Source: hardware truth README,
// "Fills".
constexpr uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

// 64-bit finaliser. Source: SplitMix64, Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
// Generators" (2014), with the constants of Stafford's variant 13.
constexpr uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

enum class FillKind : uint8_t {
  kZero,
  kNone,    // left uninitialised
  kIota,    // element i is i, in the element type
  kRandom,  // by element type: floats in −0.25 … 0.75; integers are the low bits of mix(i)
  kBits,    // u32: mix(i · 2654435761 + 12345)
  kChase,   // u32: (i + shift) mod n
  kFile,    // the bytes of a file
};

struct Fill {
  FillKind kind = FillKind::kZero;
  ElementType type = ElementType::kU32;  // for kIota and kRandom
  uint32_t seed = 0;                     // kRandom, kBits: times 0x9e3779b9, added to mix's input
  uint32_t shift = 0;                    // kChase
  std::string file = {};                 // kFile: the path as written
  // kRandom, kBits: if not 0, the inputs are unpredictable without the key. Word i then starts from
  // the upper half of mix64(key + (i + 1) · 0x9e3779b97f4a7c15) instead of mix(…). The words do not
  // reveal the key.
  uint64_t key = 0;
};

// The word from which kRandom makes element i.
uint32_t random_word(const Fill& fill, size_t i);

// True if the kernel may read the buffer: every kind except kNone.
bool writes(const Fill& fill);

// Fills `bytes`; kNone leaves zeros. `file_bytes` is the source for kFile and must be at least as
// long as `bytes`. Buffers over 64 MiB repeat their first 64 MiB (except kChase), as in the
// hardware truth.
void fill_bytes(const Fill& fill, std::span<uint8_t> bytes, std::string_view file_bytes = {});

// A hash of 64 bits as 16 hexadecimal digits: FNV-1a, but starting from 1469598103934665603 as the
// hashes recorded on GPUs do (tests/hardware/README.md, "Truth"). FNV's own basis has one more
// digit: text_hash() starts from that.
std::string fnv1a_hex(std::span<const uint8_t> bytes);

}  // namespace warpshop

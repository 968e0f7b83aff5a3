// The bytes that the kernels of forms.ptx start from, on the chip and in the test.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../../emulator/matrix_truth/elements.h"
#include "wgmma_cases.h"

namespace truth {

inline uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

inline uint64_t hash_of(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 1469598103934665603u;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

// A float of this size: every other one has any bits, the rest have exponents close to 1.
inline uint64_t float_bits(int bytes, bool brain, uint64_t n) {
  const int exponent_bits = bytes == 8 ? 11 : bytes == 4 || brain ? 8 : 5;
  const int mantissa_bits = 8 * bytes - 1 - exponent_bits;
  uint64_t bits = mixed(n) & (bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1);
  if (n % 2 == 0) return bits;
  const uint64_t field = (uint64_t{1} << exponent_bits) - 1;
  const uint64_t near = (field >> 1) - 3 + mixed(n + 77) % 7;
  return (bits & ~(field << mantissa_bits)) | near << mantissa_bits;
}

// `count` elements of a PTX type; `seed` tells one buffer from another.
inline std::vector<uint8_t> elements(const std::string& type, size_t bytes, uint64_t seed) {
  const bool brain = type.starts_with("bf");
  const bool floating = brain || type[0] == 'f' || type[0] == 't';
  const int size = type.find("64") != std::string::npos                ? 8
                   : type.find("32") != std::string::npos              ? 4
                   : type == "u8" || type == "copy" || type.size() < 3 ? 1
                                                                       : 2;
  std::vector<uint8_t> out(bytes);
  for (size_t n = 0; n * static_cast<size_t>(size) < bytes; ++n) {
    const uint64_t key = seed * 1000003 + n;
    // Small numbers among the integers too, for inc and dec.
    const uint64_t bits =
        floating ? float_bits(size, brain, key) : mixed(key) >> (n % 3 == 0 ? 56 : 0);
    std::memcpy(out.data() + n * static_cast<size_t>(size), &bits, static_cast<size_t>(size));
  }
  return out;
}

// The type in "global_add_f16", "thread_store_b32x4", "0 u16".
inline std::string type_of_name(const std::string& name) {
  const size_t at = name.find_last_of("_ ");
  std::string type = name.substr(at + 1);
  if (type == "ftz") type = "f32";
  return type.substr(0, type.find('x'));
}

inline const char* type_name(int tensor_type) {
  constexpr const char* kNames[] = {"u8",  "u16", "u32",  "s32", "u64", "s64", "f16",
                                    "f32", "f64", "bf16", "f32", "f32", "f32"};
  return kNames[tensor_type];
}

// Blocks of a launch. In each, the shared array, then the sums and factors of all threads, register
// by register, as the kernels of wgmma.ptx load them.
constexpr uint32_t kWgmmaRounds = 8;

inline std::vector<uint8_t> wgmma_input(const WgmmaForm& form) {
  struct Format {
    const char* name;
    int bits;
    int exponent_bits;
  };
  constexpr Format kFormats[] = {{"f16", 16, 5}, {"bf16", 16, 8}, {"tf32", 32, 8}, {"f32", 32, 8},
                                 {"e4m3", 8, 4}, {"e5m2", 8, 5},  {"s8", 8, 0},    {"u8", 8, 0},
                                 {"b1", 32, 0},  {"s32", 32, 0}};
  const auto format_of = [&](const char* type) {
    for (const Format& format : kFormats)
      if (std::strcmp(format.name, type) == 0) return format;
    return kFormats[0];
  };
  std::vector<uint8_t> out;
  const auto add = [&](uint32_t round, uint32_t operand, const Format& format, uint32_t words) {
    const auto each = static_cast<uint32_t>(32 / format.bits);
    for (uint32_t n = 0; n < words; ++n) {
      uint32_t word = 0;
      for (uint32_t j = 0; j < each; ++j) {
        const uint32_t element = matrix_truth::matrix_element(round, operand, n * each + j,
                                                              format.bits, format.exponent_bits);
        word |= element << (static_cast<uint32_t>(format.bits) * j % 32);
      }
      for (int byte = 0; byte < 4; ++byte) out.push_back(static_cast<uint8_t>(word >> (8 * byte)));
    }
  };
  for (uint32_t round = 0; round < kWgmmaRounds; ++round) {
    add(round, 1, format_of(form.a), kWgmmaShared / 4);
    add(round, 2, format_of(form.d), 128 * form.sums);
    add(round, 0, format_of(form.a), 128 * form.factors);
  }
  return out;
}

constexpr size_t kTensorBytes = 65536;
constexpr size_t kSharedBytes = 16384;

}  // namespace truth

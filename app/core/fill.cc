#include "core/fill.h"

#include <algorithm>
#include <cstring>

#include "core/half.h"

namespace warpshop {
namespace {

constexpr size_t kRepeatBytes = size_t{64} << 20;
constexpr uint32_t kSeedStep = 0x9e3779b9U;

// bytes[i] = value(i) as little-endian T; a shorter tail gets the value's first bytes.
template <typename T, typename Value>
void fill_words(std::span<uint8_t> bytes, Value value) {
  const size_t whole = bytes.size() / sizeof(T);
  for (size_t i = 0; i < whole; ++i) {
    const T word = value(i);
    std::memcpy(bytes.data() + i * sizeof(T), &word, sizeof(T));
  }
  if (const size_t tail = bytes.size() % sizeof(T); tail != 0) {
    const T word = value(whole);
    std::memcpy(bytes.data() + whole * sizeof(T), &word, tail);
  }
}

uint32_t low(size_t i) { return static_cast<uint32_t>(i); }

void fill_iota(ElementType type, std::span<uint8_t> bytes) {
  switch (type) {
    case ElementType::kU8:
      return fill_words<uint8_t>(bytes, [](size_t i) { return uint8_t(i); });
    case ElementType::kU16:
      return fill_words<uint16_t>(bytes, [](size_t i) { return uint16_t(i); });
    case ElementType::kI32:
    case ElementType::kU32:
      return fill_words<uint32_t>(bytes, low);
    case ElementType::kI64:
      return fill_words<uint64_t>(bytes, [](size_t i) { return uint64_t{i}; });
    case ElementType::kF16:
      return fill_words<Float16>(bytes, [](size_t i) { return to_float16(double(i)); });
    case ElementType::kBf16:
      return fill_words<BFloat16>(bytes, [](size_t i) { return to_bfloat16(double(i)); });
    case ElementType::kF32:
      return fill_words<float>(bytes, [](size_t i) { return float(i); });
    case ElementType::kF64:
      return fill_words<double>(bytes, [](size_t i) { return double(i); });
  }
}

uint32_t keyed_bits(uint64_t key, size_t i) {
  return static_cast<uint32_t>(mix64(key + (i + 1) * 0x9e3779b97f4a7c15ULL) >> 32);
}

void fill_random(const Fill& fill, std::span<uint8_t> bytes) {
  const auto bits = [&fill](size_t i) { return random_word(fill, i); };
  const auto in_256ths = [&bits](size_t i) { return double(bits(i) & 0xFF) / 256.0 - 0.25; };
  switch (fill.type) {
    case ElementType::kU8:
      return fill_words<uint8_t>(bytes, [&](size_t i) { return uint8_t(bits(i)); });
    case ElementType::kU16:
      return fill_words<uint16_t>(bytes, [&](size_t i) { return uint16_t(bits(i)); });
    case ElementType::kI32:
    case ElementType::kU32:
      return fill_words<uint32_t>(bytes, bits);
    case ElementType::kI64:
      return fill_words<uint64_t>(bytes, [&](size_t i) { return uint64_t{bits(i)}; });
    case ElementType::kF16:
      return fill_words<Float16>(bytes, [&](size_t i) { return to_float16(in_256ths(i)); });
    case ElementType::kBf16:
      return fill_words<BFloat16>(bytes, [&](size_t i) { return to_bfloat16(in_256ths(i)); });
    case ElementType::kF32:
      return fill_words<float>(
          bytes, [&](size_t i) { return float(bits(i) & 0xFFFF) / 65536.0F - 0.25F; });
    case ElementType::kF64:
      return fill_words<double>(
          bytes, [&](size_t i) { return double(bits(i) & 0xFFFFFF) / 16777216.0 - 0.25; });
  }
}

}  // namespace

uint32_t random_word(const Fill& fill, size_t i) {
  return fill.key != 0 ? keyed_bits(fill.key, i) : mix(low(i) + fill.seed * kSeedStep);
}

bool writes(const Fill& fill) { return fill.kind != FillKind::kNone; }

void fill_bytes(const Fill& fill, std::span<uint8_t> bytes, std::string_view file_bytes) {
  const bool repeats = bytes.size() > kRepeatBytes && fill.kind != FillKind::kChase &&
                       fill.kind != FillKind::kFile && fill.kind != FillKind::kZero;
  const std::span<uint8_t> part = repeats ? bytes.first(kRepeatBytes) : bytes;
  const uint32_t start = fill.seed * kSeedStep;
  switch (fill.kind) {
    case FillKind::kNone:
      return;
    case FillKind::kZero:
      std::fill(part.begin(), part.end(), uint8_t{0});
      break;
    case FillKind::kIota:
      fill_iota(fill.type, part);
      break;
    case FillKind::kRandom:
      fill_random(fill, part);
      break;
    case FillKind::kBits:
      fill_words<uint32_t>(part, [&](size_t i) {
        return fill.key != 0 ? keyed_bits(fill.key, i) : mix(low(i) * 2654435761U + 12345U + start);
      });
      break;
    case FillKind::kChase: {
      const size_t count = std::max<size_t>(part.size() / 4, 1);
      fill_words<uint32_t>(part, [&](size_t i) { return low((i + fill.shift) % count); });
      break;
    }
    case FillKind::kFile:
      std::memcpy(part.data(), file_bytes.data(), std::min(part.size(), file_bytes.size()));
      break;
  }
  for (size_t at = kRepeatBytes; repeats && at < bytes.size(); at += kRepeatBytes) {
    std::memcpy(bytes.data() + at, bytes.data(), std::min(kRepeatBytes, bytes.size() - at));
  }
}

std::string fnv1a_hex(std::span<const uint8_t> bytes) {
  uint64_t hash = 1469598103934665603ULL;
  for (uint8_t byte : bytes) {
    hash ^= byte;
    hash *= 1099511628211ULL;
  }
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace warpshop

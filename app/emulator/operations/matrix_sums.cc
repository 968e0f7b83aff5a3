#include "operations/matrix_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/standard.h"
#include "lanes/lane_half.h"

namespace warpshop::emulator::matrix {
namespace {

namespace half = WARPSHOP_LANES;

constexpr int kLowestF32 = -126;

// 2^n for n well inside the range of double's exponents.
double power_of_two(int n) { return bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52); }

// Infinities and NaNs follow IEEE 754.
double special_sum(const Factors& a, const Factors& b, int first, int end, double c,
                   bool& is_special) {
  is_special = !std::isfinite(c);
  double sum = is_special ? c : 0.0;
  for (int k = first; k < end; ++k) {
    if (std::isfinite(a.value[k]) && std::isfinite(b.value[k])) continue;
    is_special = true;
    sum += static_cast<double>(a.value[k]) * static_cast<double>(b.value[k]);
  }
  return sum;
}

float cut_to_float(double x) {
  const auto nearest = static_cast<float>(x);
  if (!std::isfinite(nearest)) {
    return std::fabs(x) < 0x1p128 ? std::copysign(std::numeric_limits<float>::max(), nearest)
                                  : nearest;
  }
  return std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0f)
                                                                : nearest;
}

}  // namespace

void Factors::set(int k, float x, int lowest_exponent) {
  value[k] = x;
  has_special = has_special || !std::isfinite(x);
  exponent[k] = x == 0 || !std::isfinite(x) ? kZero : std::max(std::ilogb(x), lowest_exponent);
}

double fused_sum(const Factors& a, const Factors& b, int first, int end, double c, int places) {
  if (a.has_special || b.has_special || !std::isfinite(c)) {
    bool is_special = false;
    const double sum = special_sum(a, b, first, end, c, is_special);
    if (is_special) return sum;
  }
  int top = c == 0 ? Factors::kZero : std::max(std::ilogb(c), kLowestF32);
  for (int k = first; k < end; ++k) top = std::max(top, a.exponent[k] + b.exponent[k]);
  if (top < Factors::kZero / 2) return 0.0;
  const double scale = power_of_two(places - top);
  auto aligned = [&](double x) { return static_cast<int64_t>(x * scale); };
  int64_t sum = aligned(c);
  for (int k = first; k < end; ++k) {
    sum += aligned(static_cast<double>(a.value[k]) * static_cast<double>(b.value[k]));
  }
  return static_cast<double>(sum) * power_of_two(top - places);
}

uint32_t f32_bits(double sum) {
  if (std::isnan(sum)) return 0x7fffffffu;
  const float cut = cut_to_float(sum);
  return cut == 0 ? 0 : half::bits_of(cut);
}

// Rounds once: an odd last bit stands for truncated bits.
uint16_t f16_bits(double sum) {
  if (std::isnan(sum)) return 0x7fff;
  const float cut = cut_to_float(sum);
  const bool lost = std::isfinite(cut) && static_cast<double>(cut) != sum;
  return half::half_from_float<half::F16>(lost ? half::from_bits<float>(half::bits_of(cut) | 1u)
                                               : cut)
      .bits;
}

float f16_value(uint16_t bits) { return half::float_from_half(half::F16{bits}); }

}  // namespace warpshop::emulator::matrix

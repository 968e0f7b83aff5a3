// e^x with the same bits on every machine: the C libraries' functions differ in the last one, and
// glibc's with the processor. Accurate to about one unit in the last place.
#pragma once

#include <cmath>

namespace warpshop::timing {

inline double steady_exp(double x) {
  constexpr double kLog2e = 1.4426950408889634;
  // log(2) in two parts; the product of the first and a small integer is exact.
  constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
  if (!(x > -745)) return x == x ? 0 : x;
  if (x > 709) return std::exp(x);
  const double n = std::floor(x * kLog2e + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // at most log(2) / 2
  constexpr int kTerms = 14;
  double sum = 1;  // Taylor's series, by Horner's rule
  for (int k = kTerms; k > 0; --k) sum = 1 + sum * r / k;
  return std::ldexp(sum, static_cast<int>(n));
}

}  // namespace warpshop::timing

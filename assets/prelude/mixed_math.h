// The functions of <cmath> for integers and for arguments of different types, which NVRTC calls
// ambiguous: sqrt(n), ceil(n / 2), pow(2, i). As with nvcc, whose host library declares them for
// both sides, an integer counts as a double, and of a float and a double the result is a double
// (C++17, 29.9.1 [cmath.syn]).
#pragma once

namespace warpshop_math {

// Enumerators, since the compiler keeps static members as variables of the student's kernel.
template <typename T>
struct Kind {
  enum { integer = 0, number = 0 };
};
#define WARPSHOP_KIND(TYPE, INTEGER)        \
  template <>                               \
  struct Kind<TYPE> {                       \
    enum { integer = INTEGER, number = 1 }; \
  };
WARPSHOP_KIND(bool, 1)
WARPSHOP_KIND(char, 1)
WARPSHOP_KIND(signed char, 1)
WARPSHOP_KIND(unsigned char, 1)
WARPSHOP_KIND(wchar_t, 1)
WARPSHOP_KIND(char16_t, 1)
WARPSHOP_KIND(char32_t, 1)
WARPSHOP_KIND(short, 1)
WARPSHOP_KIND(unsigned short, 1)
WARPSHOP_KIND(int, 1)
WARPSHOP_KIND(unsigned int, 1)
WARPSHOP_KIND(long, 1)
WARPSHOP_KIND(unsigned long, 1)
WARPSHOP_KIND(long long, 1)
WARPSHOP_KIND(unsigned long long, 1)
WARPSHOP_KIND(float, 0)
WARPSHOP_KIND(double, 0)
#undef WARPSHOP_KIND

template <bool, typename>
struct If {};
template <typename T>
struct If<true, T> {
  using type = T;
};

template <typename T, typename U>
struct Same {
  enum { value = 0 };
};
template <typename T>
struct Same<T, T> {
  enum { value = 1 };
};

template <typename T, typename Result>
using IfInteger = typename If<Kind<T>::integer == 1, Result>::type;
// A pair of floats or of doubles has a function of its own.
template <typename T, typename U>
using IfMixed =
    typename If<Kind<T>::number && Kind<U>::number && !(Same<T, U>::value && !Kind<T>::integer),
                double>::type;
template <typename T, typename U, typename V>
using IfAnyMixed = typename If<Kind<T>::number && Kind<U>::number && Kind<V>::number &&
                                   !(Same<T, U>::value && Same<U, V>::value && !Kind<T>::integer),
                               double>::type;

}  // namespace warpshop_math

#define WARPSHOP_OF_INTEGER(NAME, RESULT)                                    \
  template <typename T>                                                      \
  __host__ __device__ inline warpshop_math::IfInteger<T, RESULT> NAME(T x) { \
    return NAME(static_cast<double>(x));                                     \
  }
#define WARPSHOP_OF_TWO(NAME)                                              \
  template <typename T, typename U>                                        \
  __host__ __device__ inline warpshop_math::IfMixed<T, U> NAME(T x, U y) { \
    return NAME(static_cast<double>(x), static_cast<double>(y));           \
  }
WARPSHOP_OF_INTEGER(sqrt, double)
WARPSHOP_OF_INTEGER(cbrt, double)
WARPSHOP_OF_INTEGER(exp, double)
WARPSHOP_OF_INTEGER(exp2, double)
WARPSHOP_OF_INTEGER(expm1, double)
WARPSHOP_OF_INTEGER(log, double)
WARPSHOP_OF_INTEGER(log2, double)
WARPSHOP_OF_INTEGER(log10, double)
WARPSHOP_OF_INTEGER(log1p, double)
WARPSHOP_OF_INTEGER(sin, double)
WARPSHOP_OF_INTEGER(cos, double)
WARPSHOP_OF_INTEGER(tan, double)
WARPSHOP_OF_INTEGER(asin, double)
WARPSHOP_OF_INTEGER(acos, double)
WARPSHOP_OF_INTEGER(atan, double)
WARPSHOP_OF_INTEGER(sinh, double)
WARPSHOP_OF_INTEGER(cosh, double)
WARPSHOP_OF_INTEGER(tanh, double)
WARPSHOP_OF_INTEGER(asinh, double)
WARPSHOP_OF_INTEGER(acosh, double)
WARPSHOP_OF_INTEGER(atanh, double)
WARPSHOP_OF_INTEGER(ceil, double)
WARPSHOP_OF_INTEGER(floor, double)
WARPSHOP_OF_INTEGER(round, double)
WARPSHOP_OF_INTEGER(trunc, double)
WARPSHOP_OF_INTEGER(rint, double)
WARPSHOP_OF_INTEGER(nearbyint, double)
WARPSHOP_OF_INTEGER(fabs, double)
WARPSHOP_OF_INTEGER(erf, double)
WARPSHOP_OF_INTEGER(erfc, double)
WARPSHOP_OF_INTEGER(tgamma, double)
WARPSHOP_OF_INTEGER(lgamma, double)
WARPSHOP_OF_INTEGER(isnan, bool)
WARPSHOP_OF_INTEGER(isinf, bool)
WARPSHOP_OF_INTEGER(isfinite, bool)
WARPSHOP_OF_INTEGER(signbit, bool)
WARPSHOP_OF_TWO(pow)
WARPSHOP_OF_TWO(atan2)
WARPSHOP_OF_TWO(fmod)
WARPSHOP_OF_TWO(fmax)
WARPSHOP_OF_TWO(fmin)
WARPSHOP_OF_TWO(hypot)
WARPSHOP_OF_TWO(fdim)
WARPSHOP_OF_TWO(copysign)
WARPSHOP_OF_TWO(remainder)
#undef WARPSHOP_OF_INTEGER
#undef WARPSHOP_OF_TWO

template <typename T, typename U, typename V>
__host__ __device__ inline warpshop_math::IfAnyMixed<T, U, V> fma(T x, U y, V z) {
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

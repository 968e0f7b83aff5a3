// What nvcc gives every program's file without an include: the constants of the C library's
// mathematics, its functions for integers, limits that GCC knows, and names of integers. Compiled by NVRTC before a whole program's
// device code.
#pragma once
#include "c/math.h"
#include "c/stddef.h"
#include "c/stdint.h"
#include "c/stdlib.h"
#include "dependent_launch.h"
#include "mixed_math.h"
#include "tensor_map.h"

// C++17 has dropped the keyword, which never meant anything to nvcc; older programs still write it.
#define register

using uint = unsigned int;
using ushort = unsigned short;
using ulong = unsigned long;

// GCC's own, behind <limits.h> and <float.h>; those of floats are spelled as in <cuda/std/climits>,
// so that both may be included.
#ifndef __INT_MAX__
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_LONG_MAX__ 9223372036854775807LL
#endif
#ifndef __FLT_MAX__
#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F
#define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F
#define __FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
#endif
#ifndef __DBL_MAX__
#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308
#define __DBL_MIN__ 2.22507385850720138309023271733240406e-308
#define __DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
#endif

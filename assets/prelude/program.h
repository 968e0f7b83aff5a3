// What nvcc gives every program's file without an include: the constants of the C library's
// mathematics and the short names of unsigned integers. Compiled by NVRTC before a whole program's
// device code.
#pragma once
#include "c/math.h"
#include "c/stdlib.h"

// C++17 has dropped the keyword, which never meant anything to nvcc; older programs still write it.
#define register

using uint = unsigned int;
using ushort = unsigned short;
using ulong = unsigned long;

// What a kernel takes a tensor map as. It is cuda.h's, which NVRTC leaves out.
typedef struct alignas(128) CUtensorMap_st {
  unsigned long long opaque[16];
} CUtensorMap;

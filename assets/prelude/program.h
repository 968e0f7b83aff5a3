// What nvcc gives every program's file without an include: the constants of the C library's
// mathematics and the short names of unsigned integers. Compiled by NVRTC before a whole program's
// device code.
#pragma once
#include "c/math.h"
#include "c/stdlib.h"
#include "tensor_map.h"

// C++17 has dropped the keyword, which never meant anything to nvcc; older programs still write it.
#define register

using uint = unsigned int;
using ushort = unsigned short;
using ulong = unsigned long;

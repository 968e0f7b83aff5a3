// The hardware's special-function unit (MUFU), bit for bit: tables of parabolas over the mantissa
// and a squarer without its lowest columns. The manual only gives error bounds; tables, constants
// and roundings were derived from an H200's results. The functions of one f32 were then compared
// for all 2^32 arguments: no differences. The principle: Oberman, Siu: "A High-Performance
// Area-Efficient Multifunction Interpolator", 17th IEEE Symposium on Computer Arithmetic (2005).
//
// Arguments and results are the bits of an f32. Subnormal ones are zero, as in the unit; the
// handling of .approx without .ftz is in lane_ops_approx.h.
#pragma once

#include <cstdint>

namespace warpshop::emulator::lanes_base {

uint32_t special_rcp(uint32_t bits);
uint32_t special_rsqrt(uint32_t bits);
uint32_t special_sqrt(uint32_t bits);
uint32_t special_ex2(uint32_t bits);
uint32_t special_lg2(uint32_t bits);
uint32_t special_sin(uint32_t turns);  // the angle is in turns, not radians
uint32_t special_cos(uint32_t turns);
uint32_t special_tanh(uint32_t bits);

// The high words of f64 numbers: reciprocal and reciprocal square root.
uint32_t special_rcp64(uint32_t high);
uint32_t special_rsqrt64(uint32_t high);

}  // namespace warpshop::emulator::lanes_base

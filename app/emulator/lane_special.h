// The hardware's special-function unit, bit for bit: a table of parabolas over the mantissa and a
// squarer that leaves out its lowest columns. The manual gives bounds only; table and rounding were
// read off an H200's results (1.5 million arguments, all equal). The unit's principle: Oberman,
// Siu: "A High-Performance Area-Efficient Multifunction Interpolator", 17th IEEE Symposium on
// Computer Arithmetic (2005).
#pragma once

#include <cstdint>

namespace warpshop::emulator::lanes_base {

// tanh.approx.f32. Bits of an f32 in and out.
uint32_t special_tanh(uint32_t bits);

}  // namespace warpshop::emulator::lanes_base

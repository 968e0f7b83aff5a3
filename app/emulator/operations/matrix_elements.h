// The elements of matrices in 32-bit words.
#pragma once

#include <cstdint>

#include "state/matrix_form.h"

namespace warpshop::emulator::matrix {

int bits_of(Element type);
bool is_float(Element type);
// Of 32 bits, or of 64 for f64. b1: one word.
int elements_in_register(Element type);

// Field `index` of those with `bits` bits.
uint32_t part(uint32_t word, int index, int bits);
// Element `index` of a word. b1: the whole word.
float float_of(uint32_t word, int index, Element type);
int integer_of(uint32_t word, int index, Element type);
// Exponent of the smallest normal number. 8-bit floats are converted to f16 before multiplication.
int lowest_exponent(Element type);

}  // namespace warpshop::emulator::matrix

// Makes kernels from bytes. Each is PTX that parses, and usually PTX that the emulator runs, with
// all the instructions, state spaces and control flow that it supports.
//
// All have the parameters a0 … a3 (buffers), a4 (a texture), a5 (a surface) and a6 (a number), and
// these registers: %h<8> .b16, %r<16> .b32, %f<8> .f32, %l<12> .b64, %d<8> .f64, %x<4> .b128, %q<8>
// .pred, and the addresses %p<8>: four buffers, shared and local memory and a constant as generic
// addresses, and a word of buffer 0 per thread.
#pragma once

#include <string>

#include "choices.h"

namespace warpshop::fuzz {

std::string random_kernel(Choices& choices);
// One instruction of any kind, with its semicolon, on the registers above.
std::string random_instruction(Choices& choices);

}  // namespace warpshop::fuzz

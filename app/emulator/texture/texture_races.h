// Races through textures and surfaces: a texel that a launch writes and reads, or that blocks write
// differently.
//
// "If … a given thread block writes … any texture fetch or surface read to an address that has been
// written via a global or surface write in the same kernel call returns undefined data" (CUDA C++
// Programming Guide, "Read/Write Coherency" of texture and surface memory): no fence helps. Races
// between blocks are detected as in global memory. Within a block, a fetch through a texture races
// with the block's own store; a surface read does not, as the order of the block's threads is
// unknown here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "state/micro_op.h"
#include "state/warp.h"
#include "texture/sampler.h"

namespace warpshop::emulator::texture {

// Creates shadows for arrays with surfaces. Call it if the kernel writes to surfaces.
void watch_arrays(std::vector<BoundTexture>& textures);

// A texel, or a surface access, `offset` bytes into the texels. `surface`: read by suld, not a
// texture.
void watch_read(Warp& warp, const MicroOp* op, const BoundTexture& texture, uint64_t offset,
                int bytes, int lane, bool surface);
// `fresh` is about to be written there.
void watch_write(Warp& warp, const MicroOp* op, const BoundTexture& surface, uint64_t offset,
                 std::span<const uint8_t> fresh, int lane);

void watch_atomic(Warp& warp, const MicroOp* op, const BoundTexture& surface, uint64_t offset,
                  int bytes, int lane);

}  // namespace warpshop::emulator::texture

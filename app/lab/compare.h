// Element by element: the student's output beside the reference's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emulator/memory.h"
#include "lab/run_result.h"
#include "texture_argument.h"

namespace warpshop::lab {

// A buffer's bytes after a launch, and which of them anybody wrote.
struct BufferImage {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> written;  // for each byte 0: never written; empty: all are
  bool was_written(size_t first, size_t count) const;
};
BufferImage image_of(const emulator::DeviceMemory& memory, const emulator::TextureMemory& textures,
                     const PlacedBytes& place);

// An element is wrong when its bits differ (any NaN equals any other), or, with a tolerance, when
// it is further from the expected value than tolerance times the larger of that value's magnitude
// and the buffer's mean magnitude; and when the reference wrote it but the student never did.
// Elements that the reference leaves alone are not compared. `width`: columns of the map, and with
// `has_rows` of the matrix that the buffer is.
BufferComparison compare_buffers(const std::string& name, ElementType type, uint64_t width,
                                 const BufferImage& expected, const BufferImage& got,
                                 double tolerance, bool has_rows = true);

// Exact decimal text of an element: shortest that reads back to the same bits.
std::string element_text(ElementType type, const uint8_t* bytes);

}  // namespace warpshop::lab

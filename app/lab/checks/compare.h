// Compares the student's output with the reference's, element by element.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/memory.h"
#include "lab/run_result.h"
#include "run/texture_objects.h"

namespace warpshop::lab {

// A buffer's bytes after a launch, and which of them were written.
struct BufferImage {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> written;  // per byte, 0: never written; empty: all were written
  bool was_written(size_t first, size_t count) const;
};
BufferImage image_of(const emulator::DeviceMemory& memory, const emulator::TextureMemory& textures,
                     const PlacedBytes& place);

// An element is wrong if its bits differ (any NaN equals any other) or, with a tolerance, if it is
// off by more than tolerance times the larger of the expected magnitude and the buffer's mean
// magnitude. An element that the reference wrote and the student did not is wrong, too. Elements
// that the reference does not write are not compared. `width`: columns of the map and, with
// `has_rows`, of the matrix in the buffer.
BufferComparison compare_buffers(const std::string& name, ElementType type, uint64_t width,
                                 const BufferImage& expected, const BufferImage& got,
                                 double tolerance, bool has_rows = true);

// What all elements that a launch has changed hold now, if it is the same; "" if it changed none.
// None: they differ, or it changed only one. `before`: empty if the buffer was not filled.
std::optional<std::string> only_value(ElementType type, std::span<const uint8_t> before,
                                      const BufferImage& after);

}  // namespace warpshop::lab

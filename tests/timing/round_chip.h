// A chip with round numbers, so that cycles can be worked out by hand.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/memory.h"
#include "one_sm/figures.h"

namespace warpshop::timing {

inline constexpr uint64_t kBase = uint64_t{1} << 30;

inline OneSmFigures round_chip() {
  OneSmFigures chip;
  chip.sm_count = 10;
  chip.cycles_per_us = 1000;
  chip.l1_latency = 30;
  chip.l2_latency = 200;
  chip.dram_latency = 700;
  chip.dram_write_wait = 1000;
  chip.l2_keeps_bytes = 1 << 20;
  chip.l2_forgets_bytes = 2 << 20;
  chip.l2_slices = 4;
  chip.l2_read = 0.2;  // for the whole chip: 2 cycles for one of its ten SMs
  chip.l2_read_sector = 0.1;
  chip.l2_write = 0.4;
  chip.l2_write_sector = 0.2;
  chip.l2_partial = 0.6;
  chip.l2_partial_sector = 0.3;
  chip.l2_atomic = 0.5;
  chip.l2_atomic_request = 0.6;
  chip.l2_atomic_returned = 0.7;
  chip.l2_atomic_whole = 0.4;
  chip.dram_unit = 0.5;
  chip.sparse_read.fill(1);
  chip.sparse_write.fill(1);
  return chip;
}

inline std::vector<emulator::DeviceMemory::Allocation> one_buffer(uint64_t size) {
  emulator::DeviceMemory::Allocation a;
  a.base = kBase;
  a.size_bytes = size;
  return {a};
}

inline std::array<uint64_t, 32> lanes(uint64_t first, uint64_t step) {
  std::array<uint64_t, 32> out{};
  for (size_t i = 0; i < 32; ++i) out[i] = first + i * step;
  return out;
}

inline constexpr uint64_t kLine = kBase / 128;

}  // namespace warpshop::timing

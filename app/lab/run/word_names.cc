#include "run/word_names.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ascii.h"
#include "run/local_arrays.h"

namespace warpshop::lab {
namespace {

using emulator::Program;

// An array, or a variable, that contains a word.
struct WordHome {
  std::string name;
  uint64_t base = 0;
  uint64_t size_bytes = 0;  // 0: unknown
  uint64_t element_bytes = 4;
  bool is_variable = false;            // may be a single value, which has no index
  std::vector<uint64_t> extents = {};  // of several dimensions
};

// The smallest word that atomics hit in the array of that name; 0: none names it.
uint64_t word_bytes(const Program& program, std::string_view array) {
  uint64_t smallest = 0;
  for (const emulator::AccessSite& site : program.access_sites()) {
    const bool atomic =
        site.kind == emulator::AccessKind::kAtomic || site.kind == emulator::AccessKind::kReduction;
    if (!atomic || site.array != array || site.element_bytes == 0) continue;
    smallest =
        smallest == 0 ? site.element_bytes : std::min<uint64_t>(smallest, site.element_bytes);
  }
  return smallest;
}

std::string element_name(const WordHome& home, uint64_t address) {
  const uint64_t offset = address - home.base;
  const uint64_t element = std::max<uint64_t>(home.element_bytes, 1);
  std::string out = home.name;
  if (!is_identifier(home.name) && home.name.find("::") == std::string::npos) out += " ";
  if (!home.is_variable || home.size_bytes > element) {
    uint64_t index = offset / element, count = 1;
    for (const uint64_t extent : home.extents) count *= extent;
    if (home.extents.size() > 1 && count * element == home.size_bytes) {
      for (const uint64_t extent : home.extents) {
        count /= extent;
        out += "[" + std::to_string(index / count) + "]";
        index %= count;
      }
    } else {
      out += "[" + std::to_string(index) + "]";
    }
  }
  if (const uint64_t rest = offset % element; rest != 0) out += " + " + std::to_string(rest);
  return out;
}

WordHome home_of(const Program& program, const Program::SharedArray& array) {
  const uint64_t bytes = word_bytes(program, array.name);
  return {.name = array.name,
          .base = array.offset_bytes,
          .size_bytes = array.size_bytes,
          .element_bytes = bytes > 0 ? bytes : 4,
          .is_variable = array.size_bytes > 0};
}

}  // namespace

void name_words(timing::LaunchContention& contention, const Program& program,
                const emulator::DeviceMemory& memory, std::string_view source) {
  const std::vector<Program::SharedArray> shared = program.shared_arrays(),
                                          variables = program.device_variables();
  for (timing::ContendedWord& word : contention.shared.hottest) {
    if (const Program::SharedArray* array = Program::array_at(shared, word.address)) {
      WordHome home = home_of(program, *array);
      home.extents = shared_extents(source, array->name);
      word.name = element_name(home, word.address);
    }
  }
  for (timing::ContendedWord& word : contention.global.hottest) {
    if (const emulator::DeviceMemory::Allocation* buffer = memory.find(word.address)) {
      word.name =
          element_name({.name = buffer->name,
                        .base = buffer->base,
                        .size_bytes = buffer->size_bytes,
                        .element_bytes = buffer->element_bytes > 0 ? buffer->element_bytes : 4},
                       word.address);
    } else if (const Program::SharedArray* variable = Program::array_at(variables, word.address)) {
      word.name = element_name(home_of(program, *variable), word.address);
    }
  }
}

}  // namespace warpshop::lab

#include "emulator/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "memory/mapping.h"

namespace warpshop::emulator {
namespace {

// Start of device addresses; the windows of shared, local and constant memory are elsewhere
// (address_space.h).
constexpr uint64_t kFirstAddress = uint64_t{0x7000} << 32;
constexpr uint64_t kGuardBytes = 4096;
constexpr uint64_t kReadPastEnd = 64;  // by handlers

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// From calloc: zero pages cost nothing until they are touched.
using Bytes = std::unique_ptr<uint8_t, decltype(&std::free)>;
Bytes no_bytes() { return {nullptr, &std::free}; }
Bytes zero_bytes(uint64_t size_bytes) {
  if (size_bytes > SIZE_MAX - kReadPastEnd) return no_bytes();
  return {static_cast<uint8_t*>(std::calloc(static_cast<size_t>(size_bytes + kReadPastEnd), 1)),
          &std::free};
}

Diagnostic no_memory(const std::string& buffer, uint64_t size_bytes) {
  return make_error(
      "memory", sentence("this machine has no memory left for buffer \"{name}\" of {bytes} bytes",
                         {{"name", buffer}, {"bytes", size_bytes}}));
}

}  // namespace

struct DeviceMemory::State {
  uint64_t capacity_bytes = 0;
  uint64_t used_bytes = 0;
  uint64_t next = kFirstAddress;
  std::vector<Allocation> allocations;
  std::vector<Bytes> blocks;
  std::vector<Bytes> shadows;
  std::vector<std::unique_ptr<Mapping>> mappings;

  size_t index_of(DevicePointer base) const {
    for (size_t i = 0; i < allocations.size(); ++i) {
      if (allocations[i].base == base) return i;
    }
    return allocations.size();
  }
};

DeviceMemory::DeviceMemory(uint64_t capacity_bytes) : state_(std::make_unique<State>()) {
  state_->capacity_bytes = capacity_bytes;
}
DeviceMemory::~DeviceMemory() = default;
DeviceMemory::DeviceMemory(DeviceMemory&&) noexcept = default;
DeviceMemory& DeviceMemory::operator=(DeviceMemory&&) noexcept = default;

Result<DevicePointer> DeviceMemory::allocate(uint64_t size_bytes, std::string name,
                                             uint32_t element_bytes) {
  State& s = *state_;
  if (size_bytes > s.capacity_bytes - s.used_bytes) {
    return make_error("memory",
                      sentence("buffer \"{name}\" needs {bytes} bytes, but only {left} of the "
                               "emulator's {all} bytes are left",
                               {{"name", name},
                                {"bytes", size_bytes},
                                {"left", s.capacity_bytes - s.used_bytes},
                                {"all", s.capacity_bytes}}),
                      sentence("use a smaller problem size"));
  }
  std::unique_ptr<Mapping> mapped = Mapping::in_large_pages(size_bytes);
  Bytes block = mapped != nullptr ? no_bytes() : zero_bytes(size_bytes);
  Bytes written = zero_bytes(size_bytes);
  uint8_t* const data = mapped != nullptr ? mapped->data() : block.get();
  if (data == nullptr || written == nullptr) return no_memory(name, size_bytes);
  Allocation a;
  a.base = s.next;
  a.size_bytes = size_bytes;
  a.name = std::move(name);
  a.element_bytes = element_bytes;
  a.data = data;
  a.written = written.get();
  s.next = round_up(s.next + size_bytes + kGuardBytes, kAlignment);
  s.used_bytes += size_bytes;
  s.blocks.push_back(std::move(block));
  if (mapped != nullptr) s.mappings.push_back(std::move(mapped));
  s.shadows.push_back(std::move(written));
  s.allocations.push_back(std::move(a));
  return s.allocations.back().base;
}

Result<DevicePointer> DeviceMemory::allocate_repeating(uint64_t size_bytes, std::string name,
                                                       std::span<const uint8_t> pattern) {
  State& s = *state_;
  if (size_bytes > s.capacity_bytes - s.used_bytes || pattern.empty()) {
    return no_memory(name, size_bytes);
  }
  std::unique_ptr<Mapping> mapped = Mapping::repeating(size_bytes, pattern);
  if (mapped == nullptr) return no_memory(name, size_bytes);
  Allocation a;
  a.base = s.next;
  a.size_bytes = size_bytes;
  a.name = std::move(name);
  a.data = mapped->data();
  s.next = round_up(s.next + size_bytes + kGuardBytes, kAlignment);
  s.used_bytes += size_bytes;
  s.mappings.push_back(std::move(mapped));
  s.shadows.push_back(no_bytes());
  s.allocations.push_back(std::move(a));
  return s.allocations.back().base;
}

std::span<uint8_t> DeviceMemory::bytes(DevicePointer base) {
  const size_t i = state_->index_of(base);
  if (i == state_->allocations.size()) return {};
  return {state_->allocations[i].data, static_cast<size_t>(state_->allocations[i].size_bytes)};
}

std::span<const uint8_t> DeviceMemory::bytes(DevicePointer base) const {
  const size_t i = state_->index_of(base);
  if (i == state_->allocations.size()) return {};
  return {state_->allocations[i].data, static_cast<size_t>(state_->allocations[i].size_bytes)};
}

void DeviceMemory::mark_written(DevicePointer base) {
  const size_t i = state_->index_of(base);
  if (i < state_->allocations.size()) state_->allocations[i].written = nullptr;
}

void DeviceMemory::mark_unwritten(DevicePointer base) {
  const size_t i = state_->index_of(base);
  if (i == state_->allocations.size()) return;
  Allocation& a = state_->allocations[i];
  if (state_->shadows[i] == nullptr) {
    state_->shadows[i] = zero_bytes(a.size_bytes);
  }
  a.written = state_->shadows[i].get();
  if (a.written != nullptr) std::memset(a.written, 0, static_cast<size_t>(a.size_bytes));
}

const DeviceMemory::Allocation* DeviceMemory::find(DevicePointer address) const {
  const auto& all = state_->allocations;
  auto after = std::upper_bound(all.begin(), all.end(), address,
                                [](uint64_t value, const Allocation& a) { return value < a.base; });
  if (after == all.begin()) return nullptr;
  const Allocation& a = *std::prev(after);
  return address - a.base < a.size_bytes ? &a : nullptr;
}

const std::vector<DeviceMemory::Allocation>& DeviceMemory::allocations() const {
  return state_->allocations;
}

}  // namespace warpshop::emulator

#include "emulator/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace warpshop::emulator {
namespace {

// Start of device addresses; the windows of shared, local and constant memory are elsewhere
// (address_space.h).
constexpr uint64_t kFirstAddress = uint64_t{0x7000} << 32;
constexpr uint64_t kSmallestMapping = uint64_t{4} << 20;
constexpr uint64_t kGuardBytes = 4096;
// Buffers of at least this size use large pages if the system has them: a warp that accesses a
// column touches 32 small pages at once. Very large buffers do not, since a sampled kernel touches
// little of them.
constexpr uint64_t kLargePage = uint64_t{2} << 20;
constexpr uint64_t kMostInLargePages = uint64_t{64} << 20;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

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
  // From calloc: zero pages cost nothing until they are touched.
  std::vector<std::unique_ptr<uint8_t, decltype(&std::free)>> blocks;
  std::vector<std::unique_ptr<uint8_t, decltype(&std::free)>> shadows;

  struct Mapping {
    void* at = nullptr;
    size_t size_bytes = 0;
    Mapping(void* start, size_t size) : at(start), size_bytes(size) {}
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() { ::munmap(at, size_bytes); }
  };
  std::vector<std::unique_ptr<Mapping>> mappings;

  // Zero bytes that cost nothing until they are touched; nullptr: not for this size.
  uint8_t* map_large_pages(uint64_t size_bytes) {
    if (size_bytes < kLargePage || size_bytes > kMostInLargePages) return nullptr;
    const uint64_t used = round_up(size_bytes + 64, kLargePage);
    void* at = ::mmap(nullptr, used + kLargePage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    mappings.push_back(std::make_unique<Mapping>(at, used + kLargePage));
    auto* start = reinterpret_cast<uint8_t*>(round_up(reinterpret_cast<uintptr_t>(at), kLargePage));
    ::madvise(start, used, MADV_HUGEPAGE);  // only a hint
    return start;
  }

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
  uint8_t* const mapped = s.map_large_pages(size_bytes);
  uint8_t* const data =
      mapped != nullptr ? mapped : static_cast<uint8_t*>(std::calloc(size_bytes + 64, 1));
  auto* written = static_cast<uint8_t*>(std::calloc(size_bytes + 64, 1));
  if (data == nullptr || written == nullptr) {
    if (mapped == nullptr) std::free(data);
    std::free(written);
    return no_memory(name, size_bytes);
  }
  Allocation a;
  a.base = s.next;
  a.size_bytes = size_bytes;
  a.name = std::move(name);
  a.element_bytes = element_bytes;
  a.data = data;
  a.written = written;
  s.next = round_up(s.next + size_bytes + kGuardBytes, kAlignment);
  s.used_bytes += size_bytes;
  if (mapped == nullptr) s.blocks.emplace_back(data, &std::free);
  s.shadows.emplace_back(written, &std::free);
  s.allocations.push_back(std::move(a));
  return s.allocations.back().base;
}

Result<DevicePointer> DeviceMemory::allocate_repeating(uint64_t size_bytes, std::string name,
                                                       std::span<const uint8_t> pattern) {
  State& s = *state_;
  const auto refuse = [&] { return no_memory(name, size_bytes); };
  if (size_bytes > s.capacity_bytes - s.used_bytes || pattern.empty()) return refuse();
  const int file = ::memfd_create("warpshop buffer", MFD_CLOEXEC);
  if (file < 0) return refuse();
  // Repeat a short pattern in the file: a process can only have some ten thousand mappings.
  uint64_t laid_down = 0;
  do {
    for (uint64_t done = 0; done < pattern.size();) {
      const ssize_t n = ::write(file, pattern.data() + done, pattern.size() - done);
      if (n <= 0) {
        ::close(file);
        return refuse();
      }
      done += static_cast<uint64_t>(n);
    }
    laid_down += pattern.size();
  } while (laid_down < std::min(size_bytes, kSmallestMapping));
  // One extra page: handlers may read a little past the end.
  const uint64_t reserved = round_up(size_bytes, 4096) + 4096;
  void* at = ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    ::close(file);
    return refuse();
  }
  s.mappings.push_back(std::make_unique<State::Mapping>(at, reserved));
  auto* data = static_cast<uint8_t*>(at);
  bool mapped = true;
  for (uint64_t offset = 0; offset < size_bytes && mapped; offset += laid_down) {
    const uint64_t part = round_up(std::min<uint64_t>(laid_down, size_bytes - offset), 4096);
    mapped = ::mmap(data + offset, part, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
  }
  ::close(file);
  if (!mapped) return refuse();
  Allocation a;
  a.base = s.next;
  a.size_bytes = size_bytes;
  a.name = std::move(name);
  a.data = data;
  s.next = round_up(s.next + size_bytes + kGuardBytes, kAlignment);
  s.used_bytes += size_bytes;
  s.shadows.emplace_back(nullptr, &std::free);
  s.allocations.push_back(std::move(a));
  return s.allocations.back().base;
}

std::span<uint8_t> DeviceMemory::bytes(DevicePointer base) {
  const size_t i = state_->index_of(base);
  if (i == state_->allocations.size()) return {};
  return {state_->allocations[i].data, state_->allocations[i].size_bytes};
}

std::span<const uint8_t> DeviceMemory::bytes(DevicePointer base) const {
  const size_t i = state_->index_of(base);
  if (i == state_->allocations.size()) return {};
  return {state_->allocations[i].data, state_->allocations[i].size_bytes};
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
    state_->shadows[i].reset(static_cast<uint8_t*>(std::calloc(a.size_bytes + 64, 1)));
  }
  a.written = state_->shadows[i].get();
  if (a.written != nullptr) std::memset(a.written, 0, a.size_bytes);
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

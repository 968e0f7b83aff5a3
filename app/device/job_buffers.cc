#include "job_buffers.h"

#include <algorithm>

#include "helper_kernels.h"

namespace warpshop::device {
namespace {

// Buffers start at 512-byte boundaries, like those of cudaMalloc. Guard zones of large buffers keep
// the 2 MiB alignment that the driver gives them, so that pages fall as they would without guards.
constexpr uint64_t kSmallGuard = 4096;
constexpr uint64_t kLargeGuard = uint64_t{2} << 20;

bool is_random(const Fill& fill) {
  return fill.kind == FillKind::kRandom || fill.kind == FillKind::kBits;
}

// warpshop_refill's number for a fill, and the size of its words.
struct RefillKind {
  uint32_t kind = 0;
  uint64_t word_bytes = 4;
};

RefillKind refill_kind(const Fill& fill) {
  if (fill.kind == FillKind::kBits) return {0, 4};
  switch (fill.type) {
    case ElementType::kU8:
      return {1, 1};
    case ElementType::kU16:
      return {2, 2};
    case ElementType::kI32:
    case ElementType::kU32:
      return {3, 4};
    case ElementType::kI64:
      return {4, 8};
    case ElementType::kF16:
      return {7, 2};
    case ElementType::kBf16:
      return {8, 2};
    case ElementType::kF32:
      return {5, 4};
    case ElementType::kF64:
      return {6, 8};
  }
  return {};
}

}  // namespace

Status JobBuffers::allocate() {
  const size_t count = job_.args.size();
  memory_.resize(count);
  guard_.resize(count);
  at_.resize(count);
  images_.resize(count);
  pristine_.resize(count);
  scalars_.resize(count);
  textures_.resize(count);
  objects_.resize(count);
  maps_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const JobArg& arg = job_.args[i];
    if (!arg.is_buffer) {
      scalars_[i] = arg.scalar;
      scalars_[i].resize(std::max<size_t>(arg.scalar.size(), 8));
      arguments_.push_back(scalars_[i].data());
      continue;
    }
    buffers_.push_back(i);
    if (arg.output) outputs_.push_back(i);
    guard_[i] = arg.size_bytes >= kLargeGuard ? kLargeGuard : kSmallGuard;
    Result<DeviceBytes> memory = gpu_.allocate(
        arg.size_bytes + 2 * guard_[i], sentence("the buffer '{name}'", {{"name", arg.name}}));
    if (!memory.ok()) return memory.errors();
    memory_[i] = std::move(*memory);
    at_[i] = memory_[i].at() + guard_[i];
    if (arg.texture) {
      Result<DeviceTexture> texture =
          DeviceTexture::make(gpu_, *arg.texture, arg.type, at_[i], arg.name);
      if (!texture.ok()) return texture.errors();
      textures_[i] = std::move(*texture);
      objects_[i] = textures_[i].object();
      arguments_.push_back(&objects_[i]);
    } else if (arg.tensor) {
      Result<EncodedTensorMap> map = encode_tensor_map(gpu_, *arg.tensor, at_[i], arg.name);
      if (!map.ok()) return map.errors();
      maps_[i] = *map;
      arguments_.push_back(maps_[i].bytes.data());
    } else {
      arguments_.push_back(&at_[i]);
    }
    const Status set = gpu_.set_bytes(memory_[i].at(), kGuardPattern, memory_[i].size());
    if (!set.ok()) return set;
  }
  return success();
}

Status JobBuffers::make_image(size_t argument) {
  const JobArg& arg = job_.args[argument];
  if (images_[argument].size() == arg.size_bytes) return success();
  images_[argument].resize(arg.size_bytes);
  if (arg.each) {
    const uint64_t count = arg.size_bytes / static_cast<uint64_t>(size_bytes(arg.type));
    const Result<std::string> values = element_values(*arg.each, {.count = count});
    if (!values.ok()) return values.errors();
    std::copy(values->begin(), values->end(), images_[argument].begin());
    return success();
  }
  fill_bytes(arg.fill, images_[argument], arg.file_bytes);
  return success();
}

Status JobBuffers::fill(unsigned char poison) {
  for (size_t i : buffers_) {
    const JobArg& arg = job_.args[i];
    Status status = success();
    if (!writes(arg.fill)) {
      status = gpu_.set_bytes(at_[i], poison, arg.size_bytes);
    } else {
      status = make_image(i);
      if (status.ok()) status = gpu_.upload(at_[i], images_[i].data(), arg.size_bytes);
    }
    if (status.ok()) status = textures_[i].load_from(gpu_, at_[i]);
    if (!status.ok()) return status;
  }
  return success();
}

Status JobBuffers::refill(unsigned char poison, uint32_t launch) {
  for (size_t i : buffers_) {
    const JobArg& arg = job_.args[i];
    Status status = success();
    if (!writes(arg.fill)) {
      status = gpu_.set_bytes(at_[i], poison, arg.size_bytes);
    } else if (is_random(arg.fill)) {
      RefillKind kind = refill_kind(arg.fill);
      CuPointer at = at_[i];
      uint64_t words = arg.size_bytes / kind.word_bytes;
      uint32_t start = mix(arg.fill.seed * 977U + launch + 1);
      status = gpu_.run_helper("warpshop_refill", words, true, {&at, &words, &kind.kind, &start});
    } else {
      if (pristine_[i].size() == 0 && arg.size_bytes > 0) {
        Result<DeviceBytes> copy =
            gpu_.allocate(arg.size_bytes, sentence("a copy of '{name}'", {{"name", arg.name}}));
        if (!copy.ok()) return copy.errors();
        status = make_image(i);
        if (status.ok()) status = gpu_.upload(copy->at(), images_[i].data(), arg.size_bytes);
        if (!status.ok()) return status;
        pristine_[i] = std::move(*copy);
      }
      status = gpu_.copy(at_[i], pristine_[i].at(), arg.size_bytes);
    }
    if (status.ok()) status = textures_[i].load_from(gpu_, at_[i]);
    if (!status.ok()) return status;
  }
  return success();
}

bool JobBuffers::can_change_inputs() const {
  return std::any_of(job_.args.begin(), job_.args.end(),
                     [](const JobArg& arg) { return arg.is_buffer && is_random(arg.fill); });
}

bool JobBuffers::any_poisoned() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [&](size_t i) { return !writes(job_.args[i].fill); });
}

Result<std::vector<DeviceBytes>> JobBuffers::copy_outputs() {
  std::vector<DeviceBytes> copies;
  for (size_t i : outputs_) {
    Result<DeviceBytes> copy = gpu_.allocate(
        job_.args[i].size_bytes, sentence("a copy of '{name}'", {{"name", job_.args[i].name}}));
    if (!copy.ok()) return copy.errors();
    copies.push_back(std::move(*copy));
  }
  const Status copied = copy_outputs_into(copies);
  if (!copied.ok()) return copied.errors();
  return copies;
}

Status JobBuffers::copy_outputs_into(const std::vector<DeviceBytes>& copies) {
  for (size_t k = 0; k < outputs_.size(); ++k) {
    const size_t i = outputs_[k];
    const Status copied = has_array(i) ? textures_[i].store_to(gpu_, copies[k].at())
                                       : gpu_.copy(copies[k].at(), at_[i], job_.args[i].size_bytes);
    if (!copied.ok()) return copied;
  }
  return success();
}

Result<std::vector<GuardHit>> JobBuffers::guard_hits() {
  std::vector<GuardHit> hits;
  Result<DeviceBytes> counters =
      gpu_.allocate(sizeof(GuardCounters), sentence("the guards' counters"));
  if (!counters.ok()) return counters.errors();
  for (size_t i : buffers_) {
    const JobArg& arg = job_.args[i];
    for (const bool behind : {false, true}) {
      GuardCounters found;
      Status status = gpu_.upload(counters->at(), &found, sizeof found);
      CuPointer zone = behind ? at_[i] + arg.size_bytes : memory_[i].at();
      uint64_t count = guard_[i];
      uint32_t pattern = kGuardPattern;
      CuPointer result = counters->at();
      if (status.ok()) {
        status = gpu_.run_helper("warpshop_guard", count, true, {&zone, &count, &pattern, &result});
      }
      if (status.ok()) status = gpu_.download(&found, result, sizeof found);
      if (!status.ok()) return status.errors();
      if (found.changed == 0) continue;
      const auto first = static_cast<int64_t>(found.first);
      hits.push_back({arg.name,
                      behind ? static_cast<int64_t>(arg.size_bytes) + first
                             : first - static_cast<int64_t>(count),
                      found.changed});
    }
  }
  return hits;
}

}  // namespace warpshop::device

#include "texture/texture_ops.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/standard.h"
#include "lanes/lane_half.h"
#include "memory/atomic_word.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "texture/sampler.h"
#include "texture/texture_findings.h"
#include "texture/texture_races.h"

namespace warpshop::emulator::texture {
namespace {

namespace half = WARPSHOP_LANES;

constexpr int kMostBytes = 16;  // of a surface access

const RegisterList& texture_list(const Warp& warp, uint32_t index) {
  return warp.worker->launch->program->lists[index];
}

// Looks up handles. Lanes usually have the same one.
class Objects {
 public:
  Objects(Warp& warp, const MicroOp* op, bool surface, std::string_view access)
      : warp_(warp),
        op_(op),
        surface_(surface),
        access_(access),
        textures_(warp.worker->launch->textures) {}

  // nullptr: the instruction cannot use the object; a finding says why.
  const BoundTexture* find(int lane) {
    const uint64_t handle = warp_.reg<uint64_t>(op_->a)[lane];
    if (known_ && handle == handle_) {
      if (!wrong_.message.empty()) note_misuse(warp_, op_, wrong_, access_, lane);
      return texture_;
    }
    known_ = true;
    handle_ = handle;
    texture_ = nullptr;
    const uint64_t index = handle - TextureMemory::kFirstHandle;
    if (index >= textures_.size()) {
      wrong_ = no_object(handle, surface_);
    } else {
      wrong_ = misuse_of(op_, textures_[index], surface_);
    }
    if (wrong_.message.empty() || wrong_.harmless) texture_ = &textures_[index];
    if (!wrong_.message.empty()) note_misuse(warp_, op_, wrong_, access_, lane);
    return texture_;
  }

 private:
  Warp& warp_;
  const MicroOp* op_;
  bool surface_;
  std::string_view access_;
  const std::vector<BoundTexture>& textures_;
  bool known_ = false;
  uint64_t handle_ = 0;
  const BoundTexture* texture_ = nullptr;
  Misuse wrong_;
};

SampleQuery query_of(Warp& warp, const MicroOp* op, const RegisterList& coordinates, int lane) {
  SampleQuery q;
  size_t n = 0;
  if (op->flags & kLayered) q.layer = warp.reg<uint32_t>(coordinates.offset[n++])[lane];
  q.whole = (op->flags & kWholeCoordinates) != 0;
  for (size_t axis = 0; n < coordinates.count; ++n, ++axis) {
    const uint32_t bits = warp.reg<uint32_t>(coordinates.offset[n])[lane];
    if (q.whole) {
      q.texel[axis] = static_cast<int32_t>(bits);
    } else {
      q.at[axis] = bit_cast<float>(bits);
    }
  }
  return q;
}

// .f16x2 results are the f32 ones, rounded to nearest even (measured: H200).
uint32_t half_bits(uint32_t f32_bits) {
  return half::half_from_float<half::F16>(bit_cast<float>(f32_bits)).bits;
}

void report_fetch(Warp& warp, const MicroOp* op, TextureFetch& fetched) {
  fetched.function = warp.function->index;
  fetched.instruction = op->instruction;
  fetched.active_mask = warp.mask;
  warp.worker->identity.warp = warp.index;
  warp.worker->fetches->on_fetch(warp.worker->identity, fetched);
}

// Texels that a kernel may write while it reads them are watched, lane by lane.
bool watches_texels(const Launch& launch) {
  return launch.program->writes_surfaces || !launch.shadows.empty();
}

bool only_touches(const Warp& warp, const MicroOp* op) {
  return (op->flags & kWithoutTexels) != 0 && !watches_texels(*warp.worker->launch);
}

// A fetch whose values nobody needs: only finds the texels that it touches.
const MicroOp* touch_texels(Warp& warp, const MicroOp* op, bool gathers) {
  if (op->c != kNoRegister) *warp.reg<uint32_t>(op->c) |= warp.mask;
  if (warp.worker->fetches == nullptr) return op + 1;
  Objects objects(warp, op, false, "read");
  const RegisterList& coordinates = texture_list(warp, op->b);
  TexelPlaces places(gathers);
  static thread_local TextureFetch fetched;  // kept: to clear it takes longer than to fill it
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    TextureFetch::Lane& touched = fetched.lanes[static_cast<size_t>(lane)];
    touched.texture = nullptr;
    touched.texels = 0;
    const BoundTexture* texture = objects.find(lane);
    if (texture == nullptr) continue;
    touched.texture = texture->object;
    touched.texels = places.find(*texture, query_of(warp, op, coordinates, lane), touched.offset);
  }
  report_fetch(warp, op, fetched);
  return op + 1;
}

template <typename Take>
const MicroOp* sample_lanes(Warp& warp, const MicroOp* op, Take take) {
  Objects objects(warp, op, false, "read");
  const RegisterList& coordinates = texture_list(warp, op->b);
  const RegisterList& results = texture_list(warp, op->d);
  const bool halves = (op->flags & kHalfResult) != 0;
  const bool watched = watches_texels(*warp.worker->launch);
  TextureSink* const sink = warp.worker->fetches;
  std::optional<TextureFetch> fetched;
  if (sink != nullptr) fetched.emplace();
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Sample s;
    if (const BoundTexture* texture = objects.find(lane)) {
      s = take(*texture, query_of(warp, op, coordinates, lane));
      if (fetched) fetched->lanes[static_cast<size_t>(lane)] = {texture->object, s.texels, s.texel};
      if (s.unwritten) note_unwritten_texel(warp, op, *texture, lane);
      if (watched) {
        for (int n = 0; n < s.texels; ++n) {
          watch_read(warp, op, *texture, s.texel[static_cast<size_t>(n)],
                     texture->object->shape.texel_bytes(), lane, false);
        }
      }
    }
    for (size_t n = 0; n < results.count; ++n) {
      if (results.offset[n] == kNoRegister) continue;
      const uint32_t bits =
          halves ? half_bits(s.bits[2 * n]) | half_bits(s.bits[2 * n + 1]) << 16 : s.bits[n];
      warp.reg<uint32_t>(results.offset[n])[lane] = bits;
    }
  }
  if (op->c != kNoRegister) *warp.reg<uint32_t>(op->c) |= warp.mask;
  if (fetched) report_fetch(warp, op, *fetched);
  return op + 1;
}

// ---- surfaces -----------------------------------------------------------------------------------

struct SurfacePlace {
  uint64_t offset = 0;      // in the array
  uint8_t* data = nullptr;  // nullptr: outside
  uint8_t* written = nullptr;
};

class SurfaceAccess {
 public:
  SurfaceAccess(Warp& warp, const MicroOp* op, std::string_view access)
      : warp_(warp),
        op_(op),
        access_(access),
        objects_(warp, op, true, access),
        coordinates_(texture_list(warp, op->b)),
        values_(texture_list(warp, op->d)),
        element_(static_cast<int>(op->imm)),
        bytes_(element_ * values_.count) {}

  int element_bytes() const { return element_; }
  int bytes() const { return bytes_; }
  const RegisterList& values() const { return values_; }

  SurfacePlace place(int lane) {
    const BoundTexture* surface = objects_.find(lane);
    if (surface == nullptr) return {};
    const ArrayShape& shape = surface->object->shape;
    if (element_ == 0) bytes_ = shape.texel_bytes();  // sust.p
    size_t n = 0;
    int64_t at[3] = {0, 0, 0};  // layer, face or plane; x in bytes; y
    if (op_->flags & kLayered) at[0] = warp_.reg<uint32_t>(coordinates_.offset[n++])[lane];
    at[1] = warp_.reg<int32_t>(coordinates_.offset[n++])[lane];
    if (op_->flags & (kTwoDimensional | kThreeDimensional))
      at[2] = warp_.reg<int32_t>(coordinates_.offset[n++])[lane];
    if (op_->flags & kThreeDimensional) at[0] = warp_.reg<int32_t>(coordinates_.offset[n++])[lane];
    const int64_t planes =
        std::max<int64_t>(shape.layers, 1) * static_cast<int64_t>(shape.planes_of_layer());
    const int64_t last[3] = {planes - 1,
                             static_cast<int64_t>(surface->object->pitch_bytes) - bytes_,
                             std::max<int64_t>(shape.height, 1) - 1};
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] >= 0 && at[axis] <= last[axis]) continue;
      if ((op_->flags & kOutsideIsEdge) == 0) {
        if ((op_->flags & kOutsideIsZero) == 0)
          note_outside(warp_, op_, *surface, access_, bytes_, lane, {at[0], at[1], at[2]});
        return {};
      }
      at[axis] = std::clamp<int64_t>(at[axis], 0, std::max<int64_t>(last[axis], 0));
    }
    if (last[1] < 0) return {};
    if (at[1] % bytes_ != 0) {
      note_misaligned(warp_, op_, *surface, access_, bytes_, lane, at[1]);
      return {};
    }
    const uint64_t plane_bytes = surface->layer_bytes / shape.planes_of_layer();
    const uint64_t offset = static_cast<uint64_t>(at[0]) * plane_bytes +
                            static_cast<uint64_t>(at[2]) * surface->object->pitch_bytes +
                            static_cast<uint64_t>(at[1]);
    last_ = surface;
    return {offset, surface->data + offset,
            surface->written == nullptr ? nullptr : surface->written + offset};
  }

  const BoundTexture& last() const { return *last_; }

 private:
  Warp& warp_;
  const MicroOp* op_;
  std::string_view access_;
  Objects objects_;
  const RegisterList& coordinates_;
  const RegisterList& values_;
  int element_;
  int bytes_;
  const BoundTexture* last_ = nullptr;
};

template <typename Register>
void put(Warp& warp, uint32_t offset, int lane, const uint8_t* from, size_t bytes) {
  Register value = 0;
  std::memcpy(&value, from, bytes);
  warp.reg<Register>(offset)[lane] = value;
}

void put_element(Warp& warp, uint32_t offset, int lane, const uint8_t* from, int bytes) {
  if (offset == kNoRegister) return;
  if (bytes <= 2) return put<uint16_t>(warp, offset, lane, from, static_cast<size_t>(bytes));
  if (bytes == 4) return put<uint32_t>(warp, offset, lane, from, 4);
  put<uint64_t>(warp, offset, lane, from, 8);
}

void get_element(Warp& warp, uint32_t offset, int lane, uint8_t* to, int bytes) {
  const size_t width =
      bytes <= 2 ? 2 : static_cast<size_t>(bytes);  // little-endian: the low bytes come first
  std::memcpy(to, warp.frame + offset + width * static_cast<size_t>(lane),
              static_cast<size_t>(bytes));
}

}  // namespace

const MicroOp* fetch(Warp& warp, const MicroOp* op) {
  if (only_touches(warp, op)) return touch_texels(warp, op, false);
  return sample_lanes(warp, op,
                      [](const BoundTexture& t, const SampleQuery& q) { return sample(t, q); });
}

const MicroOp* gather_four(Warp& warp, const MicroOp* op) {
  if (only_touches(warp, op)) return touch_texels(warp, op, true);
  const int component = static_cast<int>(op->imm);
  return sample_lanes(warp, op, [component](const BoundTexture& t, const SampleQuery& q) {
    return gather(t, q, component);
  });
}

const MicroOp* query(Warp& warp, const MicroOp* op) {
  Objects objects(warp, op, (op->flags & kSurface) != 0, "");
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t value = 0;
    if (const BoundTexture* texture = objects.find(lane)) {
      const ArrayShape& shape = texture->object->shape;
      switch (static_cast<TextureQuery>(op->imm)) {
        case TextureQuery::kWidth:
          value = shape.width;
          break;
        case TextureQuery::kHeight:
          value = shape.height;
          break;
        case TextureQuery::kDepth:
          value = shape.depth > 0 ? shape.depth : shape.layers;
          break;
      }
    }
    warp.reg<uint32_t>(op->d)[lane] = value;
  }
  return op + 1;
}

const MicroOp* load_surface(Warp& warp, const MicroOp* op) {
  SurfaceAccess access(warp, op, "read");
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const SurfacePlace place = access.place(lane);
    uint8_t value[kMostBytes] = {};
    if (place.data != nullptr) {
      std::memcpy(value, place.data, static_cast<size_t>(access.bytes()));
      watch_read(warp, op, access.last(), place.offset, access.bytes(), lane, true);
      if (place.written != nullptr && std::find(place.written, place.written + access.bytes(),
                                                uint8_t{0}) != place.written + access.bytes()) {
        note_unwritten_texel(warp, op, access.last(), lane);
      }
    }
    for (int n = 0; n < access.values().count; ++n) {
      put_element(warp, access.values().offset[n], lane, value + n * access.element_bytes(),
                  access.element_bytes());
    }
  }
  return op + 1;
}

namespace {

// Converts a 32-bit value to a channel of the format, in its low bytes.
uint32_t channel_from(uint32_t bits, TexelFormat format) {
  const auto whole = static_cast<int32_t>(bits);
  switch (format) {
    case TexelFormat::kU8:
      return std::min(bits, 255u);
    case TexelFormat::kU16:
      return std::min(bits, 65535u);
    case TexelFormat::kS8:
      return static_cast<uint32_t>(std::clamp(whole, -128, 127));
    case TexelFormat::kS16:
      return static_cast<uint32_t>(std::clamp(whole, -32768, 32767));
    case TexelFormat::kF16: {
      // Round towards zero: values that are too large become the largest number.
      const auto x = bit_cast<float>(bits);
      if (std::isnan(x)) return 0x7fffu;
      const half::F16 nearest = half::half_from_float<half::F16>(x);
      const bool away = std::fabs(half::float_from_half(nearest)) > std::fabs(x);
      return away ? nearest.bits - 1u : nearest.bits;
    }
    default:
      return bits;
  }
}

template <typename T>
struct TexelSum {
  static T apply(T a, T b, T) { return static_cast<T>(a + b); }
};
template <typename T>
struct TexelLeast {
  static T apply(T a, T b, T) { return std::min(a, b); }
};
template <typename T>
struct TexelMost {
  static T apply(T a, T b, T) { return std::max(a, b); }
};
template <typename T>
struct Both {
  static T apply(T a, T b, T) { return a & b; }
};
template <typename T>
struct Either {
  static T apply(T a, T b, T) { return a | b; }
};

template <typename T>
void reduce(uint8_t* at, const uint8_t* value, Reduction reduction) {
  using Signed = std::make_signed_t<T>;
  T b;
  std::memcpy(&b, value, sizeof b);
  const auto s = static_cast<Signed>(b);
  switch (reduction) {
    case Reduction::kAdd:
      exchange_global_memory<T, TexelSum<T>>(at, b, 0);
      break;
    case Reduction::kMin:
      exchange_global_memory<T, TexelLeast<T>>(at, b, 0);
      break;
    case Reduction::kMinSigned:
      exchange_global_memory<Signed, TexelLeast<Signed>>(at, s, 0);
      break;
    case Reduction::kMax:
      exchange_global_memory<T, TexelMost<T>>(at, b, 0);
      break;
    case Reduction::kMaxSigned:
      exchange_global_memory<Signed, TexelMost<Signed>>(at, s, 0);
      break;
    case Reduction::kAnd:
      exchange_global_memory<T, Both<T>>(at, b, 0);
      break;
    case Reduction::kOr:
      exchange_global_memory<T, Either<T>>(at, b, 0);
      break;
  }
}

}  // namespace

const MicroOp* store_texel(Warp& warp, const MicroOp* op) {
  SurfaceAccess access(warp, op, "write");
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const SurfacePlace place = access.place(lane);
    if (place.data == nullptr) continue;
    const ArrayShape& shape = access.last().object->shape;
    const auto channel_bytes = static_cast<size_t>(size_bytes(shape.format));
    const int channels = std::min(shape.channels, static_cast<int>(access.values().count));
    uint8_t fresh[kMostBytes];
    for (int c = 0; c < channels; ++c) {
      const uint32_t bits = warp.reg<uint32_t>(access.values().offset[c])[lane];
      const uint32_t value = channel_from(bits, shape.format);
      std::memcpy(fresh + static_cast<size_t>(c) * channel_bytes, &value, channel_bytes);
    }
    const size_t bytes = static_cast<size_t>(channels) * channel_bytes;
    const StoreInFlight until_stored(warp.worker->launch->stores, warp.worker->index);
    watch_write(warp, op, access.last(), place.offset, {fresh, bytes}, lane);
    std::memcpy(place.data, fresh, bytes);
    if (place.written != nullptr) std::memset(place.written, 1, bytes);
  }
  return op + 1;
}

const MicroOp* reduce_surface(Warp& warp, const MicroOp* op) {
  SurfaceAccess access(warp, op, "atomic");
  const auto reduction = static_cast<Reduction>(op->e);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const SurfacePlace place = access.place(lane);
    if (place.data == nullptr) continue;
    uint8_t value[8];
    get_element(warp, access.values().offset[0], lane, value, access.bytes());
    watch_atomic(warp, op, access.last(), place.offset, access.bytes(), lane);
    if (access.bytes() == 8) {
      reduce<uint64_t>(place.data, value, reduction);
    } else {
      reduce<uint32_t>(place.data, value, reduction);
    }
    if (place.written != nullptr)
      std::memset(place.written, 1, static_cast<size_t>(access.bytes()));
  }
  return op + 1;
}

const MicroOp* store_surface(Warp& warp, const MicroOp* op) {
  SurfaceAccess access(warp, op, "write");
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const SurfacePlace place = access.place(lane);
    if (place.data == nullptr) continue;
    uint8_t fresh[kMostBytes];
    for (int n = 0; n < access.values().count; ++n) {
      get_element(warp, access.values().offset[n], lane, fresh + n * access.element_bytes(),
                  access.element_bytes());
    }
    const StoreInFlight until_stored(warp.worker->launch->stores, warp.worker->index);
    watch_write(warp, op, access.last(), place.offset, {fresh, static_cast<size_t>(access.bytes())},
                lane);
    std::memcpy(place.data, fresh, static_cast<size_t>(access.bytes()));
    if (place.written != nullptr)
      std::memset(place.written, 1, static_cast<size_t>(access.bytes()));
  }
  return op + 1;
}

}  // namespace warpshop::emulator::texture

#include "texture/texture_races.h"

#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "checks/note_finding.h"
#include "checks/race_watch.h"
#include "checks/words.h"
#include "core/dim3.h"
#include "shadows/global_shadow.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::texture {
namespace {

struct Watched {
  GlobalShadow* shadow = nullptr;
  uint64_t base = 0;
  uint64_t address = 0;
};

// For a texture over a buffer, the buffer's own shadow.
Watched watched(const Warp& warp, const BoundTexture& texture, uint64_t offset) {
  if (texture.object->array >= 0) return {texture.shadow.get(), 0, offset};
  const uint64_t address = texture.object->base + offset;
  const Region* region = warp.worker->launch->find(address, 1);
  if (region == nullptr) return {};
  return {region->shadow, region->base, address};
}

Dim3 block_at(const Warp& warp, uint64_t linear) {
  return index_in(warp.worker->launch->grid, linear);
}

void note_race(Warp& warp, const MicroOp* op, const BoundTexture& texture, int lane,
               std::string_view access, bool other_wrote, Sentence who, int bytes) {
  Finding* f = note_finding(warp, op, FindingKind::kRace, ptx::Space::kTex, access, lane);
  if (f == nullptr) return;
  f->allocation = texture.object->name;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->other_access = other_wrote ? "write" : "read";
  f->message = sentence("{access} of \"{name}\" by {who} races with {other} in the same launch",
                        {{"access", access_words(access)},
                         {"name", texture.object->name},
                         {"who", block_words(f->who.block)},
                         {"other", an_access_by(f->other_access, std::move(who))}});
  f->cause =
      access == "read" || !other_wrote
          ? sentence(
                "textures and surfaces show what a launch before this one has written: write to "
                "another array, or launch twice")
          : sentence("several blocks write different values to one texel: give each its own");
}

}  // namespace

void watch_arrays(std::vector<BoundTexture>& textures) {
  std::map<int, std::shared_ptr<GlobalShadow>> of_array;
  for (const BoundTexture& t : textures) {
    const uint64_t bytes = t.object->shape.size_bytes_all();
    if (t.object->kind != TextureObject::Kind::kSurface || t.object->array < 0 ||
        bytes > kMaxWatchedBytes)
      continue;
    std::shared_ptr<GlobalShadow>& shadow = of_array[t.object->array];
    if (!shadow) shadow = std::make_shared<GlobalShadow>(bytes, 1, true);
  }
  for (BoundTexture& t : textures) {
    const auto found = of_array.find(t.object->array);
    if (found != of_array.end()) t.shadow = found->second;
  }
}

void watch_read(Warp& warp, const MicroOp* op, const BoundTexture& texture, uint64_t offset,
                int bytes, int lane, bool surface) {
  const Watched at = watched(warp, texture, offset);
  if (at.shadow == nullptr) return;
  const GlobalTouch touch{.block = warp.block->linear,
                          .address = &at.address,
                          .base = at.base,
                          .mask = 1,
                          .bytes = bytes};
  std::vector<BlockHazard>& hazards = warp.worker->block_hazards;
  hazards.clear();
  at.shadow->on_read(touch, hazards);
  if (!hazards.empty()) {
    if (leaves_races_to_one_thread(*warp.worker->launch)) return;
    note_race(warp, op, texture, lane, "read", true,
              block_words(block_at(warp, hazards[0].other_block)), bytes);
  } else if (!surface && at.shadow->covers(touch)) {
    note_race(warp, op, texture, lane, "read", true, sentence("this block"), bytes);
  }
}

namespace {

// `fresh` is nullptr for an atomic.
void watch_change(Warp& warp, const MicroOp* op, const BoundTexture& surface, uint64_t offset,
                  int bytes, const uint8_t* fresh, int lane) {
  const Watched at = watched(warp, surface, offset);
  if (at.shadow == nullptr) return;
  const bool atomic = fresh == nullptr;
  const GlobalTouch touch{.block = warp.block->linear,
                          .address = &at.address,
                          .base = at.base,
                          .mask = 1,
                          .bytes = bytes,
                          .atomic = atomic};
  std::vector<BlockHazard>& hazards = warp.worker->block_hazards;
  hazards.clear();
  if (!atomic) warp.worker->launch->stores.start(warp.worker->index);
  at.shadow->on_write(touch, hazards);
  for (const BlockHazard& h : hazards) {
    const auto differs = [&] {
      return std::memcmp(fresh, surface.data + offset, static_cast<size_t>(bytes)) != 0;
    };
    if (h.needs_values && fresh != nullptr && !values_differ(warp, op, ptx::Space::kTex, differs))
      continue;
    if (leaves_races_to_one_thread(*warp.worker->launch)) return;
    note_race(
        warp, op, surface, lane, atomic ? "atomic" : "write", h.other_wrote,
        h.several ? sentence("several other blocks") : block_words(block_at(warp, h.other_block)),
        bytes);
    return;
  }
}

}  // namespace

void watch_write(Warp& warp, const MicroOp* op, const BoundTexture& surface, uint64_t offset,
                 std::span<const uint8_t> fresh, int lane) {
  watch_change(warp, op, surface, offset, static_cast<int>(fresh.size()), fresh.data(), lane);
}

void watch_atomic(Warp& warp, const MicroOp* op, const BoundTexture& surface, uint64_t offset,
                  int bytes, int lane) {
  watch_change(warp, op, surface, offset, bytes, nullptr, lane);
}

}  // namespace warpshop::emulator::texture

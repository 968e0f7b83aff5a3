#include "panels/moments.h"

#include "core/dim3.h"
#include "draw/widgets.h"
#include "panels/scrubber.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// The selected access in the timeline's numbering.
std::optional<timing::TimedAccess> selected_access(const View& view) {
  if (!view.access() || view.access()->shared) return std::nullopt;
  const emulator::WarpIdentity& warp = view.record()->warp;
  const uint32_t step = *view.prepared->accesses.global_step(*view.selected);
  return timing::TimedAccess{.block = warp.linear_block,
                             .from = {.warp = warp.warp, .step = step, .site = 0}};
}

bool same_access(const timing::TimedAccess& a, const timing::TimedAccess& b) {
  return a.block == b.block && a.from.warp == b.from.warp && a.from.step == b.from.step;
}

// True for a plain click; one that ends a drag only moves the picture.
bool clicked() {
  return ImGui::IsItemHovered() && ImGui::IsItemDeactivated() &&
         ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < px(3) * px(3);
}

std::string block_name(const lab::KernelRun& run, uint64_t linear) {
  return block_text(index_in(run.grid, linear));
}

}  // namespace

std::string offer_heaviest(const View& view, const timing::MemoryTimeline& memory,
                           const MomentOf& moment, CommandQueue& queue) {
  const std::optional<timing::TimedAccess> heaviest = timing::heaviest_access(
      memory, moment.begin, moment.end, moment.partition, selected_access(view));
  return heaviest ? offer_access(view, *heaviest, queue) : std::string();
}

std::string offer_access(const View& view, const timing::TimedAccess& access, CommandQueue& queue) {
  const lab::KernelRun& run = *view.result()->student();
  if (view.stale || access.from.site >= run.sites.size()) return {};
  const emulator::AccessSite& site = run.sites[access.from.site];
  const int line = student_line(site);
  const std::optional<timing::TimedAccess> now = selected_access(view);
  const bool selected = now && same_access(*now, access);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (clicked()) {
    if (!selected) {
      queue.push(command::SelectGlobalAccess{access.block, access.from.warp, access.from.step});
    } else if (line > 0) {
      queue.push(command::GoTo{{.file = view.result()->file_name, .line = line, .column = 1}});
    }
  }
  const std::string place = (line > 0 ? tr("line {}", line) + ", " : "") +
                            std::string(access_word(site.kind)) + " · " +
                            block_name(run, access.block) + " · " + tr("warp {}", access.from.warp);
  const std::string bytes = access.bytes > 0 ? " · " + bytes_text(access.bytes) : "";
  return "\n" +
         (selected ? tr("Selected: {}", place + bytes) : tr("A click selects: {}", place + bytes));
}

std::optional<uint64_t> moment_of_access(
    const View& view, const std::shared_ptr<const timing::MemoryTimeline>& memory) {
  const std::optional<timing::TimedAccess> access = selected_access(view);
  if (!access) return std::nullopt;
  // Cached, since every frame asks and the search may go through all bursts.
  static struct {
    std::weak_ptr<const timing::MemoryTimeline> memory;
    timing::TimedAccess access;
    std::optional<uint64_t> time;
  } last;
  if (last.memory.lock() != memory || !same_access(last.access, *access)) {
    last = {memory, *access,
            timing::time_of_access(*memory, access->block, access->from.warp, access->from.step)};
  }
  return last.time;
}

void draw_moment_mark(ImDrawList* list, ImVec2 tip) {
  list->AddTriangleFilled({tip.x - px(5), tip.y - px(7)}, {tip.x + px(5), tip.y - px(7)}, tip,
                          look()->text);
}

}  // namespace warpshop::ui

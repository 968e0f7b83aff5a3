#include "panels/partitions_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "draw/legend.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/glossary_link.h"
#include "panels/linked.h"
#include "panels/model_note.h"
#include "panels/moments.h"
#include "state/lecture.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr double kCamps = 1.5;      // the threshold of models::find_camping
constexpr double kSameTime = 0.99;  // fraction of the slowest version's time

// Time runs to the right: a stretch is as wide as its busiest partition is busy.
struct PartitionFrame {
  ImVec2 origin;  // top left corner of the rows
  float width = 0;
  float pitch = 0, row_height = 0;
  double total = 1;  // bytes of the busiest partition, summed over the stretches
  // The full width in the same bytes: the total of the step's slowest version so far.
  double axis = 1;
  float x_of(double bytes) const { return origin.x + width * static_cast<float>(bytes / axis); }
};

double busiest_bytes(const models::PartitionLoad& load) {
  double total = 0;
  for (const models::PartitionWindow& window : load.windows)
    total += static_cast<double>(window.busiest());
  return std::max(total, 1.0);
}

// `axis`: bytes of the busiest partitions up to the right end.
PartitionFrame lay_out(const models::PartitionLoad& load, double axis, ImVec2 origin, ImVec2 size) {
  PartitionFrame frame{.origin = origin, .width = size.x};
  frame.pitch = std::min(size.y / static_cast<float>(std::max(load.map.count, 1)), px(44));
  frame.row_height = std::max(1.0f, frame.pitch - (frame.pitch > px(8)   ? px(3)
                                                   : frame.pitch > px(3) ? 1.0f
                                                                         : 0.0f));
  frame.total = busiest_bytes(load);
  frame.axis = std::max(frame.total, axis);
  return frame;
}

bool window_camps(const models::PartitionWindow& window, int count) {
  return static_cast<double>(window.busiest()) * count >=
         kCamps * static_cast<double>(window.total());
}

void draw_load(ImDrawList* list, const models::PartitionLoad& load, const PartitionFrame& frame,
               bool bad) {
  const Theme& t = *look().theme;
  const ImU32 even = load.map.illustration ? mix(t.panel, t.muted, 0.7f) : t.good;
  const auto count = static_cast<size_t>(load.map.count);
  const float bottom = frame.origin.y + frame.pitch * static_cast<float>(count);
  // Low rows have square corners: the difference is invisible, and it saves a software renderer
  // work.
  const float rounding = frame.row_height > px(6) ? px(2) : 0;
  if (frame.pitch > px(3)) {
    for (size_t p = 0; p < count; ++p) {
      const float top = frame.origin.y + frame.pitch * static_cast<float>(p);
      list->AddRectFilled({frame.origin.x, top},
                          {frame.origin.x + frame.width, top + frame.row_height},
                          mix(t.panel, t.raised, 0.75f), rounding);
    }
  } else {
    list->AddRectFilled(frame.origin, {frame.origin.x + frame.width, bottom},
                        mix(t.panel, t.raised, 0.75f), px(2));
  }
  double at = 0;
  for (const models::PartitionWindow& window : load.windows) {
    const auto busiest = static_cast<double>(window.busiest());
    if (busiest <= 0) continue;
    const float x0 = frame.x_of(at), x1 = frame.x_of(at + busiest);
    const bool camps = bad && window_camps(window, load.map.count);
    const ImU32 color = camps ? t.poor : even;
    const float inset = x1 - x0 > px(8) ? px(1.5f) : 0;
    for (size_t p = 0; p < window.bytes.size(); ++p) {
      if (window.bytes[p] == 0) continue;
      const auto part = static_cast<float>(static_cast<double>(window.bytes[p]) / busiest);
      const float top = frame.origin.y + frame.pitch * static_cast<float>(p);
      // If wide enough, show the busy part and then the wait for the busiest partition. If narrow,
      // a darker colour means busy for longer.
      if (x1 - x0 > px(6)) {
        list->AddRectFilled({x0, top}, {x0 + (x1 - x0 - inset) * part, top + frame.row_height},
                            color, rounding);
      } else {
        list->AddRectFilled({x0, top}, {std::max(x1, x0 + 1), top + frame.row_height},
                            with_alpha(color, 0.15f + 0.85f * part));
      }
    }
    at += busiest;
  }
  // Also hatch runs of stretches with partition camping, each drawn as one.
  at = 0;
  double from = -1;
  const auto hatch = [&](double to) {
    if (from < 0) return;
    draw_hatch(list, {frame.x_of(from), frame.origin.y}, {frame.x_of(to), bottom},
               with_alpha(t.panel, 0.55f), px(7), px(1.2f));
    from = -1;
  };
  for (const models::PartitionWindow& window : load.windows) {
    const bool camps = bad && window.busiest() > 0 && window_camps(window, load.map.count);
    if (camps && from < 0) from = at;
    if (!camps) hatch(at);
    at += static_cast<double>(window.busiest());
  }
  hatch(at);
}

// Returns, per partition, the lanes of the selected access whose first byte lies in it; empty if
// the access goes to shared memory.
std::vector<uint32_t> lanes_by_partition(const View& view, const models::PartitionMap& map) {
  std::vector<uint32_t> lanes;
  const AccessEntry* entry = view.access();
  if (entry == nullptr || entry->shared) return lanes;
  const models::WarpRequest request = request_of(*view.result()->student(), *entry);
  lanes.assign(static_cast<size_t>(std::max(map.count, 1)), 0);
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    lanes[static_cast<size_t>(models::partition_of(
        map, request.address[static_cast<size_t>(lane)]))] |= uint32_t{1} << lane;
  }
  return lanes;
}

// Frames the rows of the partitions that hold the memory pointed at, or else those that the lanes
// pointed at access.
void draw_pointed(ImDrawList* list, const Pointing& pointing, const models::PartitionMap& map,
                  const std::vector<uint32_t>& lanes, const PartitionFrame& frame) {
  if (pointing.bytes == 0 && pointing.lanes == 0) return;
  for (int p = 0; p < map.count; ++p) {
    const bool here = pointing.bytes > 0
                          ? models::partition_of(map, pointing.address) == p
                          : !lanes.empty() && (lanes[static_cast<size_t>(p)] & pointing.lanes) != 0;
    if (!here) continue;
    const float top = frame.origin.y + frame.pitch * static_cast<float>(p);
    list->AddRect({frame.origin.x - px(2), top - px(2)},
                  {frame.origin.x + frame.width + px(2), top + frame.row_height + px(2)},
                  look()->text, px(3), px(1.6f));
  }
}

void draw_labels(ImDrawList* list, const models::PartitionLoad& load, const PartitionFrame& frame,
                 const std::vector<uint32_t>& lanes) {
  const ScaleMarks marks;
  const Face& face = look().fonts->code;
  const float line = line_height(face, kSmall);
  float free_from = -1e9f;
  for (int p = 0; p < load.map.count; ++p) {
    const float y =
        frame.origin.y + frame.pitch * static_cast<float>(p) + (frame.row_height - line) / 2;
    if (y < free_from) continue;
    draw_text(list, {frame.origin.x - px(8), y}, face, kSmall,
              lanes.empty() || lanes[static_cast<size_t>(p)] == 0 ? look()->muted : look()->accent,
              std::to_string(p), Align::kRight);
    free_from = y + line * (frame.pitch < line ? 2.0f : 1.0f);
  }
}

// Marks when everything would be done if the partitions shared the load evenly.
void draw_even(ImDrawList* list, const models::PartitionLoad& load, const PartitionFrame& frame,
               double slowdown) {
  if (slowdown < 1.02) return;
  const Theme& t = *look().theme;
  const float x = std::round(frame.x_of(frame.total / slowdown));
  const float bottom = frame.origin.y + frame.pitch * static_cast<float>(load.map.count);
  list->AddLine({x, frame.origin.y - px(4)}, {x, bottom + px(4)}, t.text, px(1.6f));
  const Face& face = look().fonts->regular;
  const char* text = tr("balanced load would finish here");
  const float width = text_size(face, kSmall, text).x;
  const bool left = x + px(6) + width > frame.origin.x + frame.width;
  draw_text(list, {left ? x - px(6) : x + px(6), bottom + px(3)}, face, kSmall, t.text, text,
            left ? Align::kRight : Align::kLeft);
}

// Marks the end of this version on the time axis of the slowest so far.
void draw_end(ImDrawList* list, const models::PartitionLoad& load, const PartitionFrame& frame) {
  if (frame.total > kSameTime * frame.axis) return;
  const Face& face = look().fonts->regular;
  const float x = std::round(frame.x_of(frame.total));
  const float bottom = frame.origin.y + frame.pitch * static_cast<float>(load.map.count);
  list->AddLine({x, frame.origin.y - px(4)}, {x, bottom + px(4)}, look()->muted, px(1.2f));
  const std::string part = percent_text(std::round(frame.total / frame.axis * 100) / 100);
  const std::string text = tr("over after {} of the slowest version's time", part);
  const ImVec2 size = text_size(face, kSmall, text);
  const float last = frame.origin.x + frame.width - size.x;
  const ImVec2 at{std::min(x + px(6), last), frame.origin.y - size.y - px(9)};
  draw_text(list, at, face, kSmall, look()->body, text);
  metric_area(at, {at.x + size.x, at.y + size.y}, metric::kSlowdown);
}

// Draws a mark above the rows at the time when the selected access reaches memory.
void draw_moment(ImDrawList* list, const View& view,
                 const std::shared_ptr<const timing::MemoryTimeline>& memory,
                 const PartitionFrame& frame) {
  const std::optional<uint64_t> time = moment_of_access(view, memory);
  if (!time) return;
  double at = 0;
  for (const models::PartitionWindow& window : memory->load.windows) {
    const auto busiest = static_cast<double>(window.busiest());
    if (*time < window.begin + memory->load.window_length) {
      draw_moment_mark(list, {frame.x_of(at + busiest / 2), frame.origin.y - px(1)});
      return;
    }
    at += busiest;
  }
}

void hover(const View& view, const timing::MemoryTimeline& memory, const PartitionFrame& frame,
           const std::vector<uint32_t>& lanes, CommandQueue& queue) {
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const int partition = static_cast<int>((mouse.y - frame.origin.y) / frame.pitch);
  if (mouse.y < frame.origin.y || mouse.x < frame.origin.x || partition >= memory.load.map.count)
    return;
  const uint32_t here = lanes.empty() ? 0 : lanes[static_cast<size_t>(partition)];
  if (here != 0) queue.point_at({.lanes = here, .line = view.access()->line});
  double at = 0;
  const double wanted = static_cast<double>((mouse.x - frame.origin.x) / frame.width) * frame.axis;
  for (const models::PartitionWindow& window : memory.load.windows) {
    at += static_cast<double>(window.busiest());
    if (at < wanted) continue;
    const uint64_t bytes = window.bytes[static_cast<size_t>(partition)];
    const uint64_t last = std::min(window.begin + memory.load.window_length, memory.steps);
    const std::string when = memory.load.window_length == 1 || last == window.begin + 1
                                 ? tr("Access {} of every warp", with_separators(window.begin + 1))
                                 : tr("Accesses {}–{} of every warp",
                                      with_separators(window.begin + 1), with_separators(last));
    const double part = window.busiest() == 0
                            ? 0
                            : static_cast<double>(bytes) / static_cast<double>(window.busiest());
    tooltip(
        tr("Partition {}", partition),
        bytes == 0 ? tr("{}: idle", moved_text(static_cast<double>(bytes)))
                   : tr("{}: works {} of the time", moved_text(static_cast<double>(bytes)),
                        percent_text(std::round(part * 100) / 100)),
        when + " · " +
            tr("{} in all",
               moved_text(static_cast<double>(memory.load.bytes[static_cast<size_t>(partition)]))) +
            (here == 0 ? "" : "\n" + tr("The selected access asks it for {}.", lanes_text(here))) +
            offer_heaviest(view, memory, {window.begin, last, partition}, queue));
    return;
  }
}

// Returns what an exercise's checks use: the slowdown of the whole launch. The picture may show
// only its first blocks.
std::optional<double> slowdown_of_launch(const View& view, const lab::KernelRun& run) {
  const lab::Exercise* exercise = view.exercise();
  if (!exercise || !exercise->model_gpu || exercise->model_gpu->id != view.result()->gpu.id)
    return std::nullopt;
  if (!run.model || !run.model->over_time) return std::nullopt;
  return run.model->over_time->partition_slowdown;
}

// Legend of the rows, lengths and colours.
std::vector<LegendEntry> partition_legend(const models::PartitionLoad& load, bool bad) {
  const Theme& t = *look().theme;
  std::vector<LegendEntry> out = {
      {Swatch::kWords, 0, tr("a row per partition, time to the right")}};
  out.push_back({Swatch::kBar, load.map.illustration ? mix(t.panel, t.muted, 0.7f) : t.good,
                 tr("moves bytes")});
  if (bad) out.push_back({Swatch::kHatched, t.poor, tr("moves bytes while most others wait")});
  out.push_back(
      {Swatch::kBar, mix(t.panel, t.raised, 0.75f), tr("idle: it waits for the busiest")});
  return out;
}

std::string csv_of(const timing::MemoryTimeline& memory) {
  std::vector<std::string> columns = {"from_access"};
  for (int p = 0; p < memory.load.map.count; ++p)
    columns.push_back("partition " + std::to_string(p) + " (bytes)");
  CsvTable table(columns);
  for (const models::PartitionWindow& window : memory.load.windows) {
    std::vector<std::string> row = {std::to_string(window.begin)};
    for (const uint64_t bytes : window.bytes) row.push_back(std::to_string(bytes));
    table.row(row);
  }
  return table.text();
}

std::string why_it_camps(const models::PartitionMap& map, const models::CampingReport& camping) {
  if (camping.stride_bytes == 0)
    return tr("The load camps on a few partitions, but no one stride causes it.");
  std::string text = tr("Neighbouring blocks are {} bytes apart: they meet in {} of {} partitions.",
                        with_separators(camping.stride_bytes), camping.partitions, map.count);
  if (!camping.better_strides.empty()) {
    text +=
        " " + tr("{} bytes would reach every partition; so does a diagonal order of the blocks.",
                 with_separators(camping.better_strides.front()));
  }
  return text;
}

}  // namespace

void partitions_panel(const View& view, PartitionsPanelState& state, CommandQueue& queue) {
  Panel panel("partitions", tr("Partitions"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  // A run of another block changes nothing here; keep the current picture while it is simulated
  // again.
  const bool same =
      run && state.source == view.result()->source && state.gpu == view.result()->gpu.id;
  if (run && (run->memory || !same)) {
    state.source = view.result()->source;
    state.gpu = view.result()->gpu.id;
    state.memory = run->memory;
  }
  if (!run || !state.memory || state.memory->load.windows.empty()) {
    panel.header(tr("Partitions"), view.result() ? view.result()->gpu.name : "");
    empty_panel(
        !view.exercise()                           ? tr("Nothing runs in this step.")
        : view.did_not_compile() && !view.prepared ? tr("The kernel has not run: see Findings.")
        : !view.result() ? tr("Run the kernel to see which partitions of memory it keeps busy.")
        : run && !run->memory && (view.running || view.predicting)
            ? tr("Its accesses are being played…")
        : run && run->counters.moved_sectors() == 0
            ? tr("The kernel made no access to memory that could be drawn.")
            : tr("The kernel's accesses could not be played over time."));
    return;
  }
  const timing::MemoryTimeline& memory = *state.memory;
  const models::PartitionLoad& load = memory.load;
  panel.header(tr("Partitions"),
               view.result()->gpu.name + " · " +
                   tr("at {}", view.result()->sizes.front().size.label) + " · " +
                   (memory.blocks < memory.grid_blocks
                        ? tr("blocks 0–{} of {}", with_separators(memory.blocks - 1),
                             with_separators(memory.grid_blocks))
                        : tr_count(memory.grid_blocks, "{} block", "{} blocks")));
  Greyed grey(view.stale);
  const models::CampingReport& camping = memory.camping;
  // If the mapping is an illustration, an uneven load says nothing about the chip. A slide shows a
  // single number, that of its picture.
  const double slowdown =
      view.lecture ? camping.slowdown : slowdown_of_launch(view, *run).value_or(camping.slowdown);
  const bool bad = slowdown >= kCamps && !load.map.illustration;
  const std::string why = camping.stride_bytes > 0 && camping.camps
                              ? tr("partition camping: a stride of {} bytes hits only {} of them",
                                   with_separators(camping.stride_bytes), camping.partitions)
                          : camping.camps ? tr("uneven, but no one stride causes it")
                                          : tr("the load spreads");
  if (load.map.illustration) {
    headline(std::to_string(load.map.count), true, tr("partitions, addresses hashed over them"),
             tr("the hash is not published: rows show an invented one"),
             lab::Provenance::kSimulated, metric::kPartitions);
    paragraph(look().fonts->regular, kLabel, look()->body,
              tr("Since Fermi, chips hash addresses so that no stride should camp on a few "
                 "partitions. How this chip does it is not known: when the kernel asks for how "
                 "much is simulated, in which row it is drawn is not."));
  } else {
    const auto rounded = [](double value) { return std::round(value * 100) / 100; };
    headline(ratio_text(rounded(slowdown)), !bad,
             tr("the time of a balanced load over {} partitions", load.map.count), why,
             lab::Provenance::kSimulated, metric::kSlowdown);
    if (rounded(slowdown) != rounded(camping.slowdown)) {
      paragraph(look().fonts->regular, kLabel, look()->body,
                tr("That is the whole launch, as the check counts it. The picture shows its first "
                   "blocks: {} there.",
                   ratio_text(rounded(camping.slowdown))));
      metric_tooltip(metric::kSlowdown);
    }
  }
  if (bad && camping.camps && !view.lecture) {
    paragraph(look().fonts->regular, kLabel, look()->body, why_it_camps(load.map, camping));
    metric_tooltip(metric::kSlowdown);
    if (!camping.better_strides.empty()) {
      std::string strides;
      for (const uint64_t stride : camping.better_strides)
        strides += (strides.empty() ? "" : ", ") + with_separators(stride);
      paragraph(look().fonts->regular, kLabel, look()->muted,
                tr("Strides in bytes that reach every partition: {}", strides));
    }
  }
  export_menu(
      tr("Partitions"), [&memory] { return csv_of(memory); }, queue);
  if (!view.lecture) {
    const ImVec2 words = ImGui::GetCursorScreenPos();
    legend(partition_legend(load, bad));
    glossary_area(words, ImGui::GetItemRectMax(),
                  load.map.illustration ? "partition" : tr_later("partition camping"), queue);
    gap(2);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Fonts& f = *look().fonts;
  const float line = line_height(f.regular, kSmall);
  const float gutter = text_size(f.code, kSmall, "00").x + px(10);
  const float rows_height = std::max(px(40), space.y - line * 2 - px(18) - model_note_height());
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (view.lecture) {
    // By the script, whose figures are rounded, and not by the scenes shown before.
    const double times = slowest_load(*view.lecture) / camping.slowdown;
    state.step.clear();
    state.axis = busiest_bytes(load) * (times < 1.02 ? 1 : times);
  } else {
    const std::string step = view.result()->lab + "/" + view.result()->step + " " +
                             view.result()->gpu.id + " " + view.result()->sizes.front().size.label;
    if (std::exchange(state.step, step) != step) state.axis = 0;
  }
  state.axis = std::max(state.axis, busiest_bytes(load));
  if (busiest_bytes(load) > kSameTime * state.axis) {
    draw_text(list, {at.x + gutter, at.y}, f.regular, kSmall, look()->muted, tr("first access"));
    draw_text(list, {at.x + space.x, at.y}, f.regular, kSmall, look()->muted,
              tr("access {} of every warp", with_separators(memory.steps)), Align::kRight);
  }
  const PartitionFrame frame = lay_out(load, state.axis, {at.x + gutter, at.y + line + px(9)},
                                       {space.x - gutter, rows_height});
  ImGui::InvisibleButton("load", {std::max(space.x, 1.0f), line + px(9) + rows_height});
  draw_load(list, load, frame, bad);
  const std::vector<uint32_t> lanes = lanes_by_partition(view, load.map);
  draw_labels(list, load, frame, lanes);
  if (!load.map.illustration) draw_even(list, load, frame, camping.slowdown);
  draw_end(list, load, frame);
  draw_moment(list, view, state.memory, frame);
  draw_pointed(list, view.pointing, load.map, lanes, frame);
  hover(view, memory, frame, lanes, queue);
  // Place this below the rows, which keep their height in a low panel; the panel then scrolls.
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + space.y - model_note_height(),
                                            at.y + line * 2 + px(18) + rows_height)});
  model_note(models::ModelName::kPartitionModel, load.map.note.empty() ? ""
                                                 : load.map.illustration
                                                     ? tr(load.map.note)
                                                     : tr("Assumed: {}", load.map.note));
}

}  // namespace warpshop::ui

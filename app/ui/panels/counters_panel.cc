#include "panels/counters_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/sentence.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/measured_counters.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/glossary_link.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// One row: a counter from the registry, or a quotient of two.
struct Metric {
  std::string title;
  std::string unit;
  std::string meaning;
  std::string formula;
  std::string nsight;
  std::string term;
  double yours = 0, reference = 0;
  bool has_yours = true, has_reference = false;
  std::optional<double> measured = {};  // by the GPU
  std::optional<double> profiled = {};  // by Nsight Compute, in an imported profile
  bool contradicts = false;             // the profile's figure differs where it should not
  std::string name = {};                // of the counter, where the row is one
  bool exact = true;                    // a count, as opposed to a quotient with decimals
};

struct Quotient {
  const char* title;
  const char* unit;
  const char* meaning;
  const char* formula;
  const char* nsight;
  const char* term;
  uint64_t timing::Counters::*above;
  uint64_t timing::Counters::*below;
};

constexpr Quotient kQuotients[] = {
    {tr_later("Sectors per load"), tr_later("sectors per request"),
     tr_later("32-byte sectors that one load of a warp moves."),
     "global_load_sectors / global_load_requests",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sector",
     &timing::Counters::global_load_sectors, &timing::Counters::global_load_requests},
    {tr_later("Sectors per store"), tr_later("sectors per request"),
     tr_later("32-byte sectors that one store of a warp moves."),
     "global_store_sectors / global_store_requests",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sector",
     &timing::Counters::global_store_sectors, &timing::Counters::global_store_requests},
    {tr_later("Wavefronts over ideal"), tr_later("times"),
     tr_later("Passes of shared memory over those that the width needs."),
     "shared_wavefronts / shared_wavefronts_ideal",
     "memory_l1_wavefronts_shared / memory_l1_wavefronts_shared_ideal", "wavefront",
     &timing::Counters::shared_wavefronts, &timing::Counters::shared_wavefronts_ideal},
};

// A counter that only the GPU has, not the emulator.
struct GpuCounter {
  const char* name;
  const char* title;
  const char* meaning;
};

constexpr GpuCounter kGpuCounters[] = {
    {"sass_instructions", tr_later("Machine instructions"),
     tr_later("Instructions of warps that the GPU executed: of the machine code, not of the PTX.")},
    {"l2_read_sectors", tr_later("L2 read sectors"),
     tr_later("Sectors that the SMs read from L2.")},
    {"l2_write_sectors", tr_later("L2 write sectors"),
     tr_later("Sectors that the SMs wrote to L2.")},
    {"dram_read_bytes", tr_later("DRAM read bytes"),
     tr_later("Bytes that came from the memory chips, L2 empty before the launch.")},
    {"dram_write_bytes", tr_later("DRAM write bytes"),
     tr_later(
         "Bytes that went to the memory chips during the launch. What stays in L2 goes later.")},
};

// Adds the GPU's counters to the rows that count the same thing; the others get rows of their own.
void add_measured(const std::vector<lab::MeasuredCounter>& measured, std::vector<Metric>& rows) {
  for (const lab::MeasuredCounter& counter : measured) {
    for (Metric& row : rows) {
      if (row.nsight == counter.metric) row.measured = counter.measured;
    }
    for (const GpuCounter& only : kGpuCounters) {
      if (only.name != counter.name) continue;
      Metric row{.title = std::string(tr(only.title)),
                 .unit = std::string(tr(counter.unit + "s")),
                 .meaning = std::string(tr(only.meaning)),
                 .formula = {},
                 .nsight = counter.metric,
                 .term = {}};
      row.has_yours = false;
      row.name = counter.name;
      row.measured = counter.measured;
      rows.push_back(std::move(row));
    }
  }
}

// Figures of a profile that are no counters.
constexpr GpuCounter kProfiledFigures[] = {
    {"registers", tr_later("Registers per thread"),
     tr_later("Registers that the compiler gives each thread.")},
    {"theoretical_occupancy_pct", tr_later("Occupancy"),
     tr_later("Warps that an SM can hold, relative to its maximum.")},
    {"achieved_occupancy_pct", tr_later("Achieved occupancy"),
     tr_later("Warps that an SM held on average, relative to its maximum.")},
};

std::string unit_of(const lab::ComparedFigure& figure) {
  return figure.unit == "%" ? figure.unit : std::string(tr(figure.unit + "s"));
}

// Adds an imported profile's figures, likewise.
void add_profiled(const lab::ProfileComparison& comparison, std::vector<Metric>& rows) {
  for (const lab::ComparedFigure& figure : comparison.figures) {
    if (!figure.profiled) continue;
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const Metric& of) { return of.name == figure.name; });
    for (const std::span<const GpuCounter> table :
         {std::span<const GpuCounter>(kGpuCounters),
          std::span<const GpuCounter>(kProfiledFigures)}) {
      for (const GpuCounter& only : table) {
        if (row != rows.end() || only.name != figure.name) continue;
        Metric added{.title = std::string(tr(only.title)),
                     .unit = unit_of(figure),
                     .meaning = std::string(tr(only.meaning)),
                     .formula = {},
                     .nsight = figure.metric,
                     .term = {},
                     .name = figure.name};
        added.has_yours = figure.ours && figure.provenance == lab::Provenance::kSimulated;
        added.yours = added.has_yours ? *figure.ours : 0;
        added.exact = figure.unit != "%";
        row = rows.insert(rows.end(), std::move(added));
      }
    }
    if (row == rows.end()) continue;
    row->profiled = figure.profiled;
    row->contradicts = figure.differs();
    if (!figure.note.empty()) row->meaning += "\n" + capitalized(tr(figure.note)) + ".";
  }
}

std::vector<Metric> metrics_of(const lab::KernelRun& yours, const lab::KernelRun* reference,
                               bool all) {
  std::vector<Metric> out;
  for (const Quotient& q : kQuotients) {
    const uint64_t below = yours.counters.*q.below;
    const uint64_t reference_below = reference ? reference->counters.*q.below : 0;
    if (below == 0) continue;
    Metric m{.title = tr(q.title),
             .unit = tr(q.unit),
             .meaning = tr(q.meaning),
             .formula = q.formula,
             .nsight = q.nsight,
             .term = q.term};
    m.yours = static_cast<double>(yours.counters.*q.above) / static_cast<double>(below);
    m.has_reference = reference_below > 0;
    if (m.has_reference) {
      m.reference =
          static_cast<double>(reference->counters.*q.above) / static_cast<double>(reference_below);
    }
    m.exact = false;
    out.push_back(std::move(m));
  }
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t mine = yours.counters.*info.field;
    const uint64_t theirs = reference ? reference->counters.*info.field : 0;
    if (!all && mine == 0 && theirs == 0) continue;
    Metric m{.title = std::string(tr(counter_title(info.name))),
             .unit = std::string(tr(std::string(info.unit) + "s")),
             .meaning = std::string(tr(info.meaning)),
             .formula = std::string(counter_formula(info)),
             .nsight = std::string(info.nsight),
             .term = std::string(counter_term(info)),
             .name = std::string(info.name)};
    m.yours = static_cast<double>(mine);
    m.reference = static_cast<double>(theirs);
    m.has_reference = reference != nullptr;
    out.push_back(std::move(m));
  }
  return out;
}

// A figure for chips whose generation has rules of its own.
struct ChipFigure {
  const char* title;
  const char* unit;
  const char* meaning;
  const char* formula;
  const char* term;
  uint64_t timing::ModelFigures::*field;
};

constexpr ChipFigure kChipFigures[] = {
    {tr_later("Load transactions"), tr_later("transactions"),
     tr_later("Transactions that global loads become by the rules of this GPU's generation."),
     "model.load_transactions", tr_later("transaction"), &timing::ModelFigures::load_transactions},
    {tr_later("Store transactions"), tr_later("transactions"),
     tr_later("Transactions that global stores and atomics become by the rules of this GPU's "
              "generation."),
     "model.store_transactions", tr_later("transaction"),
     &timing::ModelFigures::store_transactions},
    {tr_later("Bytes of load transactions"), tr_later("bytes"),
     tr_later("What these load transactions move."), "model.load_bytes", tr_later("transaction"),
     &timing::ModelFigures::load_bytes},
    {tr_later("Bytes of store transactions"), tr_later("bytes"),
     tr_later("What these store transactions move."), "model.store_bytes", tr_later("transaction"),
     &timing::ModelFigures::store_bytes},
    {tr_later("Shared memory passes"), tr_later("passes"),
     tr_later("Passes of all shared accesses through the banks of this GPU."),
     "model.shared_passes", tr_later("bank conflict"), &timing::ModelFigures::shared_passes},
    {tr_later("Passes without conflicts"), tr_later("passes"),
     tr_later("The passes that the same accesses would take if no lanes met in a bank."),
     "model.shared_parts", tr_later("bank conflict"), &timing::ModelFigures::shared_parts},
};

std::vector<Metric> chip_metrics(const lab::KernelRun& yours, const lab::KernelRun* reference) {
  std::vector<Metric> out;
  if (!yours.chip) return out;
  for (const ChipFigure& figure : kChipFigures) {
    const uint64_t mine = *yours.chip.*figure.field,
                   theirs = reference && reference->chip ? *reference->chip.*figure.field : 0;
    if (mine == 0 && theirs == 0) continue;
    out.push_back({.title = std::string(tr(figure.title)),
                   .unit = std::string(tr(figure.unit)),
                   .meaning = std::string(tr(figure.meaning)),
                   .formula = figure.formula,
                   .nsight = {},
                   .term = figure.term,
                   .yours = static_cast<double>(mine),
                   .reference = static_cast<double>(theirs),
                   .has_reference = reference && reference->chip});
  }
  return out;
}

std::string counter_text(double value, const Metric& of) {
  if (of.unit == "%") return percent_text(value / 100);
  return of.exact ? with_separators(static_cast<uint64_t>(value)) : fraction_text(value);
}

// Right edges of the columns, derived from the left edge of the bars.
struct Columns {
  float bars_left = 0;
  bool with_gpu = false, with_profile = false;
  float reference() const { return bars_left - px(16); }
  float profile() const { return bars_left - px(112); }
  float gpu() const { return profile() - px(with_profile ? kProfileWidth : 0); }
  float yours() const { return gpu() - px(with_gpu ? 96 : 0); }
  static constexpr float kProfileWidth = 104;  // for its title
};

// Draws name | yours | the GPU's | the profile's | reference | two thin bars for comparison.
void metric_row(const Metric& m, const Columns& columns) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(24);
  const bool hovered =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height});
  if (hovered) {
    list->AddRectFilled({at.x - px(8), at.y}, {at.x + width + px(8), at.y + height},
                        with_alpha(t.raised, 0.8f), px(6));
  }
  const bool worse = m.has_reference && lab::is_worse(m.yours, m.reference);
  const float y = at.y + (height - line_height(f.regular, kLabel)) / 2;
  const float bars_left = columns.bars_left;
  const float value_right = at.x + columns.yours(), reference_right = at.x + columns.reference();
  const std::string mine = m.has_yours ? counter_text(m.yours, m) : "–";
  const float mine_width = text_size(f.medium, kLabel, mine).x;
  draw_text_cut(list, {at.x, y}, f.regular, kLabel, t.body, m.title,
                value_right - mine_width - at.x - px(10));
  draw_text(list, {value_right, y}, f.medium, kLabel, worse ? t.poor : t.text, mine, Align::kRight);
  if (columns.with_gpu) {
    // Highlight a GPU counter that differs from the emulator's.
    const bool differs = m.has_yours && m.measured && *m.measured != m.yours;
    draw_text(list, {at.x + columns.gpu(), y}, f.medium, kLabel, differs ? t.poor : t.text,
              m.measured ? counter_text(*m.measured, m) : "–", Align::kRight);
  }
  if (columns.with_profile) {
    draw_text(list, {at.x + columns.profile(), y}, f.medium, kLabel,
              m.contradicts ? t.poor : t.text, m.profiled ? counter_text(*m.profiled, m) : "–",
              Align::kRight);
  }
  draw_text(list, {reference_right, y}, f.regular, kLabel, t.muted,
            m.has_reference ? counter_text(m.reference, m) : "–", Align::kRight);
  const float room = width - bars_left;
  const double most = std::max(m.yours, m.reference);
  if (room > px(30) && most > 0) {
    auto bar = [&](double value, float top, ImU32 color) {
      const float w = std::max(px(2), room * static_cast<float>(value / most));
      draw_bar(list, {at.x + bars_left, top}, {at.x + bars_left + w, top + px(6)}, color,
               color == t.poor, px(2));
    };
    bar(m.yours, at.y + height / 2 - px(7), worse ? t.poor : t.good);
    if (m.has_reference) bar(m.reference, at.y + height / 2 + px(1), mix(t.line, t.muted, 0.5f));
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  metric_tooltip({m.title, m.meaning, m.unit, m.formula, m.nsight, m.term});
}

// Draws the headline, which shows what the step is about: the check that fails, else the first
// check; without checks, memory traffic.
void counters_headline(const View& view, const lab::KernelRun& yours,
                       const lab::KernelRun* reference) {
  const uint64_t moved = yours.counters.moved_sectors();
  const uint64_t reference_moved = reference ? reference->counters.moved_sectors() : 0;
  const bool traffic = moved > 0 && reference_moved > 0;
  const double ratio =
      traffic ? static_cast<double>(moved) / static_cast<double>(reference_moved) : 0;
  if (const lab::CheckResult* check = view.result()->main_check()) {
    const bool percent = check->unit == "%";
    std::string beside = percent ? "" : check->unit;
    if (traffic)
      beside += (beside.empty() ? "" : " · ") +
                tr("{}× the reference's memory traffic", fraction_text(ratio));
    const std::string title = tr(check->title);
    headline(percent ? percent_text(*check->value / 100) : check_text(*check->value, check->passed),
             check->passed, title, beside, lab::Provenance::kSimulated,
             {title, check->passed ? title : tr(check->message),
              check->unit.empty() ? "-" : check->unit, check->metric, "", tr_later("counter")});
  } else if (traffic) {
    headline(ratio_text(ratio), !lab::is_worse(ratio, 1), tr("the reference's memory traffic"),
             tr("{} moved, reference {}", moved_text(static_cast<double>(moved * 32)),
                moved_text(static_cast<double>(reference_moved * 32))),
             lab::Provenance::kSimulated, metric::kTraffic);
  }
}

// Says which launch of which profile the column shows, what to bear in mind, or why it fits none.
void profile_words(const ImportedProfile& imported, const lab::ProfileComparison* comparison,
                   CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  gap(6);
  if (comparison != nullptr) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    badge(ImGui::GetWindowDrawList(), {at.x + content_width(), at.y}, lab::Provenance::kMeasured);
    label(f.medium, kLabel, look()->text, tr("Nsight Compute"));
    paragraph(f.regular, kLabel, look()->body,
              tr("{}, launch {} of {}, {}", comparison->file, comparison->launch.id,
                 comparison->launch.kernel, lab::gpu_text(comparison->launch)));
    for (const Sentence& note : comparison->notes)
      paragraph(f.regular, kSmall, look()->muted, tr(note));
  } else {
    paragraph(f.regular, kLabel, look()->body, tr("Nsight Compute: {}", imported.profile.file));
    if (imported.problems.empty() && !imported.sizes.empty()) {
      paragraph(f.regular, kLabel, look()->body,
                tr("The profile is of {}: see Times.", imported.sizes.front().size->size.label));
    }
    for (const Diagnostic& problem : imported.problems) {
      paragraph(f.regular, kLabel, look()->poor, capitalized(tr(problem.message)) + ".");
      if (!problem.help.empty())
        paragraph(f.regular, kLabel, look()->body, capitalized(tr(problem.help)) + ".");
    }
  }
  if (link(tr_id("Remove the profile", "remove-profile"), kLabel))
    queue.push(command::RemoveProfile{});
}

// `strip`: also draws a box for each warp that an SM can hold.
void occupancy_row(const lab::KernelRun& run, const models::GpuProfile& gpu, bool strip,
                   CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const timing::Occupancy& o = run.occupancy;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const std::string text = tr("Occupancy {}", percent_text(o.fraction));
  draw_text(list, at, f.medium, kLabel, t.text, text);
  const float left = text_size(f.medium, kLabel, text).x + px(14);
  // If room is short, drop the registers first, then the warps: students look for the limiter.
  const std::string warps_held = tr("{} of {} warps", o.warps_per_sm, gpu.max_warps_per_sm);
  const std::string limit_name =
      o.limiter == timing::OccupancyLimiter::kNone ? "" : tr("limit: {}", tr(name_of(o.limiter)));
  const std::string last = limit_name.empty() ? warps_held : limit_name;
  std::string detail = tr("{} of {} warps · {} registers per thread", o.warps_per_sm,
                          gpu.max_warps_per_sm, run.registers) +
                       (limit_name.empty() ? "" : " · " + limit_name);
  const auto fits = [&] { return text_size(f.regular, kLabel, detail).x <= width - left; };
  if (!fits() && !limit_name.empty()) detail = warps_held + " · " + limit_name;
  if (!fits()) detail = last;
  draw_text_cut(list, {at.x + width, at.y}, f.regular, kLabel, t.muted, detail, width - left,
                Align::kRight);
  if (o.limiter != timing::OccupancyLimiter::kNone) {
    const float wide = std::min(
        text_size(f.regular, kLabel, tr("limit: {}", tr(name_of(o.limiter)))).x, width - left);
    glossary_area({at.x + width - wide, at.y},
                  {at.x + width, at.y + line_height(f.regular, kLabel)}, "limiter", queue);
  }
  const float below = at.y + line_height(f.medium, kLabel);
  const float top = below + (strip ? px(6) : 0), height = strip ? px(10) : 0;
  const int warps = strip ? std::max(1, gpu.max_warps_per_sm) : 0;
  const float pitch = width / static_cast<float>(std::max(1, warps));
  const float inset = std::min(px(2), pitch * 0.3f);
  for (int w = 0; w < warps; ++w) {
    const float x = at.x + pitch * static_cast<float>(w);
    list->AddRectFilled({x, top}, {x + pitch - inset, top + height},
                        w < o.warps_per_sm ? t.good : t.raised, px(1));
  }
  ImGui::Dummy({width, top + height - at.y});
  auto limit = [](int blocks) {
    return blocks == timing::kUnlimited ? std::string(tr("no limit")) : std::to_string(blocks);
  };
  metric_tooltip(
      metric::kOccupancy,
      tr(o.reason) + "\n" +
          tr("Blocks per SM, by resource: warps {}, blocks {}, registers {}, shared memory {}",
             limit(o.limit_warps), limit(o.limit_blocks), limit(o.limit_registers),
             limit(o.limit_shared)));
}

}  // namespace

void counters_panel(const View& view, CountersPanelState& state, CommandQueue& queue) {
  Panel panel("counters", tr("Counters"));
  if (!panel) return;
  const lab::KernelRun* yours = view.result() ? view.result()->student() : nullptr;
  const lab::KernelRun* reference = view.result() ? view.result()->reference() : nullptr;
  if (reference && !reference->completed) reference = nullptr;
  const bool shown = yours && yours->completed;
  panel.header(tr("Counters"));
  if (!shown) {
    empty_panel(!view.exercise() ? tr("Nothing runs in this step.")
                : view.prepared  ? tr("The kernel did not run to its end: nothing was counted.")
                : view.did_not_compile() ? tr("The kernel has not run: see Findings.")
                                         : tr("Run the kernel to count what it does."));
    return;
  }
  Greyed grey(view.stale);
  counters_headline(view, *yours, reference);
  export_menu(
      tr("Counters"),
      [&view] {
        const lab::RunResult& result = *view.result();
        return counters_csv(result,
                            view.profile ? view.profile->of(result.sizes.front()) : nullptr);
      },
      queue);
  // In a low panel the rows need the room more.
  const bool strip = ImGui::GetContentRegionAvail().y > px(170);
  const float occupancy_height = line_height(look().fonts->medium, kLabel) + px(strip ? 24 : 8);
  ImGui::BeginChild("rows", {0, -occupancy_height});
  std::optional<Greyed> grey_rows(view.stale);
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const float bars_left = width - std::clamp(width * 0.2f, px(20), px(140));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const lab::SizeResult& size = view.result()->sizes.front();
  const std::vector<lab::MeasuredCounter> measured = lab::measured_counters(size);
  const lab::ProfileComparison* profiled = view.profile ? view.profile->of(size) : nullptr;
  Columns columns{bars_left, !measured.empty(), profiled != nullptr};
  // Where there is no room for both, the profile is the one that was asked for.
  if (columns.with_gpu && profiled && columns.yours() < px(200)) columns.with_gpu = false;
  const float room = columns.yours() - text_size(f.regular, kSmall, tr("yours")).x - px(10);
  if (room > px(60))
    draw_text_cut(list, at, f.regular, kSmall, look()->muted, tr("at {}", size.size.label), room);
  draw_text(list, {at.x + columns.yours(), at.y}, f.regular, kSmall, look()->muted, tr("yours"),
            Align::kRight);
  if (columns.with_gpu) {
    draw_text(list, {at.x + columns.gpu(), at.y}, f.regular, kSmall, look()->muted,
              tr("on the GPU"), Align::kRight);
  }
  if (columns.with_profile) {
    draw_text(list, {at.x + columns.profile(), at.y}, f.regular, kSmall, look()->muted,
              tr("Nsight Compute"), Align::kRight);
  }
  draw_text(list, {at.x + columns.reference(), at.y}, f.regular, kSmall, look()->muted,
            tr("reference"), Align::kRight);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGui::Dummy({width, px(16)});
  if (view.profile && !profiled) {
    profile_words(*view.profile, nullptr, queue);
    gap(6);
  }
  // The chip's own counters come first; sectors and wavefronts are those of today's GPUs.
  if (const std::vector<Metric> of_chip = chip_metrics(*yours, reference); !of_chip.empty()) {
    const auto heading = [&](const std::string& text) {
      paragraph(f.regular, kSmall, look()->muted, text);
    };
    heading(tr("By the rules of the {}:", short_gpu_name(view.result()->gpu.name)));
    for (const Metric& metric : of_chip) metric_row(metric, columns);
    gap(4);
    heading(
        tr("By today's rules (32 banks, sectors of 32 bytes), as the checks count on every GPU:"));
  }
  std::vector<Metric> metrics = metrics_of(*yours, reference, state.all);
  add_measured(measured, metrics);
  if (profiled) add_profiled(*profiled, metrics);
  for (const Metric& metric : metrics) metric_row(metric, columns);
  if (link(state.all ? tr_id("Only what this kernel does", "all") : tr_id("All counters", "all"),
           kLabel)) {
    state.all = !state.all;
  }
  ImGui::PopStyleVar();
  if (profiled) profile_words(*view.profile, profiled, queue);
  if (size.measured && size.measured->job.counters) {
    for (const Diagnostic& problem : size.measured->job.counters->problems) {
      paragraph(f.regular, kLabel, look()->muted, tr(problem.message));
      if (!problem.help.empty()) paragraph(f.regular, kLabel, look()->muted, tr(problem.help));
    }
  }
  grey_rows.reset();
  ImGui::EndChild();
  occupancy_row(*yours, view.result()->gpu, strip, queue);
}

}  // namespace warpshop::ui

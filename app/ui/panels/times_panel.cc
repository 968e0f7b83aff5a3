#include "panels/times_panel.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/text_id.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/times.h"
#include "maps/bar_scale.h"
#include "maps/csv_tables.h"
#include "models/known_error.h"
#include "panels/device_widgets.h"
#include "panels/estimate_card.h"
#include "panels/export_menu.h"
#include "panels/limiter_words.h"
#include "panels/model_note.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// "−12.5%", for a time.
std::string error_text(double error) {
  return (error < 0 ? "−" : "+") + percent_text(std::abs(std::round(error * 1000) / 1000));
}

// Translates the row's name; a published figure keeps its own.
std::string what_text(const lab::TimeRow& row) {
  if (row.what == lab::Timed::kPublished) return row.label;
  return std::string(tr(lab::name_of(row.what)));
}

std::string rate_or_time_text(double value, lab::Rate rate) {
  if (rate == lab::Rate::kTime) return us_text(value);
  const std::string number = value >= 100
                                 ? with_separators(static_cast<uint64_t>(std::llround(value)))
                             : value >= 10 ? decimal_text(value, 1)
                                           : decimal_text(value, 2);
  return number + " " + std::string(lab::unit_of(rate));
}

const MetricWords& metric_of(lab::Rate rate) {
  return rate == lab::Rate::kBandwidth    ? metric::kUsefulBandwidth
         : rate == lab::Rate::kArithmetic ? metric::kFlopRate
                                          : metric::kWarmTime;
}

// Draws the chosen device, its state, and the available actions.
void device_line(const View& view, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const DeviceRow row = view.devices->chosen();
  const float width = std::min(content_width() * 0.46f, px(250));
  if (dropdown("##device", row.name, width)) queue.push(command::OpenDevices{});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
    tooltip(tr("Where kernels are measured"), row.where);
  }
  ImGui::SameLine(0, px(14));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = px(30);
  const bool busy = view.devices->measuring();
  const bool refused = row.state == LinkState::kRefused;
  const char* act = busy ? tr_later("Stop") : refused ? tr_later("Try again") : nullptr;
  const float act_width = act == nullptr ? 0 : text_size(f.regular, kLabel, tr(act)).x;
  const std::string text =
      row.place != kEmulatorAlone ? state_text(row) : std::string(tr("times are predicted"));
  if (row.place != kEmulatorAlone) {
    device_mark(ImGui::GetWindowDrawList(), {at.x + px(5), at.y + height / 2}, row.state,
                view.now_s);
  }
  const float left = row.place == kEmulatorAlone ? 0 : px(18);
  draw_text_cut(ImGui::GetWindowDrawList(),
                {at.x + left, at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular,
                kLabel, refused || row.state == LinkState::kRetrying ? look()->poor : look()->muted,
                text, content_width() - left - act_width - px(12));
  if (act != nullptr) {
    ImGui::SetCursorScreenPos({at.x + content_width() - act_width, at.y + px(3)});
    if (link(tr_id(act, busy ? "stop-device" : "try"), kLabel)) {
      if (busy) {
        queue.push(command::Stop{});
      } else {
        queue.push(command::ConnectDevice{row.place});
      }
    }
  }
  ImGui::SetCursorScreenPos(
      {ImGui::GetWindowPos().x + ImGui::GetStyle().WindowPadding.x, at.y + height});
  ImGui::Dummy({0, px(2)});
}

// Lists why something was not measured, or what went wrong on the way; the emulator's finding
// serves as the help text.
void problems(const lab::RunResult& result, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  int number = 0;
  for (const Diagnostic& problem : result.measure_problems) {
    ImGui::PushID(number++);
    const ImU32 color = problem.severity == Severity::kError ? look()->poor : look()->text;
    paragraph(f.medium, kLabel, color, tr(problem.message));
    if (!problem.help.empty()) paragraph(f.regular, kLabel, look()->body, tr(problem.help));
    if (problem.place.line > 0 && link(tr("Line {}", problem.place.line) + "##line", kLabel)) {
      queue.push(command::GoTo{problem.place});
    }
    ImGui::PopID();
    gap(4);
  }
}

// Says why the student's kernel has no predicted time, and what can be done about it.
void why_no_prediction(const View& view) {
  const Fonts& f = *look().fonts;
  const std::string why = why_not_predicted(view);
  if (why.empty()) return;
  paragraph(f.medium, kLabel, look()->text, why);
  const Diagnostic& problem = view.result()->prediction_problems.front();
  if (!problem.help.empty())
    paragraph(f.regular, kLabel, look()->body, capitalized(tr(problem.help)) + ".");
  gap(4);
}

// The times of one size, with the imported profile's.
std::vector<lab::TimeRow> rows_of(const View& view, const lab::RunResult& result,
                                  const lab::SizeResult& size) {
  std::vector<lab::TimeRow> rows = lab::time_rows(*view.session->lab(), result, size);
  if (const lab::ProfileComparison* profiled = view.profile ? view.profile->of(size) : nullptr)
    lab::add_profiled_time(*profiled, size, rows);
  return rows;
}

// What is drawn for one row.
struct TimeBar {
  lab::TimeRow row;
  std::string name;
  std::string short_name;  // where there is no room for the name
  ImU32 color = 0;
  bool below = false;   // belongs to the row above it
  std::string version;  // its history id: a click shows what has changed since; empty: none
};

constexpr size_t kMostVersionBars = 3;

constexpr float kLeastBar = 24;  // that is as long as it should be beside its figure

constexpr double kAsFast = 0.02;  // a smaller difference counts as none

std::string speed_text(double speed) {
  if (std::abs(speed - 1) < kAsFast) return tr("as fast as the reference");
  return speed > 1 ? tr("{}× faster than the reference", fraction_text(speed))
                   : tr("{}× slower than the reference", fraction_text(1 / speed));
}

// The student's and earlier versions' bars, then the reference's, the ceiling, and published ones.
std::vector<TimeBar> bars_of(const std::vector<lab::TimeRow>& rows, const View& view,
                             lab::Rate rate, bool timed) {
  const Theme& t = *look().theme;
  std::vector<TimeBar> out;
  const auto add_versions = [&] {
    if (!timed || !view.history || rate == lab::Rate::kTime) return;
    const lab::RunResult& result = *view.result();
    const std::string now = text_id(result.source);
    std::vector<std::string> texts = {now};
    std::vector<TimeBar> versions;
    const std::vector<RunRecord>& runs = view.history->runs();
    for (auto run = runs.rbegin(); run != runs.rend() && versions.size() < kMostVersionBars;
         ++run) {
      const std::optional<double>& speed =
          rate == lab::Rate::kBandwidth ? run->predicted_gb_s : run->predicted_gflop_s;
      const bool seen = std::find(texts.begin(), texts.end(), run->text_id) != texts.end();
      if (seen || run->gpu != result.gpu.id || run->timed_size != size_key(result.timed->size) ||
          !speed)
        continue;
      texts.push_back(run->text_id);
      TimeBar bar;
      bar.row.provenance = lab::Provenance::kPredicted;
      bar.row.us = run->predicted_us.value_or(0);
      (rate == lab::Rate::kBandwidth ? bar.row.gb_s : bar.row.gflop_s) = *speed;
      bar.row.origin = result.gpu.name;
      bar.name =
          tr("{}, {}", tr("version {}", run->id), tr(lab::name_of(lab::Provenance::kPredicted)));
      bar.color = t.history;
      bar.version = run->id;
      versions.push_back(std::move(bar));
    }
    out.insert(out.end(), versions.begin(), versions.end());
  };
  const bool good = lab::compare_times(rows, rate).good;
  bool versions_due = true;
  for (const lab::TimeRow& row : rows) {
    if (row.what != lab::Timed::kYours && std::exchange(versions_due, false)) add_versions();
    if (row.of(rate) <= 0 && row.provenance != lab::Provenance::kPublished) continue;
    TimeBar bar;
    bar.below = row.provenance != lab::Provenance::kPublished && !out.empty() &&
                out.back().row.name() == row.name();
    bar.row = row;
    const bool kernels = row.what == lab::Timed::kYours || row.what == lab::Timed::kReference;
    bar.name = bar.below ? row.kept ? tr("recorded on {}", short_gpu_name(view.result()->gpu.name))
                                    : std::string(tr(lab::name_of(row.provenance)))
               : kernels ? tr("{}, {}", what_text(row), tr(lab::name_of(row.provenance)))
                         : what_text(row);
    if (kernels && !bar.below) bar.short_name = what_text(row);  // the badge says the rest
    const ImU32 full = row.what == lab::Timed::kYours       ? (good ? t.good : t.poor)
                       : row.what == lab::Timed::kReference ? t.accent
                       : row.provenance == lab::Provenance::kPublished && (row.value > 0)
                           ? t.history
                           : mix(t.line, t.muted, 0.6f);
    bar.color = bar.below ? mix(t.panel, full, 0.55f) : full;
    out.push_back(std::move(bar));
  }
  if (versions_due) add_versions();
  return out;
}

bool of_other_unit(const lab::TimeRow& row, lab::Rate rate) {
  return row.value > 0 && row.of(rate) <= 0;
}

// A predicted time is followed by its deviation from the measured one.
std::string time_of(const lab::TimeRow& row) {
  return us_text(row.us) + (row.error ? "  " + error_text(*row.error) : "");
}

std::string figure_of(const lab::TimeRow& row, lab::Rate rate) {
  if (of_other_unit(row, rate)) return fraction_text(row.value) + " " + row.unit;
  return rate == lab::Rate::kTime ? time_of(row) : rate_or_time_text(row.of(rate), rate);
}

// Layout shared by all bars of the panel.
struct BarColumns {
  double scale = 0;  // pixels per unit of the rate
  float name_width = 0, time_width = 0;
};

// Returns the pixels available for bars with their figures.
float room_for_bars(const BarColumns& columns) {
  return content_width() - columns.name_width - columns.time_width -
         badge_width(lab::Provenance::kPublished) - px(10);
}

// Draws name, bar with the figure at its end, time, and badge; below a published figure, the GPU
// and publication it comes from, since it is not the ceiling's GPU.
void draw_time_bar(const TimeBar& bar, lab::Rate rate, const BarColumns& columns,
                   CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const lab::TimeRow& row = bar.row;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), line = px(28);
  const bool published =
      row.provenance == lab::Provenance::kPublished && row.value > 0 && row.us <= 0;
  const float height = line + (published ? line_height(f.regular, kSmall) : 0);
  if (bar.version.empty()) {
    ImGui::Dummy({width, height});
  } else if (ImGui::InvisibleButton(("version" + bar.version).c_str(), {width, height})) {
    queue.push(command::OpenChanges{bar.version, ""});
  }
  const bool hovered = ImGui::IsItemHovered();
  if (hovered || (!bar.version.empty() && ImGui::IsItemFocused())) {
    list->AddRectFilled({at.x - px(8), at.y}, {at.x + width + px(8), at.y + height},
                        with_alpha(t.raised, 0.8f), px(6));
  }
  const float y = at.y + (line - line_height(f.regular, kLabel)) / 2;
  const float indent = bar.below ? px(10) : 0;
  const float name_room = columns.name_width - indent - px(8);
  const bool cut = text_size(f.regular, kLabel, bar.name).x > name_room;
  draw_text_cut(list, {at.x + indent, y}, f.regular, kLabel, bar.below ? t.muted : t.body,
                cut && !bar.short_name.empty() ? bar.short_name : bar.name, name_room);
  badge(list, {at.x + width, at.y + (line - px(18)) / 2}, row.provenance);
  const float left = at.x + columns.name_width, right = left + room_for_bars(columns);
  if (columns.time_width > 0 && row.us > 0) {
    draw_text(list, {right + columns.time_width, y}, f.regular, kLabel, t.muted, time_of(row),
              Align::kRight);
  }
  const std::string figure = figure_of(row, rate);
  float end = left;
  if (!of_other_unit(row, rate) && columns.scale > 0) {
    end = left + std::max(px(3), static_cast<float>(row.of(rate) * columns.scale));
    list->AddRectFilled({left, at.y + px(6)}, {end, at.y + line - px(6)}, bar.color, px(3));
    end += px(8);
  }
  draw_text_cut(list, {end, y}, f.medium, kLabel, bar.below ? t.body : t.text, figure, right - end);
  if (published) {
    const ScaleMarks names;  // "GTC 2015" is not a figure
    draw_text_cut(list, {at.x, at.y + line - px(3)}, f.regular, kSmall, t.muted, tr(row.origin),
                  width);
  }
  if (hovered) {
    std::string note;
    if (row.cold_us > 0) {
      note =
          tr("Warm: the second of two launches in a row. Cold: an empty L2 and new inputs, {}, {} "
             "between the quartiles.",
             us_text(row.cold_us), us_text(row.spread_us));
    }
    if (row.error)
      note = tr("The predicted time is {} off the warm time that was measured.",
                error_text(*row.error));
    if (!bar.version.empty()) note = tr("Click to see what the text changed since.");
    if (row.us > 0 && note.empty()) note = us_text(row.us);
    const std::string whose = bar.version.empty() ? what_text(row) : bar.name;
    tooltip(std::string(tr(lab::name_of(row.provenance))) + ": " + whose, tr(row.origin), note);
  }
}

void draw_bars(const std::vector<TimeBar>& bars, lab::Rate rate, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  std::vector<BarLength> lengths;
  float name_width = 0, time_width = 0;
  for (const TimeBar& bar : bars) {
    if (!of_other_unit(bar.row, rate)) {
      lengths.push_back(
          {bar.row.of(rate), text_size(f.medium, kLabel, figure_of(bar.row, rate)).x + px(10)});
    }
    name_width = std::max(
        name_width, text_size(f.regular, kLabel, bar.name).x + (bar.below ? px(10) : 0) + px(14));
    if (bar.row.us > 0)
      time_width = std::max(time_width, text_size(f.regular, kLabel, time_of(bar.row)).x + px(12));
  }
  name_width = std::min(name_width, content_width() * 0.3f);
  // Where the bars and their figures would have no room, the time is in the tooltip.
  float figure_width = 0;
  for (const BarLength& length : lengths)
    figure_width = std::max(figure_width, length.figure_width);
  const float bars_room = room_for_bars({0, name_width, time_width});
  if (rate == lab::Rate::kTime || bars_room < figure_width + px(kLeastBar)) time_width = 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  BarColumns columns{0, name_width, time_width};
  columns.scale = bar_scale(lengths, room_for_bars(columns), px(kLeastBar));
  for (const TimeBar& bar : bars) draw_time_bar(bar, rate, columns, queue);
  const float bottom = ImGui::GetCursorScreenPos().y;
  const float right = at.x + content_width() - badge_width(lab::Provenance::kPublished) - px(10);
  note_metric({at.x + name_width, at.y}, {right - time_width, bottom}, metric_of(rate));
  for (const TimeBar& bar : bars) {
    const float left = rate == lab::Rate::kTime ? at.x + name_width : right - time_width;
    if (bar.row.error) note_metric({left, at.y}, {right, bottom}, metric::kPredictionError);
  }
  if (time_width > 0) note_metric({right - time_width, at.y}, {right, bottom}, metric::kWarmTime);
}

// Draws the headline: the student's speed, with its share of the ceiling and its ratio
// to the reference. A wrong kernel does different work, so it is not compared with the reference.
void speed_headline(const std::vector<lab::TimeRow>& rows, lab::Rate rate, bool correct) {
  const auto [yours, good, speed] = lab::compare_times(rows, rate);
  if (yours == nullptr) return;
  // The ceiling is the row without a time.
  const auto ceiling = std::find_if(rows.begin(), rows.end(), [&](const lab::TimeRow& row) {
    return row.of(rate) > 0 && row.value <= 0 && row.us <= 0;
  });
  const std::string figure = rate_or_time_text(yours->of(rate), rate);
  const size_t space = figure.rfind(' ');
  const std::string unit = figure.substr(space + 1);
  const std::string what = rate == lab::Rate::kBandwidth    ? tr("{} of useful bandwidth", unit)
                           : rate == lab::Rate::kArithmetic ? tr("{} of arithmetic", unit)
                                                            : tr("{} per launch", unit);
  std::string beside;
  const auto add = [&](const std::string& text) { beside += (beside.empty() ? "" : " · ") + text; };
  if (ceiling != rows.end()) {
    add(tr("{} of the {} ceiling",
           percent_text(std::round(yours->of(rate) / ceiling->of(rate) * 1000) / 1000),
           rate_or_time_text(ceiling->of(rate), rate)));
  }
  if (!correct) {
    add(tr("the result is wrong"));
  } else if (speed > 0) {
    add(speed_text(speed));
  }
  headline(figure.substr(0, space), good && correct, what, beside, yours->provenance,
           metric_of(rate));
}

// Says that the student's time is predicted and compared with a predicted one, and what is known of
// the error of such times on this GPU.
void say_kind(const std::vector<lab::TimeRow>& rows, lab::Rate rate,
              const models::GpuProfile& gpu) {
  const lab::TimeRow* yours = lab::compare_times(rows, rate).yours;
  if (yours == nullptr || yours->provenance == lab::Provenance::kMeasured) return;
  const bool recorded = std::any_of(rows.begin(), rows.end(), [](const lab::TimeRow& row) {
    return row.kept && row.what == lab::Timed::kYours;
  });
  paragraph(look().fonts->regular, kLabel, look()->muted,
            recorded
                ? tr("Predicted, as for any text that you write, and compared with the reference's "
                     "predicted time. For this very text the lab also has a GPU's recorded time.")
                : tr("Predicted: no GPU has run this text. It is compared with the reference's "
                     "predicted time."));
  paragraph(look().fonts->regular, kSmall, look()->muted, tr(models::known_error(gpu)) + ".");
}

// Describes the conditions of the measurements in words, each once.
void notes(const lab::RunResult& result, const lab::SizeResult& size,
           const std::vector<lab::TimeRow>& all) {
  const Fonts& f = *look().fonts;
  const auto say = [&](const std::string& text) {
    paragraph(f.regular, kSmall, look()->muted, text);
  };
  gap(4);
  std::set<std::string> said;
  for (const lab::TimeRow& row : all) {
    if (row.provenance == lab::Provenance::kPublished) continue;  // in the tooltip
    const std::string text = std::string(tr(lab::name_of(row.provenance))) + ": " + tr(row.origin);
    if (row.origin.empty() || !said.insert(text).second) continue;
    std::string more;
    const device::Timing* timing =
        row.provenance == lab::Provenance::kMeasured && size.measured && size.measured->job.timing
            ? &*size.measured->job.timing
            : nullptr;
    if (timing != nullptr && timing->clock_mhz > 0)
      more += tr(", {} MHz, memory {} MHz", timing->clock_mhz, timing->memory_clock_mhz);
    if (row.empty_us > 0) more += tr("; an empty kernel takes {}", us_text(row.empty_us));
    if (timing != nullptr) {
      for (const std::string& reason : timing->throttled)
        more += tr("; slowed down: {}", tr(reason));
    }
    say(text + more);
  }
  if (size.measured) {
    const device::KernelFigures& figures = size.measured->job.student;
    say(tr("Driver: {} registers, {} blocks per SM; simulated: {} and {} ({})", figures.registers,
           figures.blocks_per_sm, size.student.registers, size.student.occupancy.blocks_per_sm,
           result.gpu.name));
  }
}

}  // namespace

void times_panel(const View& view, TimesPanelState& state, CommandQueue& queue) {
  Panel panel("times", tr("Times"));
  if (!panel) return;
  const lab::RunResult* result = view.result();
  const bool any = result && !result->sizes.empty();
  const std::vector<const lab::SizeResult*> sizes =
      any ? result->sizes_by_time() : std::vector<const lab::SizeResult*>{};
  state.size = std::clamp(state.size, 0, std::max(0, static_cast<int>(sizes.size()) - 1));
  const lab::SizeResult* shown = any ? sizes[static_cast<size_t>(state.size)] : nullptr;
  panel.header(tr("Times"), any ? tr("at {}", shown->size.label) : "");
  std::vector<lab::TimeRow> all;
  if (any) all = rows_of(view, *result, *shown);
  device_line(view, queue);
  ImGui::BeginChild("times");
  if (!any) {
    empty_panel(!view.exercise()         ? tr("Nothing runs in this step.")
                : view.did_not_compile() ? tr("The kernel has not run: see Findings.")
                                         : tr("Run the kernel to see how long it takes."));
    ImGui::EndChild();
    return;
  }
  {
    Greyed grey(view.stale);
    const DeviceRow device = view.devices->chosen();
    if (result->measure_problems.empty() && device.place != kEmulatorAlone &&
        device.state == LinkState::kRefused) {
      paragraph(look().fonts->medium, kLabel, look()->poor, device.detail);
      paragraph(look().fonts->regular, kLabel, look()->body, device.help);
      gap(4);
    }
    problems(*result, queue);
    if (!shown->student.prediction) why_no_prediction(view);
    const lab::Rate rate = lab::rate_of(*shown, result->gpu);
    const std::vector<lab::SizeResult>& run = result->sizes;
    speed_headline(all, rate, std::all_of(run.begin(), run.end(), [](const lab::SizeResult& size) {
                     return size.correct;
                   }));
    estimate_line(view, *result, *shown, all);
    if (const auto limiter = lab::limiter_summary_of(all, *result, *shown))
      limiter_words(*limiter, queue);
    gap(4);
    const bool timed = result->timed && shown == &*result->timed;
    const std::vector<TimeBar> bars = bars_of(all, view, rate, timed);
    const bool known =
        std::any_of(all.begin(), all.end(), [](const lab::TimeRow& row) { return row.us > 0; });
    if (known) {
      draw_bars(bars, rate, queue);
      say_kind(all, rate, result->gpu);
    } else if (view.predicting || view.running) {
      empty_panel(tr("Times are being predicted…"));
    } else if (!shown->problems.empty()) {
      empty_panel(tr("The launch failed, so there are no times."),
                  tr(shown->problems.front().message));
    } else if (result->measure_problems.empty() && device.place == kEmulatorAlone) {
      empty_panel(tr("No time is measured on the emulator."),
                  tr("Choose a GPU above: one in this machine, or a worker on another one."));
    }
    gap(4);
    for (size_t i = 0; sizes.size() > 1 && i < sizes.size(); ++i) {
      const std::string name = sizes[i]->size.label + "##size" + std::to_string(i);
      const float wide = text_size(look().fonts->regular, kSmall, sizes[i]->size.label).x + px(24);
      if (i > 0) {
        ImGui::SameLine();
        if (ImGui::GetCursorScreenPos().x + wide > content_end().x) ImGui::NewLine();
      }
      if (button(name, sizes[i] == shown ? ButtonKind::kSelected : ButtonKind::kQuiet, {0, 0},
                 kSmall)) {
        state.size = static_cast<int>(i);
      }
    }
    if (known) notes(*result, *shown, all);
    if (const auto* profiled = view.profile ? view.profile->of(*shown) : nullptr) {
      for (const auto* notes : {&profiled->notes, &profiled->time_notes}) {
        for (const Sentence& note : *notes)
          paragraph(look().fonts->regular, kSmall, look()->muted, tr(note));
      }
    }
    const double speed = lab::compare_times(all, rate).speed;
    if (result->passed && speed > 0 && std::abs(speed - 1) >= kAsFast) {
      paragraph(look().fonts->regular, kSmall, look()->muted,
                tr("A kernel that passes every check may still be faster or slower than the "
                   "reference: it may use other blocks, another order, or other instructions."));
    }
    if (known && !timed && view.exercise()->timed && !result->timed) {
      paragraph(look().fonts->regular, kSmall, look()->muted,
                tr("Once its results are right, the kernel is timed at {}.",
                   view.exercise()->timed->label));
    }
  }
  ImGui::EndChild();
  if (any) {
    export_menu(
        tr("Times"), [&view, result, shown] { return times_csv(rows_of(view, *result, *shown)); },
        queue);
  }
}

}  // namespace warpshop::ui

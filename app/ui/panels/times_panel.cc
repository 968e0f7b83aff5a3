#include "panels/times_panel.h"

#include <algorithm>
#include <cmath>

#include "core/fixed.h"
#include "draw/widgets.h"
#include "lab/times.h"
#include "maps/csv_tables.h"
#include "panels/device_widgets.h"
#include "panels/export_menu.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

std::string us_text(double us) {
  if (us <= 0) return "–";
  return us < 1000 ? fixed(us, 2) + " µs" : fixed(us / 1000, 3) + " ms";
}

std::string error_text(double error) {
  return (error < 0 ? "−" : "+") + fixed(std::abs(error) * 100, 1) + " %";
}

// "yours", "reference" and "best copy" in the window's language; a published figure's own name.
std::string what_text(const lab::TimeRow& row) {
  for (const char* known : {tr_later("yours"), tr_later("reference"), tr_later("best copy")}) {
    if (row.what == known) return tr(known);
  }
  return row.what;
}

// The chosen device, its state, and what can be done about it.
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
  std::string text = row.place == kEmulatorAlone ? std::string(tr("nothing is measured")) : state_text(row);
  if (row.place != kEmulatorAlone) {
    device_mark(ImGui::GetWindowDrawList(), {at.x + px(5), at.y + height / 2}, row.state, view.now_s);
  }
  const float left = row.place == kEmulatorAlone ? 0 : px(18);
  draw_text_cut(ImGui::GetWindowDrawList(),
                {at.x + left, at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular, kLabel,
                refused || row.state == LinkState::kRetrying ? look()->poor : look()->muted, text,
                content_width() - left - act_width - px(12));
  if (act != nullptr) {
    ImGui::SetCursorScreenPos({at.x + content_width() - act_width, at.y + px(3)});
    if (link(tr_id(act, busy ? "stop-device" : "try").c_str(), kLabel)) {
      if (busy) {
        queue.push(command::Stop{});
      } else {
        queue.push(command::ConnectDevice{row.place});
      }
    }
  }
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetStyle().WindowPadding.x, at.y + height});
  ImGui::Dummy({0, px(2)});
}

// Why something was not measured, or what happened on the way; the emulator's finding is its help.
void problems(const lab::RunResult& result, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  int number = 0;
  for (const Diagnostic& problem : result.measure_problems) {
    ImGui::PushID(number++);
    const ImU32 color = problem.severity == Severity::kError ? look()->poor : look()->text;
    paragraph(f.medium, kLabel, color, tr(problem.message));
    if (!problem.help.empty()) paragraph(f.regular, kLabel, look()->body, tr(problem.help));
    if (problem.place.line > 0 &&
        link((tr("Line {}", problem.place.line) + "##line").c_str(), kLabel)) {
      queue.push(command::GoTo{problem.place});
    }
    ImGui::PopID();
    gap(4);
  }
}

struct Columns {
  float what = 0, warm = 0, cold = 0, rate = 0, bar = 0, end = 0;
};

Columns columns_of(float width, bool cold, bool rates) {
  const Fonts& f = *look().fonts;
  Columns c;
  const float number = text_size(f.regular, kLabel, "1,000.00 µs").x + px(10);
  c.what = badge_width(lab::Provenance::kPublished) + px(10);
  c.end = width;
  c.bar = width - std::clamp(width * 0.2f, px(56), px(140));
  c.rate = c.bar - px(12);
  c.cold = rates ? c.rate - number * 0.8f : c.rate;
  c.warm = cold ? c.cold - number : c.cold;
  return c;
}

// Badge, what, warm, cold, GB/s, a bar, and beside a predicted time how far it is from the measured.
void time_row(const lab::TimeRow& row, const Columns& c, double longest, double fastest) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = px(26);
  ImGui::Dummy({c.end, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    list->AddRectFilled({at.x - px(8), at.y}, {at.x + c.end + px(8), at.y + height},
                        with_alpha(t.raised, 0.8f), px(6));
  }
  const float y = at.y + (height - line_height(f.regular, kLabel)) / 2;
  badge(list, {at.x + badge_width(row.provenance), at.y + px(4)}, row.provenance);
  const std::string time = row.us > 0 ? us_text(row.us) : "";
  const float time_width = text_size(f.medium, kLabel, time).x;
  draw_text_cut(list, {at.x + c.what, y}, f.regular, kLabel, t.body, what_text(row),
                (time.empty() ? c.warm : c.warm - time_width - px(8)) - c.what);
  draw_text(list, {at.x + c.warm, y}, f.medium, kLabel, t.text, time, Align::kRight);
  if (row.cold_us > 0 && c.cold > c.warm) {
    draw_text(list, {at.x + c.cold, y}, f.regular, kLabel, t.muted, us_text(row.cold_us), Align::kRight);
  }
  const std::string rate = row.gb_s >= 100 ? with_separators(static_cast<uint64_t>(std::llround(row.gb_s)))
                           : row.gb_s > 0    ? fixed(row.gb_s, 1)
                           : row.value > 0   ? fixed(row.value, 2) + " " + row.unit
                                             : "";
  if (c.rate > c.cold || row.value > 0) {
    draw_text(list, {at.x + c.rate, y}, f.regular, kLabel, t.text, rate, Align::kRight);
  }
  const float room = c.end - c.bar;
  // Of bandwidth where there is one, else of time.
  const double part = fastest > 0 ? row.gb_s / fastest : longest > 0 ? row.us / longest : 0;
  const ImU32 color = row.provenance == lab::Provenance::kPublished   ? t.history
                      : row.provenance == lab::Provenance::kPredicted ? with_alpha(t.accent, 0.55f)
                      : row.what == "yours"                           ? t.accent
                                                                      : mix(t.line, t.muted, 0.5f);
  const std::string error = row.error ? error_text(*row.error) : "";
  const float error_width = error.empty() ? 0 : text_size(f.medium, kSmall, error).x + px(6);
  if (part > 0) {
    const float w = std::max(px(2), (room - error_width) * static_cast<float>(std::min(1.0, part)));
    list->AddRectFilled({at.x + c.bar, at.y + height / 2 - px(4)},
                        {at.x + c.bar + w, at.y + height / 2 + px(4)}, color, px(2));
  }
  if (!error.empty()) {
    draw_text(list, {at.x + c.end, at.y + (height - line_height(f.medium, kSmall)) / 2}, f.medium,
              kSmall, t.text, error, Align::kRight);
  }
  if (hovered) {
    std::string note;
    if (row.cold_us > 0) {
      note = tr("Warm: the second of two launches in a row. Cold: an empty L2 and new inputs, {}, {} between "
                "the quartiles.",
                us_text(row.cold_us), us_text(row.spread_us));
    }
    if (row.error) note = tr("Off by {} from the warm time measured.", error_text(*row.error));
    tooltip(std::string(tr(lab::name_of(row.provenance))) + ": " + what_text(row), tr(row.origin), note);
  }
}

void rows(const std::vector<lab::TimeRow>& all, const View& view) {
  const Fonts& f = *look().fonts;
  double longest = 0, fastest = 0;
  bool cold = false;
  for (const lab::TimeRow& row : all) {
    longest = std::max(longest, row.us);
    fastest = std::max(fastest, row.gb_s);
    cold |= row.cold_us > 0;
  }
  const Columns c = columns_of(content_width(), cold, fastest > 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Each heading says what stands below it.
  const float between = ImGui::GetStyle().ItemSpacing.y;
  const float bottom = at.y + px(16) + (px(26) + between) * static_cast<float>(all.size());
  const auto heading = [&](float right, float left, const char* name, const MetricWords& words) {
    draw_text(list, {at.x + right, at.y}, f.regular, kSmall, look()->muted, name, Align::kRight);
    metric_area({at.x + left, at.y}, {at.x + right, at.y + px(15)}, words);
    note_metric({at.x + left, at.y}, {at.x + right, bottom}, words);
  };
  heading(c.warm, c.what, tr("warm"), metric::kWarmTime);
  if (cold) heading(c.cold, c.warm, tr("cold"), metric::kColdTime);
  if (fastest > 0) heading(c.rate, c.cold, "GB/s", metric::kUsefulBandwidth);
  if (std::any_of(all.begin(), all.end(), [](const lab::TimeRow& row) { return row.error.has_value(); })) {
    heading(c.end, c.bar, tr("off by"), metric::kPredictionError);
  }
  ImGui::Dummy({c.end, px(16)});
  for (const lab::TimeRow& row : all) time_row(row, c, longest, fastest);
  (void)view;
}

// The circumstances of what was measured, in words.
void notes(const lab::RunResult& result, const lab::SizeResult& size, const std::vector<lab::TimeRow>& all) {
  const Fonts& f = *look().fonts;
  const auto say = [&](const std::string& text) {
    paragraph(f.regular, kSmall, look()->muted, text);
  };
  gap(4);
  std::string said;
  for (const lab::TimeRow& row : all) {
    const std::string text = std::string(tr(lab::name_of(row.provenance))) + ": " + tr(row.origin);
    if (row.origin.empty() || text == said) continue;
    said = text;
    std::string more;
    if (row.provenance == lab::Provenance::kMeasured && size.measured && size.measured->job.timing) {
      const device::Timing& timing = *size.measured->job.timing;
      if (timing.clock_mhz > 0) {
        more += tr(", {} MHz, memory {} MHz", timing.clock_mhz, timing.memory_clock_mhz);
      }
      more += tr("; an empty kernel takes {}", us_text(timing.empty_launch_us));
      for (const std::string& reason : timing.throttled) more += tr("; slowed down: {}", tr(reason));
    }
    if (row.provenance == lab::Provenance::kPredicted && size.student.prediction) {
      more = ": " + tr(size.student.prediction->reason);
    }
    say(text + more);
  }
  if (size.measured) {
    const device::KernelFigures& figures = size.measured->job.student;
    say(tr("Driver: {} registers, {} blocks an SM; simulated: {} and {} ({})", figures.registers,
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
  const int sizes = any ? static_cast<int>(result->sizes.size()) : 0;
  state.size = std::clamp(state.size, 0, std::max(0, sizes - 1));
  panel.header(tr("Times"), any ? result->sizes[static_cast<size_t>(state.size)].size.label : "");
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
    for (int i = 0; sizes > 1 && i < sizes; ++i) {
      if (i > 0) ImGui::SameLine();
      const lab::SizeResult& size = result->sizes[static_cast<size_t>(i)];
      if (button((size.size.label + "##size" + std::to_string(i)).c_str(),
                 i == state.size ? ButtonKind::kSelected : ButtonKind::kQuiet, {0, 0}, kSmall)) {
        state.size = i;
      }
    }
    const auto shown = static_cast<size_t>(state.size);
    const std::vector<lab::TimeRow> all = lab::time_rows(*view.session->lab(), *result, shown);
    if (!all.empty()) {
      rows(all, view);
      notes(*result, result->sizes[shown], all);
    } else if (result->measure_problems.empty() && device.place == kEmulatorAlone) {
      empty_panel(tr("No time is measured on the emulator."),
                  tr("Choose a GPU above: one in this machine, or a worker on another one."));
    }
  }
  ImGui::EndChild();
  if (any) {
    const auto shown = static_cast<size_t>(state.size);
    export_menu(tr("Times"), [&view, result, shown] {
      return times_csv(lab::time_rows(*view.session->lab(), *result, shown));
    }, queue);
  }
}

}  // namespace warpshop::ui

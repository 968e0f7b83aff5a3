#include "panels/history_panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "core/text_id.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// One figure of a run; fewer is better.
struct Figure {
  const char* title;
  const MetricWords& metric;
  std::string (*text)(double);
  double (*of)(const RunRecord&);
  std::string RunRecord::*size;  // the size it is measured at
};

std::string whole_count_text(double value) { return with_separators(static_cast<uint64_t>(value)); }

const Figure kFigures[] = {
    {tr_later("memory traffic"), metric::kMovedBytes, moved_text,
     [](const RunRecord& run) {
       uint64_t sectors = 0;
       for (const char* counter : {"theoretical_sectors", "bulk_load_sectors", "bulk_store_sectors",
                                   "bulk_reduction_sectors"})
         sectors += run.counter(counter);
       return 32.0 * static_cast<double>(sectors);
     },
     &RunRecord::size},
    {tr_later("shared wavefronts"), metric::kAllWavefronts, whole_count_text,
     [](const RunRecord& run) { return static_cast<double>(run.counter("shared_wavefronts")); },
     &RunRecord::size},
    {tr_later("predicted"), metric::kPredictedTime, us_text,
     [](const RunRecord& run) { return run.predicted_us.value_or(0); }, &RunRecord::timed_size},
};

std::string history_csv(const RunHistory& history) {
  std::vector<std::string> columns = {"run",        "at",           "gpu",
                                      "correct",    "passed",       "size",
                                      "timed_size", "predicted_us", "measured_gb_s"};
  for (const timing::CounterInfo& info : timing::counter_table()) columns.emplace_back(info.name);
  CsvTable table(columns);
  const auto number = [](const std::optional<double>& value) {
    char text[40] = "";
    if (value) std::snprintf(text, sizeof text, "%.6g", *value);
    return std::string(text);
  };
  for (const RunRecord& run : history.runs()) {
    std::vector<std::string> fields = {run.id,
                                       run.at,
                                       run.gpu,
                                       run.correct ? "yes" : "no",
                                       run.passed ? "yes" : "no",
                                       run.size,
                                       run.timed_size,
                                       number(run.predicted_us),
                                       number(run.measured_gb_s)};
    for (const timing::CounterInfo& info : timing::counter_table())
      fields.push_back(std::to_string(run.counter(info.name)));
    table.row(fields);
  }
  return table.text();
}

// The sizes that versions run at now. The panel's heading names the first one, which the counters
// are for.
struct SizesNow {
  const lab::Exercise* exercise = nullptr;
  std::string size, timed;

  explicit SizesNow(const lab::Exercise* of) : exercise(of) {
    if (exercise && !exercise->sizes.empty()) size = size_key(exercise->sizes.front());
    if (exercise && exercise->timed) timed = size_key(*exercise->timed);
  }
  // " at 4,096 × 4,096" for a figure at another size than the heading's; otherwise empty.
  std::string words(const RunRecord& run, const Figure& figure) const {
    const std::string& of = run.*figure.size;
    if (of.empty() || of == size) return "";
    if (exercise && exercise->timed && of == timed)
      return " " + tr("at {}", exercise->timed->label);
    for (size_t i = 0; exercise && i < exercise->sizes.size(); ++i) {
      if (size_key(exercise->sizes[i]) == of) return " " + tr("at {}", exercise->sizes[i].label);
    }
    return " " + tr("at {}", size_text(of));
  }
};

// Lays out figures side by side on as many lines as needed and returns the height; draws them only
// if `list` is set.
float figures(ImDrawList* list, const RunRecord& run, const RunRecord* baseline,
              const SizesNow& sizes, ImVec2 at, float width) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const float line = line_height(f.regular, kLabel) + px(2);
  float x = 0, y = 0;
  const bool compared = baseline && baseline != &run && baseline->gpu == run.gpu;
  for (const Figure& figure : kFigures) {
    const double value = figure.of(run);
    if (value == 0) continue;
    const std::string name = tr(figure.title), text = figure.text(value) + sizes.words(run, figure);
    const bool like = compared && run.*figure.size == baseline->*figure.size;
    const double before = like ? figure.of(*baseline) : 0;
    const std::string delta = like ? delta_text(before, value) : "";
    const float name_width = text_size(f.regular, kLabel, name).x,
                text_width = text_size(f.medium, kLabel, text).x,
                delta_width =
                    delta.empty() ? 0 : px(12) + text_size(f.medium, kLabel, delta).x + px(4);
    const float all = name_width + px(6) + text_width + px(6) + delta_width;
    if (x > 0 && x + all > width) {
      x = 0;
      y += line;
    }
    if (list) {
      draw_text_cut(list, {at.x + x, at.y + y}, f.regular, kLabel, t.muted, name,
                    std::max(px(24), width - text_width - delta_width - px(12)));
      float right = std::min(x + name_width, width - text_width - delta_width - px(12)) + px(6);
      draw_text(list, {at.x + right, at.y + y}, f.medium, kLabel, t.text, text);
      right += text_width + px(6);
      if (!delta.empty()) {
        const bool same = before == value, better = value < before;
        const ImU32 color = better ? t.good : lab::is_worse(value, before) ? t.poor : t.muted;
        const ImVec2 c{at.x + right + px(4), at.y + y + line / 2};
        // Down means less: the arrow's direction conveys it without colour.
        if (!same && better) {
          list->AddTriangleFilled({c.x - px(4), c.y - px(3)}, {c.x + px(4), c.y - px(3)},
                                  {c.x, c.y + px(4)}, color);
        } else if (!same) {
          list->AddTriangleFilled({c.x - px(4), c.y + px(3)}, {c.x + px(4), c.y + px(3)},
                                  {c.x, c.y - px(4)}, color);
        }
        draw_text(list, {at.x + right + px(12), at.y + y}, f.medium, kLabel, color, delta);
      }
      metric_area({at.x + x, at.y + y}, {at.x + std::min(x + all, width), at.y + y + line},
                  figure.metric);
    }
    x += all + px(14);
  }
  return y + line;
}

void pin_mark(ImDrawList* list, ImVec2 center, bool pinned, bool hovered) {
  const ImU32 color = pinned ? look()->history : hovered ? look()->text : look()->line;
  const float r = px(5);
  const ImVec2 points[] = {{center.x, center.y - r},
                           {center.x + r, center.y},
                           {center.x, center.y + r},
                           {center.x - r, center.y}};
  if (pinned) {
    list->AddConvexPolyFilled(points, 4, color);
  } else {
    list->AddQuad(points[0], points[1], points[2], points[3], color, px(1.5f));
  }
}

std::string gpu_name(const View& view, const std::string& id) {
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == id) return gpu.name;
  }
  return id;
}

const char* verdict_of(const RunRecord& run) {
  return run.passed    ? tr_later("Every check passed.")
         : run.correct ? tr_later("The result was right, but not every check passed.")
                       : tr_later("The result was wrong.");
}

void row(const View& view, const RunRecord& run, const SizesNow& sizes, bool current,
         CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const RunRecord* baseline = view.history->baseline();
  const bool pinned = baseline == &run;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), left = px(30), head = line_height(f.medium, kBody) + px(4);
  const float height =
      px(6) + head + figures(nullptr, run, baseline, sizes, at, width - left - px(8)) + px(6);
  ImGui::PushID(run.id.c_str());
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton("version", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered || ImGui::IsItemFocused())
    list->AddRectFilled(at, {at.x + width, at.y + height}, t.raised, px(6));
  // Over the figures, their own tooltips appear.
  if (hovered && ImGui::GetMousePos().y < at.y + px(6) + head) {
    tooltip(tr("Version {}", run.id), tr(verdict_of(run)),
            std::string(tr("Click to see what the text changed since.")) + "\n" +
                gpu_name(view, run.gpu));
  }
  if (pressed) queue.push(command::OpenChanges{run.id, ""});
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x, at.y});
  const bool pin = ImGui::InvisibleButton("pin", {left - px(4), height});
  const bool over_pin = ImGui::IsItemHovered();
  if (over_pin) {
    tooltip(pinned ? tr("This is the baseline: click to unpin it") : tr("Pin as the baseline"),
            tr("All other versions say how they differ from it."));
  }
  if (pin) queue.push(command::PinBaseline{pinned ? "" : run.id});
  pin_mark(list, {at.x + px(14), at.y + px(6) + head / 2}, pinned,
           over_pin || ImGui::IsItemFocused());
  ImGui::SetCursorScreenPos(after);
  ImGui::PopID();

  const float mark_x = at.x + width - px(16), y = at.y + px(6);
  const ImVec2 mark{mark_x, y + head / 2 - px(1)};
  if (run.passed) {
    draw_check(list, mark, px(10), t.good, px(1.8f));
  } else if (run.correct) {
    list->AddCircle(mark, px(4.5f), t.muted, 0, px(1.6f));
  } else {
    draw_cross(list, mark, px(10), t.poor, px(1.8f));
  }
  std::string title = time_text(run.at);
  if (current) title += " · " + std::string(tr("in the editor"));
  if (pinned) title += " · " + std::string(tr("baseline"));
  title += " · " + std::string(run.passed    ? tr("passed")
                               : run.correct ? tr("right result")
                                             : tr("wrong result"));
  if (run.gpu != view.gpu) title += " · " + gpu_name(view, run.gpu);
  draw_text_cut(list, {at.x + left, y}, f.medium, kBody, current ? t.text : t.body, title,
                width - left - px(34));
  figures(list, run, baseline, sizes, {at.x + left, y + head}, width - left - px(8));
}

}  // namespace

std::string time_text(const std::string& iso_utc) {
  std::tm utc{};
  if (!strptime(iso_utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc)) return iso_utc;
  const std::time_t when = timegm(&utc), now = std::time(nullptr);
  std::tm local{}, today{};
  localtime_r(&when, &local);
  localtime_r(&now, &today);
  const bool same = local.tm_year == today.tm_year && local.tm_yday == today.tm_yday;
  char text[40];
  std::strftime(text, sizeof text, same ? "%H:%M:%S" : "%Y-%m-%d %H:%M", &local);
  return text;
}

std::string delta_text(double before, double now) {
  if (before <= 0) return "";
  if (before == now) return "=";
  const double ratio = now / before;
  if (ratio >= 10) return ratio_text(std::round(ratio));
  char text[40];
  const double percent = (ratio - 1) * 100;
  std::snprintf(text, sizeof text, std::abs(percent) < 10 ? "%.1f" : "%.0f", std::abs(percent));
  return (percent < 0 ? "−" : "+") + tr("{}%", local_number(text));
}

void history_panel(const View& view, CommandQueue& queue) {
  Panel panel("history", tr("History"));
  if (!panel) return;
  const bool any = view.history && !view.history->runs().empty();
  std::string context =
      any ? tr_count(view.history->runs().size(), "{} version", "{} versions") : "";
  if (const lab::Exercise* exercise = view.exercise();
      any && exercise && !exercise->sizes.empty()) {
    context = tr("at {}", exercise->sizes.front().label) + " · " + context;
  }
  panel.header(tr("History"));
  if (!any) {
    empty_panel(
        view.exercise() ? tr("Every version that you run is kept here.")
                        : tr("Nothing runs in this step."),
        view.exercise() ? tr("Pin one as the baseline, and the others say what they gained.") : "");
    return;
  }
  export_menu(
      tr("History"), [&view] { return history_csv(*view.history); }, queue);
  label(look().fonts->regular, kSmall, look()->muted, context);
  ImGui::BeginChild("versions");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  const std::string here = text_id(view.session->text());
  const std::vector<RunRecord>& runs = view.history->runs();
  const SizesNow sizes(view.exercise());
  bool shown_current = false;
  for (size_t n = runs.size(); n-- > 0;) {
    const bool current = !shown_current && runs[n].text_id == here && runs[n].gpu == view.gpu;
    shown_current |= current;
    row(view, runs[n], sizes, current, queue);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace warpshop::ui

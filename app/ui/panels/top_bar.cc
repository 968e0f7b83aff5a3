#include "panels/top_bar.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/step_marks.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using lab::Stage;
using lab::StageState;

constexpr float kButtonTop = (kWorkBarHeight - 30) / 2;  // for buttons 30 pixels high

void draw_house(ImDrawList* list, ImVec2 center, ImU32 color) {
  const float w = px(6.5f), thick = px(1.6f);
  list->PathLineTo({center.x - w - px(1), center.y});
  list->PathLineTo({center.x, center.y - w});
  list->PathLineTo({center.x + w + px(1), center.y});
  list->PathStroke(color, thick);
  list->PathLineTo({center.x - w * 0.72f, center.y});
  list->PathLineTo({center.x - w * 0.72f, center.y + w * 0.9f});
  list->PathLineTo({center.x + w * 0.72f, center.y + w * 0.9f});
  list->PathLineTo({center.x + w * 0.72f, center.y});
  list->PathStroke(color, thick);
}

// Draws the product's name, a button that opens the list of all labs and closes it again.
float home_button(const View& view, CommandQueue& queue) {
  const Face& face = look().fonts->bold;
  const float width = px(34) + text_size(face, 16, "Warpshop").x + px(10);
  ImGui::SetCursorPos({px(10), px(kButtonTop)});
  if (button("##home", view.home ? ButtonKind::kSelected : ButtonKind::kQuiet, {width, px(30)}))
    queue.push(command::OpenHome{});
  note_spot("home");
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_house(list, {min.x + px(17), (min.y + max.y) / 2}, look()->accent);
  draw_text(list, {min.x + px(32), (min.y + max.y - line_height(face, 16)) / 2}, face, 16,
            look()->text, "Warpshop");
  action_tooltip("home");
  return max.x;
}

// Draws a location that opens a list: its name, and a chevron.
bool crumb(const char* id, const Face& face, std::string_view text, float left, float width) {
  ImGui::SetCursorScreenPos({left, ImGui::GetWindowPos().y + px(kButtonTop)});
  const bool pressed = button(id, ButtonKind::kQuiet, {width, px(30)});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text_cut(list, {min.x + px(8), (min.y + max.y - line_height(face, 14.5f)) / 2}, face, 14.5f,
                look()->text, text, width - px(28));
  draw_chevron(list, {max.x - px(11), (min.y + max.y) / 2 + px(1)}, px(7), ImGuiDir_Down,
               look()->muted, px(1.5f));
  return pressed;
}

float crumb_width(const Face& face, std::string_view text) {
  return text_size(face, 14.5f, text).x + px(31);
}

// Draws "Coalescing ⌄ › 3  Stride ⌄", each opening its list with progress marks. Returns its right
// end.
float breadcrumb(const View& view, float left, float limit, CommandQueue& queue) {
  const lab::Lab* lab = view.session->lab();
  const lab::Step* step = view.session->step();
  if (!lab || !step) return left;
  const Fonts& f = *look().fonts;
  const std::string place = std::to_string(view.session->step_number() + 1) + "  " + step->title;
  const float lab_width = crumb_width(f.regular, lab->title),
              place_width = crumb_width(f.medium, place);
  float x = left + px(6);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
  // A long name is cut before it is left out.
  const float lab_room = limit - x - px(16) - std::min(place_width, px(120));
  if (lab_room >= std::min(lab_width, px(96))) {
    if (crumb("##labs", f.regular, lab->title, x, std::min(lab_width, lab_room)))
      ImGui::OpenPopup("labs");
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) tooltip(tr("Another lab"), {});
    if (begin_popup_beside("labs", min, max)) {
      const float room = lab_row_width(view);
      for (const lab::Lab& other : view.labs->labs) {
        if (!other.steps.empty() && lab_row(view, other, room))
          queue.push(command::OpenStep{other.id, ""});
      }
      ImGui::EndPopup();
    }
    x = max.x;
    draw_chevron(ImGui::GetWindowDrawList(), {x + px(6), (min.y + max.y) / 2 + px(1)}, px(7),
                 ImGuiDir_Right, look()->muted, px(1.4f));
    x += px(14);
  }
  const float width = std::min(place_width, limit - x);
  if (width > px(60)) {
    if (crumb("##steps", f.medium, place, x, width)) ImGui::OpenPopup("steps");
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
      tooltip(tr("Another step of this lab"), {});
    if (begin_popup_beside("steps", min, max)) {
      for (const lab::Step& other : lab->steps) {
        if (step_row(view, *lab, other, px(340))) queue.push(command::OpenStep{lab->id, other.id});
      }
      ImGui::EndPopup();
    }
    x = max.x;
  }
  ImGui::PopStyleVar();
  return x;
}

void stage_mark(ImDrawList* list, ImVec2 center, StageState state, double now_s) {
  const Theme& t = *look().theme;
  const float r = px(5);
  switch (state) {
    case StageState::kPassed:
      list->AddCircleFilled(center, r + px(1), t.good);
      break;
    case StageState::kFailed:
      list->AddCircleFilled(center, r + px(3), t.poor);
      draw_cross(list, center, px(8), t.panel, px(1.8f));
      break;
    case StageState::kRunning: {
      list->AddCircle(center, r, with_alpha(t.accent, 0.35f), 0, px(2));
      const auto turn = static_cast<float>(std::fmod(now_s, 1.0) * 2 * IM_PI);
      list->PathArcTo(center, r, turn, turn + 1.8f);
      list->PathStroke(t.accent, px(2));
      break;
    }
    case StageState::kStopped:
      list->AddRectFilled({center.x - r, center.y - r}, {center.x + r, center.y + r}, t.muted,
                          px(2));
      break;
    case StageState::kWaiting:
    case StageState::kSkipped:
      list->AddCircle(center, r, t.line, 0, px(2));
      break;
  }
}

std::string stage_note(const lab::StageReport& report) {
  switch (report.state) {
    case StageState::kWaiting:
      return tr("waiting");
    case StageState::kRunning:
      return tr("running");
    case StageState::kStopped:
      return tr("stopped");
    default:
      break;
  }
  if (!report.summary.empty()) return tr(report.summary);
  return report.state == StageState::kSkipped ? std::string(tr("not run"))
                                              : duration_text(report.seconds);
}

constexpr float kStageMark = 18, kStageLink = 36, kStageNote = 82;

// Width of a stage's words, whatever its note says.
float stage_words_width(int stage) {
  return std::max(
      px(kStageNote),
      text_size(look().fonts->medium, kLabel, tr(name_of(static_cast<Stage>(stage)))).x);
}

float pipeline_width(bool short_form) {
  if (short_form) return px(kStageMark) * lab::kStageCount + px(6) * (lab::kStageCount - 1);
  float width = px(kStageLink) * (lab::kStageCount - 1);
  for (int i = 0; i < lab::kStageCount; ++i) width += px(kStageMark) + stage_words_width(i);
  return width;
}

// Draws the pipeline centred between `left` and `right`: marks with names and notes, only the
// marks, or nothing, depending on the room.
void pipeline(const View& view, float left, float right, bool short_form, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const float mark = px(kStageMark), link_space = px(kStageLink);
  const float total = pipeline_width(short_form);
  if (total > right - left) return;
  // Centred in the window if possible, so that it does not move with the lab's name.
  const ImVec2 window = ImGui::GetWindowPos();
  const float middle = window.x + ImGui::GetWindowWidth() / 2 - total / 2;
  float x = std::clamp(middle, left, std::max(left, right - total));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Greyed grey(view.stale && !view.running);
  for (int i = 0; i < lab::kStageCount; ++i) {
    const auto at = static_cast<size_t>(i);
    const lab::StageReport& report = view.stages[at];
    const std::string note = stage_note(report);
    const float y = window.y + px(kWorkBarHeight / 2);
    if (i > 0 && !short_form) {
      list->AddLine({x + px(8), y}, {x + px(28), y}, t.line, px(2));
      x += link_space;
    } else if (i > 0) {
      x += px(6);
    }
    const float width = mark + (short_form ? 0 : stage_words_width(i));
    ImGui::SetCursorScreenPos({x - px(2), window.y + px(4)});
    ImGui::PushID(i);
    const bool pressed = ImGui::InvisibleButton("stage", {width + px(4), px(36)});
    ImGui::PopID();
    const bool failed = report.state == StageState::kFailed;
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      const std::string took = report.seconds > 0 ? duration_text(report.seconds) : "";
      const std::string time = took.empty() || took == note ? "" : tr("Took {}.", took);
      tooltip(tr(name_of(static_cast<Stage>(i))), note, time);
    }
    note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), metric::kStageTime);
    if (pressed) queue.push(command::ShowStage{i});
    stage_mark(list, {x + px(6), y}, report.state, view.now_s);
    if (!short_form) {
      const bool quiet =
          report.state == StageState::kSkipped || report.state == StageState::kWaiting;
      draw_text(list, {x + mark, window.y + px(8)}, f.medium, kLabel, quiet ? t.muted : t.text,
                tr(name_of(static_cast<Stage>(i))));
      draw_text_cut(list, {x + mark, window.y + px(24)}, f.regular, kSmall,
                    failed ? t.poor : t.muted, note, stage_words_width(i) + 1);
    }
    x += width;
  }
}

}  // namespace

void begin_top_bar(float height) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize({viewport->WorkSize.x, px(height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
  ImGui::Begin("top_bar", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(3);
}

void top_bar(const View& view, CommandQueue& queue) {
  begin_top_bar(kWorkBarHeight);

  const ImVec2 window = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  const bool narrow = width < px(1040);
  // Sized for the words in any language.
  const auto width_for = [](std::string_view text, float least, float more) {
    return std::max(px(least), text_size(look().fonts->medium, kBody, text).x + px(more));
  };
  const float run_width = std::max(width_for(tr("Run"), narrow ? 84 : 108, narrow ? 28 : 62),
                                   width_for(tr("Stop"), 84, 28));
  const float layout_width = width_for(tr(title_of(view.settings->mode)), 112, 44),
              gpu_width = px(150);

  // From the right: Run, layout, GPU.
  float right = width - px(20) - run_width;
  ImGui::SetCursorPos({right, px(kButtonTop)});
  if (view.running) {
    if (button(tr_id("Stop", "stop"), ButtonKind::kOutline, {run_width, px(30)}, kBody)) {
      queue.push(command::Stop{});
    }
    action_tooltip("stop");
  } else {
    ImGui::BeginDisabled(!view.exercise() || view.home);
    if (button(narrow ? tr_id("Run", "run") : std::string(tr("Run")) + "   F6##run",
               ButtonKind::kPrimary, {run_width, px(30)}, kBody)) {
      queue.push(command::Run{});
    }
    ImGui::EndDisabled();
    note_spot("run");
    action_tooltip("run");
  }
  if (!narrow) {
    right -= layout_width + px(10);
    ImGui::SetCursorPos({right, px(kButtonTop)});
    if (dropdown("##layout", tr(title_of(view.settings->mode)), layout_width))
      ImGui::OpenPopup("layouts");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
    if (begin_popup_beside("layouts", ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) {
      for (const Mode mode : kModes) {
        const std::string keys = shortcut_of("mode-" + std::string(name_of(mode)));
        if (ImGui::MenuItem(std::string(tr(title_of(mode))).c_str(), keys.c_str(),
                            mode == view.settings->mode)) {
          queue.push(command::SetMode{mode});
        }
      }
      const bool script = view.session->lab() && view.session->lab()->demo;
      if (ImGui::MenuItem(tr("Lecture"), shortcut_of("lecture").c_str(), false, script)) {
        queue.push(command::GiveLecture{});
      }
      ImGui::Separator();
      if (ImGui::MenuItem(tr("Reset the layout"))) queue.push(command::ResetLayout{});
      const bool locked = view.settings->layout_locked;
      if (ImGui::MenuItem(tr("Lock the layout"), nullptr, locked)) {
        queue.push(command::LockLayout{!locked});
      }
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
  }
  right -= gpu_width + px(10);
  if (right > px(320)) {
    ImGui::SetCursorPos({right, px(kButtonTop)});
    std::string gpu_name = view.gpu;
    for (const models::GpuProfile& gpu : *view.gpus) {
      if (gpu.id == view.gpu) gpu_name = gpu.name;
    }
    // Drop the brand that all names start with rather than cut off the model.
    for (const char* brand : {"NVIDIA ", "GeForce ", "Tesla ", "Quadro "}) {
      if (text_size(look().fonts->regular, 13.5f, gpu_name).x <= gpu_width - px(40)) break;
      if (gpu_name.starts_with(brand)) gpu_name.erase(0, std::string_view(brand).size());
    }
    if (dropdown("##gpu", gpu_name, gpu_width)) ImGui::OpenPopup("gpus");
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
      tooltip(tr("The GPU that the maps and the occupancy are for"), {}, {});
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
    if (begin_popup_beside("gpus", ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) {
      queue.push(command::PredictOnEveryGpu{});
      if (view.gpu_times)
        paragraph(look().fonts->regular, kSmall, look()->muted,
                  tr("Predicted for this version, at the size for times"));
      for (const models::GpuProfile& gpu : *view.gpus) {
        std::string detail = std::to_string(gpu.year) + " · " +
                             std::to_string(gpu.capability.major) + "." +
                             std::to_string(gpu.capability.minor);
        const GpuTime* time = view.gpu_times ? view.gpu_times->find(gpu.id) : nullptr;
        if (time && time->us > 0) detail = us_text(time->us) + "    " + detail;
        if (ImGui::MenuItem(gpu.name.c_str(), detail.c_str(), gpu.id == view.gpu)) {
          queue.push(command::SelectGpu{gpu.id});
        }
      }
      ImGui::Separator();
      if (ImGui::MenuItem(tr("Where kernels are measured…"), shortcut_of("devices").c_str())) {
        queue.push(command::OpenDevices{});
      }
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
  } else {
    right += gpu_width + px(10);
  }

  const float menu_right = home_button(view, queue);
  // The pipeline shows names if the window is wide enough, however long the step's name is; the
  // step's name gets all the rest and is truncated only there.
  const float pipeline_right = window.x + right - px(16), between = px(24);
  const float beside_names = pipeline_right - pipeline_width(false) - between;
  const bool short_form = beside_names - menu_right < px(280);
  // A step without a kernel has no pipeline.
  const float pipeline_left =
      view.exercise() ? pipeline_right - pipeline_width(short_form) - between : pipeline_right;
  const float limit = std::max(menu_right, pipeline_left);
  const float crumb_right = view.home ? menu_right : breadcrumb(view, menu_right, limit, queue);
  if (view.exercise() && !view.home)
    pipeline(view, crumb_right + between, pipeline_right, short_form, queue);
  ImGui::End();
}

}  // namespace warpshop::ui

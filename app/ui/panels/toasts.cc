#include "panels/toasts.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/files.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/top_bar.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kSeconds = 4, kProblemSeconds = 12, kFadeSeconds = 0.15, kSecondsPerLetter = 0.1,
                 kSavedSeconds = 60;

constexpr size_t kMost = 4;

constexpr int kFramesToShow = 3;  // a notice's window has the size of its text a frame later

double lifetime(const Toast& toast) {
  if (toast.lasting) return std::numeric_limits<double>::infinity();
  if (!toast.opens.empty()) return kSavedSeconds;
  // Paths and two-line sentences take longer to read.
  return toast.problem
             ? kProblemSeconds
             : std::max(kSeconds, kSecondsPerLetter * static_cast<double>(toast.text.size()));
}

// A disk that takes nothing fails every save: of the text, its history, the progress, the settings.
bool fails_every_save(const Diagnostic& d) { return d.kind == kDiskFull || d.kind == kNotWritable; }

Toast toast_of(const Diagnostic& d, double now_s) {
  std::string place = d.place.file;
  if (d.place.line > 0) place += ":" + std::to_string(d.place.line);
  if (d.place.line > 0 && d.place.column > 0) place += ":" + std::to_string(d.place.column);
  return {.text = capitalized(tr(d.message)),
          .place = std::move(place),
          .help = capitalized(tr(d.help)),
          .topic = fails_every_save(d) ? std::string(d.kind.name()) : "",
          .problem = true,
          .lasting = false,
          .shown_s = now_s,
          .came_s = now_s};
}

// Draws the buttons; true if the notice is to be dismissed.
bool offer_to_open(const std::string& path, CommandQueue& queue) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  gap(2);
  if (!folder) {
    if (link(tr_id("Open", "open-saved"), kLabel)) queue.push(command::OpenPath{path});
    ImGui::SameLine(0, px(18));
  }
  if (link(tr_id("Open folder", "open-folder"), kLabel)) {
    queue.push(
        command::OpenPath{folder ? path : std::filesystem::path(path).parent_path().string()});
  }
  ImGui::SameLine(0, px(18));
  if (link(tr_id("Copy path", "copy-path"), kLabel))
    queue.push(command::CopyText{path, tr("The path")});
  ImGui::SameLine(0, px(18));
  return link(tr_id("Close", "close-saved"), kLabel);
}

}  // namespace

void Toasts::add(Toast toast) {
  frames_due_ = kFramesToShow;
  // Show one cause once, as the newest notice; but show mistakes to be corrected at each of their
  // places.
  std::erase_if(toasts_, [&](const Toast& t) {
    if (toast.problem && !toast.lasting && !toast.topic.empty()) return t.topic == toast.topic;
    return t.text == toast.text && (!toast.lasting || t.place == toast.place);
  });
  toasts_.push_back(std::move(toast));
  if (toasts_.size() > kMost) toasts_.erase(toasts_.begin());
}

void Toasts::say(std::string text, double now_s, std::string_view topic) {
  Toast toast{.text = std::move(text),
              .place = "",
              .help = "",
              .topic = std::string(topic),
              .problem = false,
              .lasting = false,
              .shown_s = now_s,
              .came_s = now_s};
  const auto same = std::find_if(toasts_.begin(), toasts_.end(), [&](const Toast& t) {
    return !topic.empty() && t.topic == topic;
  });
  if (same == toasts_.end()) {
    add(std::move(toast));
  } else {
    toast.came_s = same->came_s;
    *same = std::move(toast);
    frames_due_ = kFramesToShow;
  }
}

void Toasts::say_saved(std::string text, const std::filesystem::path& path, double now_s) {
  say(std::move(text), now_s, "saved");
  const auto said = std::find_if(toasts_.begin(), toasts_.end(),
                                 [](const Toast& t) { return t.topic == "saved"; });
  said->opens = path.string();
}

void Toasts::say(const Diagnostics& problems, double now_s) {
  for (const Diagnostic& d : problems) add(toast_of(d, now_s));
}

void Toasts::say_lasting(const Diagnostics& problems, double now_s, std::string_view topic) {
  drop(topic);
  for (size_t n = 0; n < problems.size(); ++n) {
    const size_t more = problems.size() - n;
    if (n + 1 == kMost && more > 1) {
      add({.text = tr_count(more, "{} more mistake", "{} more mistakes"),
           .place = "",
           .help = tr("“warpshop labs” in a terminal lists them all."),
           .topic = std::string(topic),
           .problem = true,
           .lasting = true,
           .shown_s = now_s,
           .came_s = now_s});
      return;
    }
    Toast toast = toast_of(problems[n], now_s);
    toast.topic = topic;
    toast.lasting = true;
    add(std::move(toast));
  }
}

void Toasts::drop(std::string_view topic) {
  if (std::erase_if(toasts_, [&](const Toast& t) { return t.topic == topic; }) > 0)
    frames_due_ = kFramesToShow;
}

void Toasts::clear() {
  toasts_.clear();
  frames_due_ = kFramesToShow;
}

double Toasts::next_change_s(double now_s) const {
  if (frames_due_ > 0) return now_s;
  double next = std::numeric_limits<double>::infinity();
  for (const Toast& toast : toasts_) {
    const double fades_s = toast.shown_s + lifetime(toast) - kFadeSeconds;
    next =
        std::min(next, now_s < toast.came_s + 2 * kFadeSeconds ? now_s : std::max(now_s, fades_s));
  }
  return next;
}

void Toasts::draw(double now_s, std::optional<std::pair<float, float>> bar, CommandQueue& queue) {
  frames_due_ = std::max(0, frames_due_ - 1);
  std::erase_if(toasts_, [&](const Toast& t) { return now_s - t.shown_s > lifetime(t); });
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const auto newest =
      std::find_if(toasts_.rbegin(), toasts_.rend(), [](const Toast& t) { return !t.problem; });
  float bottom = viewport->Pos.y + viewport->Size.y - px(28);
  for (size_t i = toasts_.size(); i-- > 0;) {
    const Toast& toast = toasts_[i];
    const bool above = bar && !toast.problem;
    // Beside the title; in front of it where the bar has no room left.
    constexpr float kWidest = 520, kNarrowest = 120;
    float room = bar ? bar->second - bar->first - px(14) : px(kWidest);
    if (room < px(kNarrowest)) room = bar->second - viewport->Pos.x - px(40);
    if (above && &toast != &*newest) continue;
    if (bar && toast.lasting) continue;  // mistakes in files wait until the lecture is over
    const double age = now_s - toast.came_s, left = toast.shown_s + lifetime(toast) - now_s;
    const float alpha =
        look().motion ? static_cast<float>(std::clamp(std::min(age, left) / kFadeSeconds, 0.0, 1.0))
                      : 1.0f;
    if (above) {
      ImGui::SetNextWindowPos({bar->second, viewport->Pos.y + px(kTopBarHeight) / 2},
                              ImGuiCond_Always, {1, 0.5f});
    } else {
      ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, bottom}, ImGuiCond_Always,
                              {0.5f, 1});
    }
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(0.02f, alpha));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, above ? px(14, 4) : px(16, 10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 3));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look()->raised);
    ImGui::PushStyleColor(ImGuiCol_Border, toast.problem ? look()->poor : look()->line);
    // Each notice gets a window of its own; reusing another's would show the wrong size for a
    // frame. A notice that keeps changing keeps one window, since a new window is drawn only a
    // frame later.
    const bool changes = !toast.problem && !toast.topic.empty();
    const std::string name =
        "##toast" +
        std::to_string(std::hash<std::string>{}(changes ? toast.topic : toast.text + toast.place));
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove |
                     (toast.problem || !toast.opens.empty() ? 0 : ImGuiWindowFlags_NoInputs));
    // In front of a page or panel that took the focus when a dialog closed, behind dialogs and
    // lists.
    if (ImGui::GetCurrentContext()->OpenPopupStack.empty())
      ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::PushTextWrapPos(above ? std::min(room, px(kWidest)) : px(kWidest));
    label(look().fonts->medium, kLabel, toast.problem ? look()->poor_on_raised : look()->text,
          toast.text);
    if (!toast.place.empty()) label(look().fonts->regular, kLabel, look()->body, toast.place);
    if (!toast.help.empty()) label(look().fonts->regular, kLabel, look()->body, toast.help);
    ImGui::PopTextWrapPos();
    const bool closed = !toast.opens.empty() && offer_to_open(toast.opens, queue);
    if (!above) bottom -= ImGui::GetWindowHeight() + px(8);
    const bool dismissed = closed || (toast.problem && ImGui::IsWindowHovered() &&
                                      ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    ImGui::End();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(4);
    if (dismissed) {
      toasts_[i].lasting = false;
      toasts_[i].shown_s = -1e9;
    }
  }
}

}  // namespace warpshop::ui

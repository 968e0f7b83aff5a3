#include "panels/toasts.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "draw/widgets.h"

namespace warpshop::ui {
namespace {

constexpr double kSeconds = 4, kProblemSeconds = 12, kFadeSeconds = 0.15;

double lifetime(const Toast& toast) { return toast.problem ? kProblemSeconds : kSeconds; }

}  // namespace

void Toasts::say(std::string text, double now_s) {
  std::erase_if(toasts_, [&](const Toast& t) { return t.text == text; });
  toasts_.push_back({std::move(text), "", false, now_s});
  if (toasts_.size() > 4) toasts_.erase(toasts_.begin());
}

void Toasts::say(const Diagnostics& problems, double now_s) {
  for (const Diagnostic& d : problems) {
    std::string text = tr(d.message);
    std::erase_if(toasts_, [&](const Toast& t) { return t.text == text; });
    toasts_.push_back({std::move(text), tr(d.help), true, now_s});
  }
  while (toasts_.size() > 4) toasts_.erase(toasts_.begin());
}

double Toasts::next_change_s(double now_s) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Toast& toast : toasts_) {
    const double fades_s = toast.shown_s + lifetime(toast) - kFadeSeconds;
    next = std::min(next, now_s < toast.shown_s + 2 * kFadeSeconds ? now_s : std::max(now_s, fades_s));
  }
  return next;
}

void Toasts::draw(double now_s) {
  std::erase_if(toasts_, [&](const Toast& t) { return now_s - t.shown_s > lifetime(t); });
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  float bottom = viewport->Pos.y + viewport->Size.y - px(28);
  for (size_t i = toasts_.size(); i-- > 0;) {
    const Toast& toast = toasts_[i];
    const double age = now_s - toast.shown_s, left = lifetime(toast) - age;
    const float alpha = look().motion
                            ? static_cast<float>(std::clamp(std::min(age, left) / kFadeSeconds, 0.0, 1.0))
                            : 1.0f;
    ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, bottom}, ImGuiCond_Always,
                            {0.5f, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(0.02f, alpha));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 3));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look()->raised);
    ImGui::PushStyleColor(ImGuiCol_Border, toast.problem ? look()->poor : look()->line);
    // A window of its own: one that took another's place would have its size for a frame.
    const std::string name = "##toast" + std::to_string(std::hash<std::string>{}(toast.text));
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove |
                     (toast.problem ? 0 : ImGuiWindowFlags_NoInputs));
    ImGui::PushTextWrapPos(px(520));
    label(look().fonts->medium, kLabel, toast.problem ? look()->poor_on_raised : look()->text,
          toast.text);
    if (!toast.help.empty()) label(look().fonts->regular, kLabel, look()->body, toast.help);
    ImGui::PopTextWrapPos();
    bottom -= ImGui::GetWindowHeight() + px(8);
    const bool dismissed = toast.problem && ImGui::IsWindowHovered() &&
                           ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    ImGui::End();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(4);
    if (dismissed) toasts_[i].shown_s = -1e9;
  }
}

}  // namespace warpshop::ui

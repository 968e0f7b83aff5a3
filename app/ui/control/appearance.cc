#include "control/appearance.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "core/files.h"
#include "state/hall_zoom.h"
#include "text/text.h"
#include "window/fallback_font.h"
#include "window/theme.h"

namespace warpshop::ui {
Appearance::Appearance(Shell& shell) : shell_(shell), system_theme_([] { GlWindow::wake(); }) {
  shell_.say(load_fonts(data_dir() / "fonts", fonts_));
  system_theme_.ask();
  CommandTable& commands = shell.commands;
  commands.on([this](const command::SetTheme& c) { shell_.settings.theme = c.choice; });
  commands.on([this](const command::Zoom& c) {
    set_zoom(c.factor <= 0 ? 1 : clamp_zoom(zoom() * c.factor));
  });
  commands.on([this](const command::StepZoom& c) { set_zoom(next_zoom(zoom(), c.direction)); });
  commands.on([this](const command::SetMotion& c) { shell_.settings.motion = c.on; });
  commands.on([this](const command::SetDigits& c) { shell_.settings.digits = c.on; });
  commands.on([this](const command::SetLineMeasure& c) {
    shell_.settings.line_measure = id_of(c.measure);
  });
  commands.on([this](const command::SetWrap& c) { shell_.settings.wrap = c.on; });
  commands.on([this](const command::SetEverything& c) { shell_.settings.everything = c.on; });
  commands.on([this](const command::SetAutoRun& c) { shell_.settings.auto_run = c.on; });
  commands.on([this](const command::SetKey& c) {
    shell_.settings.keys[c.action] = c.chord;
    // One key, one action: take the key away from the action that had it.
    if (!c.chord.empty()) {
      std::erase_if(shell_.settings.keys, [&](const auto& chosen) {
        return chosen.second == c.chord && chosen.first != c.action;
      });
    }
    use_keys(shell_.settings.keys);
  });
  commands.on([this](const command::ResetKeys&) {
    shell_.settings.keys.clear();
    use_keys(shell_.settings.keys);
  });
  commands.on([this](const command::ToggleFullScreen&) {
    shell_.window->set_full_screen(!shell_.window->full_screen());
    shell_.draw_frames(6);
  });
}

float Appearance::hall_zoom() const {
  int width = 0, height = 0;
  shell_.window->size(width, height);
  return ui::hall_zoom(width, height, shell_.window->display_scale(), shell_.settings.lecture_zoom);
}

float& Appearance::zoom() {
  return shell_.lecture.on() ? shell_.settings.lecture_zoom : shell_.settings.zoom;
}

void Appearance::set_zoom(float zoom) {
  if (shell_.lecture.on()) zoom = std::min(zoom, kMaxLectureZoom);
  this->zoom() = zoom;
  shell_.say(tr("Zoom {}%", static_cast<int>(std::lround(zoom * 100))), "zoom");
}

// Makes every character of the text displayable, or reports once that some are not.
void Appearance::find_font_for(std::string_view text) {
  const std::vector<ImWchar> beyond = characters_beyond(text);
  if (beyond.empty() || characters_missed_ || !fonts_.code.font) return;
  if (!std::exchange(fallback_fonts_, true)) {
    add_fallback_fonts(find_fallback_fonts(system_font_folders()), fonts_);
    shell_.draw_frames(3);
  }
  characters_missed_ = std::any_of(beyond.begin(), beyond.end(),
                                   [&](ImWchar c) { return !fonts_.code.font->IsGlyphInFont(c); });
  if (characters_missed_) {
    shell_.say(
        tr("This text has characters that no font here can show. The fonts Noto Sans CJK "
           "and Noto Emoji have most of them."));
  }
}

void Appearance::note_typing() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) {
    typing_ = false;
  } else if (io.WantTextInput && !io.InputQueueCharacters.empty()) {
    typing_ = true;
  }
}

bool Appearance::update_look() {
  const bool dark = shell_.settings.theme == ThemeChoice::kDark ||
                    (shell_.settings.theme == ThemeChoice::kSystem && system_theme_.dark());
  const Theme* theme = dark ? &dark_theme() : &light_theme();
  const float zoom = shell_.lecture.on() ? hall_zoom() : shell_.settings.zoom;
  const float scale = zoom * shell_.window->display_scale();
  // A tooltip would cover the slide: in a lecture they appear only while Ctrl is held.
  const bool tooltips = shell_.lecture.on() ? ImGui::GetIO().KeyCtrl : !typing_;
  use_look({theme, &fonts_, scale, shell_.lecture.on() ? kHallNumber : kNumber,
            shell_.settings.motion, shell_.settings.digits, tooltips, &shell_.pictures});
  const bool zoomed = scale_ != 0 && scale != scale_;
  if (theme != style_theme_ || scale != scale_) {
    style_theme_ = theme;
    scale_ = scale;
    apply_style(*theme, scale);
    ImGui::GetStyle().FontScaleMain = scale;
    shell_.draw_frames(3);
  }
  return zoomed;
}

}  // namespace warpshop::ui

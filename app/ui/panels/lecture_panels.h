// The parts of a lecture around the kernel and its map: the bar on top, the text below the kernel,
// published figures below the map, a curtain over what is not yet revealed, and one large number.
#pragma once

#include <utility>

#include "app/commands.h"
#include "app/view.h"
#include "imgui.h"
#include "window/layout.h"

namespace warpshop::ui {

// Draws the scenes' titles with the current one marked; a click or Enter goes to the chosen one.
void scene_list(const Lecture& lecture, int& chosen, bool appearing, CommandQueue& queue);
// Draws the bar; returns from where to where it is free, between the title and the text and
// buttons.
std::pair<float, float> lecture_bar(const View& view, CommandQueue& queue);
void scene_panel(const View& view, CommandQueue& queue);
// Draws what others measured, as far as the audience has seen it; empty if there is nothing.
void figures_panel(const View& view);
// Gives the scene's text and figures the height they need, once per scene and size, so that a
// border dragged by the user stays. Call in every frame, before the dockspace.
struct LectureFit {
  const lab::Scene* scene = nullptr;
  ImVec2 size{};
  float scale = 0;
  size_t figures = 0;
  int frames = 0;  // a new dock takes a few until its parts have sizes
};
void fit_lecture(const View& view, const FittedDocks& docks, ImVec2 size, LectureFit& last);
// Draws a curtain in place of the map or number while it is hidden.
void curtain_panel(const View& view, CommandQueue& queue);
void number_panel(const View& view);

}  // namespace warpshop::ui

// What a lecture shows around the kernel and its map: the bar on top, the words below the kernel,
// published figures below the map, a curtain before what is not revealed, and one large number.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "imgui.h"

namespace warpshop::ui {

// The scenes' titles, the current one marked; a click or Enter goes to the chosen one.
void scene_list(const Lecture& lecture, int& chosen, bool appearing, CommandQueue& queue);
// Gives the place where its words and buttons begin, right of the title.
float lecture_bar(const View& view, CommandQueue& queue);
void scene_panel(const View& view, CommandQueue& queue);
// What others measured, as far as the class has seen it; nothing where there is none.
void figures_panel(const View& view);
// Gives the words and the figures of the scene the height that they need. In every frame, before
// the dockspace.
void fit_lecture(const View& view, ImVec2 size);
// In the place of the map or number, while it is hidden.
void curtain_panel(const View& view, CommandQueue& queue);
void number_panel(const View& view);

}  // namespace warpshop::ui

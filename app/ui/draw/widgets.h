// The basic widgets of the whole window.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/draw.h"
#include "lab/provenance.h"
#include "text/metrics.h"
#include "text/text.h"

namespace warpshop::ui {

enum class ButtonKind { kPrimary, kSecondary, kOutline, kSelected, kQuiet };
// `label` may contain "##id". Size 0: fit the label. One that is too wide is wrapped if the button
// is high enough, and truncated otherwise.
bool button(const std::string& label, ButtonKind kind = ButtonKind::kSecondary,
            ImVec2 size = {0, 0}, float em = kBody);
// The height of an outlined or selected button of that width that shows all of its label.
float wrapped_button_height(const std::string& text, float width, float em = kBody);
// Clickable text in the accent colour.
bool link(const std::string& label, float em = kBody);
bool enter_pressed();  // either Enter key went down in this frame; no repeats
// Draws a button with a ▾ at its right end; true if pressed. The caller opens the popup.
bool dropdown(const char* id, std::string_view text, float width);

// Begins a popup opened with OpenPopup, below the item that opened it, or above if there is more
// room, so that it never covers that item. If true, draw its content, then call EndPopup.
bool begin_popup_beside(const char* id, ImVec2 item_min, ImVec2 item_max);

// Draws the main number of a panel, what it counts, and its ideal below; hovering explains it.
void headline(std::string_view number, bool good, std::string_view what, std::string_view ideal,
              lab::Provenance provenance, const MetricWords& words);
float headline_height();
// Draws "simulated" as a small outlined pill whose top right corner is at `right_top`.
void badge(ImDrawList* list, ImVec2 right_top, lab::Provenance provenance);
float badge_width(lab::Provenance provenance);

// The text, in the current font, with a line end wherever ImGui would break a word after its
// punctuation: "threadIdx.x" after the dot. Only a word wider than `width` is broken.
std::string with_whole_words(std::string_view text, float width);
// Draws text in the layout, wrapped at the right edge of the content.
void paragraph(const Face& face, float em, ImU32 color, std::string_view text);
void label(const Face& face, float em, ImU32 color, std::string_view text);
void gap(float height);  // unscaled pixels
void rule();             // hairline across the content

// Keeps text away from the current window's scroll bar, if it has one. Call before drawing
// anything.
void keep_off_scroll_bar();
float content_width();
ImVec2 content_end();  // right edge of the content on the current line

}  // namespace warpshop::ui

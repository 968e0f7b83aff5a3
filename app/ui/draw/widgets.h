// The basic widgets of the whole window.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/draw.h"
#include "lab/run_result.h"
#include "text/metrics.h"
#include "text/text.h"

namespace warpshop::ui {

// A dockable panel: rounded, in the panel colour, with its name as a heading unless the dock shows
// tabs. `id` is stable ("steps"); `title` may change. With ImGuiWindowFlags_NoNavInputs the arrow
// keys step through the accesses that the panel shows instead of moving between its items, which
// remain reachable with Tab.
class Panel {
 public:
  Panel(std::string_view id, std::string_view title, ImGuiWindowFlags flags = 0);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  explicit operator bool() const { return visible_; }
  // Draws the heading row, with `context` right-aligned in the secondary colour. `inset`: pixels at
  // the right end reserved for the panel's own use.
  void header(std::string_view title, std::string_view context = {}, float inset = 0);
  bool tabbed() const { return tabbed_; }

 private:
  bool visible_ = false;
  bool tabbed_ = false;
};
// True if the focused panel uses the arrow keys to step through accesses.
bool arrows_walk_accesses();
std::string window_name(std::string_view id, std::string_view title);  // "Title###id"

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

// Draws text in the layout, wrapped at the right edge of the content.
void paragraph(const Face& face, float em, ImU32 color, std::string_view text);
void label(const Face& face, float em, ImU32 color, std::string_view text);
void gap(float height);  // unscaled pixels
void rule();             // hairline across the content

// Shows a tooltip with a heading and a text for the last item or the current hover.
void tooltip(std::string_view title, std::string_view text, std::string_view footnote = {});
// Explains a figure when the last item is hovered: definition, unit, formula, and Nsight Compute's
// name for it. `more` is appended.
void metric_tooltip(const MetricWords& words, std::string_view more = {});
// Like metric_tooltip(), for figures drawn by hand between two corners.
void metric_area(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more = {});
// Like metric_area(), for figures outside the current child window, in the panel around it.
void metric_area_beside(ImVec2 min, ImVec2 max, const MetricWords& words,
                        std::string_view more = {});
// Tells the observer (draw/observer.h) of figures whose tooltip says more than the metric's words.
void note_metric(ImVec2 min, ImVec2 max, const MetricWords& words);
struct ShownMetric {
  std::string title, meaning, unit, formula, nsight, term;
  ImVec2 min, max;  // corners of its figures
};
ShownMetric shown_metric(ImVec2 min, ImVec2 max, const MetricWords& words);
// "Unit: …", "Formula: …", Nsight Compute's name and the glossary term, one per line.
std::string metric_note(const ShownMetric& metric);
// Shows the full text of the truncated text under the mouse, unless another tooltip is shown. Call
// at the end of a frame.
void cut_text_tooltip();
// Keeps text away from the current window's scroll bar, if it has one. Call before drawing
// anything.
void keep_off_scroll_bar();
// Shows "Run the kernel  F6", taken from the registry, next to the last item.
void action_tooltip(std::string_view action_id);

// Fills a panel that has nothing to show with a sentence in its middle.
void empty_panel(std::string_view sentence, std::string_view hint = {});

float content_width();
ImVec2 content_end();  // right edge of the content on the current line

}  // namespace warpshop::ui

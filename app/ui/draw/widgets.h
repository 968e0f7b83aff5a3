// The few shapes that the whole window is made of.
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
// tabs. `id` is stable ("steps"), `title` may change. With ImGuiWindowFlags_NoNavInputs the arrow
// keys are not for moving between its items, but for the accesses that it shows; Tab does reach
// them.
class Panel {
 public:
  Panel(std::string_view id, std::string_view title, ImGuiWindowFlags flags = 0);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  explicit operator bool() const { return visible_; }
  // The heading row, with `context` in the secondary colour at its right end.
  // `inset`: pixels at the right end that the panel has for something of its own.
  void header(std::string_view title, std::string_view context = {}, float inset = 0);
  bool tabbed() const { return tabbed_; }

 private:
  bool visible_ = false;
  bool tabbed_ = false;
};
// Whether the panel with the keyboard is such a one.
bool arrows_walk_accesses();
std::string window_name(std::string_view id, std::string_view title);  // "Title###id"

enum class ButtonKind { kPrimary, kSecondary, kOutline, kSelected, kQuiet };
// `label` may carry "##id". Size 0: as needed.
bool button(const std::string& label, ButtonKind kind = ButtonKind::kSecondary,
            ImVec2 size = {0, 0}, float em = kBody);
// Text that acts, in the accent colour.
bool link(const std::string& label, float em = kBody);
bool enter_pressed();  // in this frame, on either block of keys; held down it counts once
// With a ▾ at its right end; opens the popup `popup`.
bool dropdown(const char* id, std::string_view text, float width);

// A popup that OpenPopup opened, below what opened it, or above where there is more room: it never
// lies over its own button. True: draw it, then EndPopup.
bool begin_popup_beside(const char* id, ImVec2 item_min, ImVec2 item_max);

// The one number of a panel, what it counts, and its ideal below; the mouse over it says what it
// is.
void headline(std::string_view number, bool good, std::string_view what, std::string_view ideal,
              lab::Provenance provenance, const MetricWords& words);
float headline_height();
// "simulated" as a small outlined pill whose right end is at `right`.
void badge(ImDrawList* list, ImVec2 right_top, lab::Provenance provenance);
float badge_width(lab::Provenance provenance);

// Text in the layout, wrapped at the right edge of the content.
void paragraph(const Face& face, float em, ImU32 color, std::string_view text);
void label(const Face& face, float em, ImU32 color, std::string_view text);
void gap(float height);  // unscaled pixels
void rule();             // a hair line across the content

// A tooltip of a heading and a text, for the last item or the current hover.
void tooltip(std::string_view title, std::string_view text, std::string_view footnote = {});
// What a figure is, for the last item when it is hovered: definition, unit, formula, and Nsight
// Compute's name for it. `more` is said besides.
void metric_tooltip(const MetricWords& words, std::string_view more = {});
// The same for figures drawn by hand between two corners.
void metric_area(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more = {});
// The same where the figures stand outside the current child window, in the panel around it.
void metric_area_beside(ImVec2 min, ImVec2 max, const MetricWords& words,
                        std::string_view more = {});
// Figures whose tooltip says more than the metric's words: noted for the test alone.
void note_metric(ImVec2 min, ImVec2 max, const MetricWords& words);
struct ShownMetric {
  std::string title, meaning, unit, formula, nsight, term;
  ImVec2 min, max;  // where its figures are
};
// "Unit: …", "Formula: …", Nsight Compute's name and the word of the glossary, a line each.
std::string metric_note(const ShownMetric& metric);
// Null, but in that test and where an action asks what a panel's figures mean: then every metric
// that is drawn is added to it.
std::vector<ShownMetric>*& shown_metrics();
// The whole of the text under the mouse that was cut, unless something else is explained there. At
// the end of a frame.
void cut_text_tooltip();
// Text keeps a distance from the scroll bar of the current window, where it has one. Before
// anything is drawn.
void keep_off_scroll_bar();
// "Run the kernel  F6" from the registry, for the last item, beside which it stands.
void action_tooltip(std::string_view action_id);

// What a panel says when it has nothing to show: a sentence in its middle.
void empty_panel(std::string_view sentence, std::string_view hint = {});

float content_width();
ImVec2 content_end();  // right edge of the content, current line

}  // namespace warpshop::ui

#include "panels/word_tooltip.h"

#include <string>

#include "core/files.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Elements and members that a tooltip lists; the Variables panel has them all.
constexpr int kMostParts = 8;

// Shows the values of the variable with this name at the film's step. False: there is none.
bool show_values(const View& view, const std::string& name) {
  if (!view.film_leads || view.stale || !view.film_state || !view.film_variables ||
      !view.film_variables->problem.empty())
    return false;
  std::string title, text;
  int parts = 0;
  for (const lab::NamedValue& value : view.film_variables->values) {
    if (value.name == name) {
      title = value.type + " " + value.name;
      text = values_text(value);
      break;
    }
    // "window[3]", "p.x"
    if (!value.name.starts_with(name + "[") && !value.name.starts_with(name + ".")) continue;
    title = name;
    if (parts++ >= kMostParts) continue;
    std::string values = values_text(value);
    if (values.find('\n') != std::string::npos)  // a line each would be too much
      values = tr("lane {}", 0) + ": " + local_number(value_text(value, 0)) + ", …";
    text += (text.empty() ? "" : "\n") + value.name + ": " + values;
  }
  if (title.empty()) return false;
  tooltip(title, text,
          tr("values at step {}: {}", with_separators(view.film_state->step + 1),
             position_text(view.film_variables->position)));
  return true;
}

}  // namespace

void word_tooltip(const View& view, EditorPanelState& state) {
  constexpr float kRest = 0.4f;  // seconds
  // Only after the mouse was moved: it also rests while the user types.
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) state.mouse_asks = true;
  if (state.changed || !io.InputQueueCharacters.empty() || io.MouseWheel != 0)
    state.mouse_asks = false;
  if (!state.mouse_asks) return;
  if (ImGui::GetCurrentContext()->MouseStationaryTimer < kRest || ImGui::IsAnyMouseDown()) return;
  const std::string word = state.editor->GetWordAtMousePos(ImGui::GetMousePos());
  if (word.empty()) return;
  const TextEditor::DocPos at = state.editor->GetDocPosAtMousePos(ImGui::GetMousePos());
  const std::string name = name_at(state.editor->GetLineText(at.line), at.index);
  if (name.ends_with(word) && show_values(view, name)) return;
  if (state.glossary_language != language().id || state.glossary.empty()) {
    state.glossary = load_glossary(data_dir(), language().id);
    state.glossary_language = language().id;
  }
  if (const GlossaryEntry* entry = entry_of_word(state.glossary, word))
    tooltip(entry->term, entry->meaning);
}

}  // namespace warpshop::ui

#include "control/results.h"

namespace warpshop::ui {

bool Results::stale(const std::shared_ptr<const PreparedResult>& of) const {
  return of && (of->result.source != work_.session->text() || of->result.gpu.id != work_.gpu_id());
}

void Results::select(size_t entry, bool show) {
  if (selected == entry) return;
  selected = entry;
  selected_at_s = shell_.now();
  ++shell_.facts.looks;
  const AccessEntry& access = prepared->accesses.entries[entry];
  if (show) docks_.show(access.shared ? "banks" : "transactions");
  scroll_to(access.line);
}

void Results::scroll_to(int line) {
  EditorPanelState& panel = shell_.editor();
  if (line <= 0 || !panel.editor || panel.focused) return;
  TextEditor& editor = *panel.editor;
  const auto at = static_cast<size_t>(line - 1);
  if (at < editor.GetLineCount() && !editor.IsDocPosVisible({at, 0}))
    editor.ScrollToLine(at, TextEditor::Scroll::alignMiddle);
}

void Results::select_scene_access() {
  Lecture& lecture = shell_.lecture;
  const lab::Scene& scene = lecture.current();
  if (!prepared) return;
  if (!scene.number.empty()) {
    const Result<lab::SceneNumber> number = lab::scene_number(scene, prepared->result);
    lecture.number = number.ok() ? std::optional(*number) : std::nullopt;
  }
  // No access is marked unless the lecturer has opened a panel that needs one.
  if (scene.whole_run && !lab::panel_needs_access(lecture.brought)) {
    selected.reset();
    return;
  }
  const std::optional<size_t> access = scene_access(scene, prepared->accesses, prepared->result);
  if (access == selected) return;
  selected = access;
  selected_at_s = shell_.now();
}

}  // namespace warpshop::ui

#include "panels/devices_dialog.h"

#include <algorithm>

#include "draw/widgets.h"
#include "imgui_stdlib.h"
#include "panels/device_widgets.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// Draws a device's name and location, with its state at the right end; below, any problem and how
// to fix it.
void device_row(const View& view, const DeviceRow& row, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(44);
  ImGui::PushID((row.place + "#" + std::to_string(row.gpu)).c_str());
  const bool pressed = ImGui::InvisibleButton("device", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (row.chosen || hovered) {
    list->AddRectFilled({at.x - px(8), at.y}, {at.x + width + px(8), at.y + height},
                        row.chosen ? t.raised : with_alpha(t.raised, 0.5f), px(6));
  }
  device_mark(list, {at.x + px(8), at.y + height / 2}, row.state, view.now_s);
  const std::string state = state_text(row);
  const float state_width = text_size(f.regular, kLabel, state).x;
  const float left = at.x + px(26), room = width - px(26) - state_width - px(16);
  draw_text_cut(list, {left, at.y + px(4)}, row.chosen ? f.medium : f.regular, kBody, t.text,
                row.name, room);
  draw_text_cut(list, {left, at.y + px(24)}, f.regular, kSmall, t.muted, row.where, width - px(26));
  draw_text(
      list, {at.x + width, at.y + px(5)}, f.regular, kLabel,
      row.state == LinkState::kRefused || row.state == LinkState::kRetrying ? t.poor : t.muted,
      state, Align::kRight);
  if (pressed) queue.push(command::SelectDevice{row.place, row.gpu});
  ImGui::Indent(px(26));
  if (!row.detail.empty()) {
    paragraph(f.regular, kLabel, row.state == LinkState::kRefused ? t.text : t.muted, row.detail);
  }
  if (!row.help.empty()) paragraph(f.regular, kLabel, t.accent, row.help);
  const bool far = row.place != kHere && row.place != kEmulatorAlone;
  if (row.state == LinkState::kRefused ||
      (row.state == LinkState::kOff && row.place != kEmulatorAlone)) {
    if (link(tr_id(row.state == LinkState::kOff ? tr_later("Connect") : tr_later("Try again"),
                   "connect"),
             kLabel)) {
      queue.push(command::ConnectDevice{row.place});
    }
    if (far) ImGui::SameLine(0, px(20));
  }
  if (far && link(tr_id("Remove", "remove"), kLabel)) queue.push(command::RemoveWorker{row.place});
  ImGui::Unindent(px(26));
  ImGui::PopID();
  gap(2);
}

// The command that starts a worker elsewhere, to type in.
void add_worker(DevicesDialogState& state, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  gap(6);
  rule();
  gap(6);
  label(f.medium, kBody, look()->text, tr("A GPU on another machine"));
  paragraph(f.regular, kLabel, look()->muted,
            tr("The command that starts a worker there: ssh HOST warpshop worker, or srun "
               "--gres=gpu:1 warpshop worker. Log in by key: nothing can ask for a password."));
  const float button_width = px(72);
  ImGui::SetNextItemWidth(content_width() - button_width - px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(10, 7));
  const bool entered =
      ImGui::InputTextWithHint("##command", tr("ssh gpu-server warpshop worker"), &state.command,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  const float height = ImGui::GetItemRectSize().y;
  ImGui::SameLine(0, px(10));
  const bool wanted = !state.command.empty();
  ImGui::BeginDisabled(!wanted);
  const bool add = button(tr_id("Add", "add"), ButtonKind::kSecondary, {button_width, height});
  ImGui::EndDisabled();
  // Report problems while the command is being typed.
  const Result<std::vector<std::string>> words =
      wanted ? worker_command(state.command) : std::vector<std::string>{};
  if (!words.ok()) {
    paragraph(f.regular, kLabel, look()->poor, tr(words.errors().front().message));
    paragraph(f.regular, kLabel, look()->muted, tr(words.errors().front().help));
  } else if (wanted && (add || entered)) {
    queue.push(command::AddWorker{state.command});
    state.command.clear();
  }
}

}  // namespace

void devices_dialog(const View& view, DevicesDialogState& state, bool appearing,
                    CommandQueue& queue) {
  if (appearing) state.command.clear();
  const Fonts& f = *look().fonts;
  label(f.bold, 17, look()->text, tr("Where kernels are measured"));
  paragraph(f.regular, kLabel, look()->muted,
            tr("Maps, counters and checks are the emulator's in any case. A GPU runs and times the "
               "same launch beside it."));
  gap(4);
  const float most = std::min(px(380), ImGui::GetMainViewport()->Size.y * 0.5f);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, most});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 0));
  ImGui::BeginChild("devices", {0, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  const std::vector<DeviceRow> rows = view.devices->rows();
  for (const DeviceRow& row : rows) device_row(view, row, queue);
  ImGui::EndChild();
  if (!view.devices->is_shared()) {
    add_worker(state, queue);
  } else if (rows.size() == 1) {
    paragraph(f.regular, kLabel, look()->muted, tr("The class has no GPU."));
  }
  gap(8);
  const float close = px(84);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, content_width() - close));
  if (button(tr_id("Close", "close"), ButtonKind::kPrimary, {close, px(32)})) {
    queue.push(command::CloseDialog{});
  }
}

}  // namespace warpshop::ui

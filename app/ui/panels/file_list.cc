#include "panels/file_list.h"

#include <algorithm>

#include "core/files.h"
#include "draw/widgets.h"
#include "imgui_stdlib.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

bool is_of_kind(const fs::path& path, const FileKind& kind) {
  return std::find(kind.extensions.begin(), kind.extensions.end(), path.extension().string()) !=
         kind.extensions.end();
}

// Lists folders first, then files of the kind; omits hidden ones.
std::vector<fs::directory_entry> entries_of(const fs::path& folder, const FileKind& kind) {
  std::vector<fs::directory_entry> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->path().filename().string()[0] == '.') continue;
    if (at->is_directory(ignored) || is_of_kind(at->path(), kind)) out.push_back(*at);
  }
  std::sort(out.begin(), out.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
    std::error_code ignored;
    const bool a_folder = a.is_directory(ignored), b_folder = b.is_directory(ignored);
    return a_folder != b_folder ? a_folder : a.path().filename() < b.path().filename();
  });
  return out;
}

bool row(const std::string& text, bool folder) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(26);
  const bool pressed = ImGui::InvisibleButton(text.c_str(), {width, height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool marked =
      ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (marked) list->AddRectFilled(at, {at.x + width, at.y + height}, look()->raised, px(6));
  const float y = at.y + (height - line_height(f.regular, kBody)) / 2;
  draw_text_cut(list, {at.x + px(8), y}, f.regular, kBody, folder ? look()->body : look()->accent,
                folder ? text + "/" : text, width - px(16));
  return pressed;
}

}  // namespace

void file_problems(const Diagnostics& problems, bool lines) {
  for (const Diagnostic& problem : problems) {
    // "in: there is no name 'm' here" begins with a parameter's name
    const std::string text = tr(problem.message);
    const std::string message = problem.kind == "usage" ? text : capitalized(text);
    paragraph(
        look().fonts->medium, kLabel, look()->poor_on_raised,
        lines && problem.place.line > 0 ? tr("Line {}: {}", problem.place.line, message) : message);
    if (!problem.help.empty())
      paragraph(look().fonts->regular, kLabel, look()->body, capitalized(tr(problem.help)));
  }
}

std::optional<fs::path> file_list(FileList& list, const FileKind& kind, Diagnostics& problems,
                                  bool appearing) {
  std::error_code ignored;
  if (appearing && list.path.empty()) {
    // Where the program was started, unless that is a place of the program's or of no one's.
    const fs::path here = fs::current_path(ignored);
    const bool ours =
        here.empty() || here == here.root_path() || fs::equivalent(here, data_dir(), ignored);
    list.path = (ours ? path_as_typed("~") : here).string();
  }
  const fs::path typed = path_as_typed(list.path);
  const std::string shown =
      (fs::is_directory(typed, ignored) ? typed : typed.parent_path()).string();
  if (appearing || shown != list.listed) {
    list.listed = shown;
    list.entries = entries_of(shown, kind);
  }
  if (appearing) ImGui::SetKeyboardFocusHere();
  std::optional<fs::path> chosen;
  const float open_width = text_size(look().fonts->medium, kBody, tr("Open")).x + px(28);
  ImGui::SetNextItemWidth(content_width() - open_width - px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(10, 7));
  const bool entered = ImGui::InputTextWithHint(
      "##path", kind.hint, &list.path,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered) ImGui::SetKeyboardFocusHere(-1);  // Enter has ended the typing
  const float height = ImGui::GetItemRectSize().y;
  ImGui::PopStyleVar();
  ImGui::SameLine(0, px(10));
  const bool pressed = button(tr_id("Open", "open"), ButtonKind::kPrimary, {open_width, height});
  if ((entered || pressed) && !fs::is_directory(path_as_typed(list.path), ignored))
    chosen = path_as_typed(list.path);
  file_problems(problems, true);
  gap(2);
  ImGui::BeginChild("folder", {0, std::min(px(300), ImGui::GetMainViewport()->Size.y * 0.45f)},
                    ImGuiChildFlags_NavFlattened);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  const fs::path folder = list.listed;
  if (folder.has_relative_path() && row("..", true))
    list.path = (folder.has_filename() ? folder : folder.parent_path()).parent_path().string();
  for (const fs::directory_entry& entry : list.entries) {
    const bool is_folder = entry.is_directory(ignored);
    if (!row(entry.path().filename().string(), is_folder)) continue;
    list.path = entry.path().string();
    problems.clear();
    if (!is_folder) chosen = entry.path();
  }
  if (list.entries.empty()) label(look().fonts->regular, kBody, look()->muted, kind.none);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  return chosen;
}

}  // namespace warpshop::ui

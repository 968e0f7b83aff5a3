#include "panels/own_kernel_dialog.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/files.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "panels/dialog_parts.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

struct FillName {
  const char* id;
  const char* title;
};
constexpr std::array kFills = {
    FillName{"zero", tr_later("zeroes")}, FillName{"iota", tr_later("0, 1, 2, …")},
    FillName{"random", tr_later("random numbers")}, FillName{"bits", tr_later("random bits")},
    FillName{"none", tr_later("nothing: it is not initialised")}};

// Lets the user choose a file by path or by browsing the folders.
void choose_file(OwnKernelState& state, bool appearing, CommandQueue& queue) {
  dialog_prose(
      tr("A file of a CUDA program, as it is. Its host code is left out, and what you change in a "
         "kernel is compared with what it was."));
  gap(4);
  const FileKind kind{.extensions = {".cu", ".cuh"},
                      .hint = tr("folder or file.cu"),
                      .none = tr("There is no .cu file and no folder here.")};
  if (const auto chosen = file_list(state.files, kind, state.problems, appearing))
    state.read(*chosen);
  dialog_choices({{tr_id("Cancel", "cancel"), ButtonKind::kSecondary, command::CloseDialog{}}},
                 queue, false);
}

// True once Enter is pressed in it.
bool field(const char* title, const char* id, std::string& text, float width,
           const char* explained) {
  ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset = 0;  // else neighbours would be misaligned
  ImGui::BeginGroup();
  label(look().fonts->regular, kLabel, look()->muted, title);
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputText(id, &text, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::EndGroup();
  // Not because it has the keyboard: the text would cover the next row.
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_NoNavOverride))
    tooltip(title, explained);
  return entered;
}

// Describes how the program itself launches the kernel.
std::string launches_of(const compile::SourceKernel& kernel) {
  if (kernel.launches.empty()) return {};
  const compile::SourceLaunch& launch = kernel.launches.front();
  return tr("Line {} of the program launches it with <<<{}>>>.", launch.place.line,
            launch.configuration);
}

// "n (line 3); in, out (line 9)": the fields that the program itself determines.
std::string origins_of(const lab::KernelLabForm& form) {
  std::map<int, std::string> by_line;
  for (const lab::KernelLabForm::Origin& origin : form.origins) {
    std::string& fields = by_line[origin.line];
    fields += (fields.empty() ? "" : ", ") + tr(origin.field);
  }
  std::string out;
  for (const auto& [line, fields] : by_line)
    out += (out.empty() ? "" : "; ") + tr("{} (line {})", fields, line);
  return out;
}

void explain_guesses(const lab::KernelLabForm& form) {
  const Fonts& f = *look().fonts;
  const std::string stated = origins_of(form);
  paragraph(f.regular, kLabel, look()->muted,
            stated.empty() ? std::string(tr("The values below are guessed: check them."))
                           : tr("From the program: {}. The rest is guessed: check it.", stated));
  if (form.program_n > 0) {
    paragraph(f.regular, kLabel, look()->body,
              tr("The program's n is {}. It is smaller here so that a run takes seconds.",
                 with_separators(static_cast<uint64_t>(form.program_n))));
  }
}

// Names the variables whose values are not the program's own.
void explain_made_up(const lab::KernelLabForm& form) {
  std::string names;
  for (const lab::KernelLabVariable& variable : form.variables) {
    if (variable.line == 0) names += (names.empty() ? "" : ", ") + variable.name;
  }
  if (names.empty()) return;
  paragraph(look().fonts->regular, kLabel, look()->body,
            tr("Host code sets {} when the program runs. The values here are made up: check them.",
               names));
}

void choose_kernel(OwnKernelState& state) {
  const std::vector<compile::SourceKernel>& kernels = state.file->kernels;
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(10, 7));
  const std::string shown = kernels[state.kernel].signature();
  if (ImGui::BeginCombo("##kernel", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (size_t n = 0; n < kernels.size(); ++n) {
      const std::string name = kernels[n].signature() + "##" + std::to_string(n);
      if (ImGui::Selectable(name.c_str(), n == state.kernel)) state.choose(n);
    }
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
  const compile::SourceKernel& kernel = kernels[state.kernel];
  if (kernel.is_template) {
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##instance", tr("which instance, such as scale<16>"),
                             &state.form.kernel);
  }
  if (const std::string launched = launches_of(kernel); !launched.empty())
    paragraph(look().fonts->regular, kLabel, look()->muted, launched);
  explain_guesses(state.form);
  explain_made_up(state.form);
}

// This and the following return true if Enter was pressed in a field.
bool choose_launch(lab::KernelLabForm& form, bool takes_keyboard) {
  const float room = content_width(), between = px(10);
  const bool one_row = room > px(560);
  const float n_width = px(96), shared_width = px(150),
              wide = one_row ? (room - n_width - shared_width - 3 * between) / 2
                             : (room - between) / 2;
  if (takes_keyboard) ImGui::SetKeyboardFocusHere();
  bool entered = field(tr("n, the size"), "##n", form.n, one_row ? n_width : wide,
                       tr("The number that grids, buffers and values may be computed from."));
  ImGui::SameLine(0, between);
  entered |=
      field(tr("Blocks"), "##grid", form.grid, wide,
            tr("As the first argument of <<< >>>: C++ over n. Several dimensions are written with "
               "commas."));
  if (one_row) ImGui::SameLine(0, between);
  entered |= field(tr("Threads of a block"), "##block", form.block, wide,
                   tr("As the second argument of <<< >>>."));
  ImGui::SameLine(0, between);
  entered |=
      field(tr("Dynamic shared memory"), "##shared", form.dynamic_shared_bytes,
            one_row ? shared_width : wide, tr("In bytes, as the third argument of <<< >>>."));
  return entered;
}

// Variables that the host code sets: their initialisers.
bool variable_rows(std::vector<lab::KernelLabVariable>& variables) {
  bool entered = false;
  for (lab::KernelLabVariable& variable : variables) {
    ImGui::PushID(&variable);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    paragraph(look().fonts->code, kLabel, look()->text, variable.declaration);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(-1);
    entered |= ImGui::InputText(("##" + variable.name).c_str(), &variable.value,
                                ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemEdited()) variable.line = 0;
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    label(look().fonts->regular, kLabel, look()->muted,
          variable.value.empty() ? std::string(tr("zeroes"))
          : variable.line > 0    ? tr("as in line {}", variable.line)
                                 : std::string(tr("made-up values")));
    ImGui::PopID();
  }
  return entered;
}

bool choose_args(lab::KernelLabForm& form) {
  if (!ImGui::BeginTable("args", 4, ImGuiTableFlags_SizingStretchProp)) return false;
  bool entered = false;
  ImGui::TableSetupColumn(tr("Parameter"), ImGuiTableColumnFlags_WidthStretch, 1.3f);
  ImGui::TableSetupColumn(tr("Elements or value"), ImGuiTableColumnFlags_WidthStretch, 0.9f);
  ImGui::TableSetupColumn(tr("Begins with"), ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn(tr("Compared"), ImGuiTableColumnFlags_WidthStretch, 0.5f);
  ImGui::TableNextRow();
  for (int column = 0; column < 4; ++column) {
    ImGui::TableSetColumnIndex(column);
    label(look().fonts->regular, kLabel, look()->muted, ImGui::TableGetColumnName(column));
  }
  for (size_t n = 0; n < form.args.size(); ++n) {
    lab::KernelLabArg& arg = form.args[n];
    ImGui::PushID(static_cast<int>(n));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    paragraph(look().fonts->code, kLabel, look()->text, arg.type + " " + arg.name);
    ImGui::TableNextColumn();
    if (!arg.unfit.empty()) {
      paragraph(look().fonts->regular, kLabel, look()->poor_on_raised, capitalized(tr(arg.unfit)));
      ImGui::PopID();
      continue;
    }
    ImGui::SetNextItemWidth(-1);
    entered |= ImGui::InputText("##amount", &arg.amount, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::TableNextColumn();
    if (arg.is_buffer) {
      const auto chosen = std::find_if(kFills.begin(), kFills.end(),
                                       [&](const FillName& fill) { return arg.fill == fill.id; });
      ImGui::SetNextItemWidth(-1);
      if (ImGui::BeginCombo("##fill", tr(chosen->title))) {
        for (const FillName& fill : kFills) {
          if (ImGui::Selectable(tr(fill.title), arg.fill == fill.id)) arg.fill = fill.id;
        }
        ImGui::EndCombo();
      }
      ImGui::TableNextColumn();
      ImGui::Checkbox("##output", &arg.output);
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
        tooltip(tr("Compared"),
                tr("What the kernel leaves in this buffer decides whether a change is right."));
      }
    }
    ImGui::PopID();
  }
  entered |= variable_rows(form.variables);
  ImGui::EndTable();
  return entered;
}

// If there is a lab of this kernel already, that one comes first.
std::vector<DialogChoice> choices_of(const lab::Lab* known) {
  const DialogChoice cancel{tr_id("Cancel", "cancel"), ButtonKind::kSecondary,
                            command::CloseDialog{}};
  if (known == nullptr)
    return {{tr_id("Run it", "run"), ButtonKind::kPrimary, command::MakeKernelLab{}}, cancel};
  return {{tr_id("Open existing lab", "known"), ButtonKind::kPrimary,
           command::OpenKernelLab{known->id}},
          {tr_id("Make another lab", "run"), ButtonKind::kSecondary, command::MakeKernelLab{}},
          cancel};
}

}  // namespace

void OwnKernelState::read(const fs::path& from) {
  problems.clear();
  file.reset();
  files.path = from.string();
  Result<lab::KernelFile> got = lab::read_kernel_file(from);
  if (!got.ok()) {
    problems = got.errors();
    return;
  }
  file = std::move(*got);
  fresh_ = true;
  choose(0);
}

void OwnKernelState::choose(size_t which) {
  kernel = which;
  form = lab::proposed_form(*file, file->kernels[which]);
  problems.clear();
}

void own_kernel_dialog(const lab::LabLibrary* labs, OwnKernelState& state, bool appearing,
                       CommandQueue& queue) {
  dialog_heading(state.file ? tr("Your kernel, of {}", state.file->path.filename().string())
                            : std::string(tr("Open your own kernel")));
  if (!state.file) {
    choose_file(state, appearing, queue);
    return;
  }
  gap(2);
  choose_kernel(state);
  gap(6);
  bool entered = choose_launch(state.form, std::exchange(state.fresh_, false));
  gap(6);
  entered |= choose_args(state.form);
  file_problems(state.problems, false);
  const bool back = link(tr_id("Another file…", "another"), kLabel);
  const lab::Lab* known =
      labs ? lab::kernel_lab_of(*labs, *state.file, state.form.kernel) : nullptr;
  if (known != nullptr)
    paragraph(look().fonts->regular, kLabel, look()->body,
              tr("You have opened this kernel before: {} has what you changed.", known->title));
  const std::vector<DialogChoice> choices = choices_of(known);
  dialog_choices(choices, queue, !entered);
  if (entered) queue.push(choices.front().command);
  if (back) state.file.reset();
}

}  // namespace warpshop::ui

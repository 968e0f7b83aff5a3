#include "panels/dialogs.h"

#include <algorithm>
#include <utility>

#include "core/ascii.h"
#include "core/files.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_stdlib.h"
#include "panels/action_dialogs.h"
#include "panels/dialog_parts.h"
#include "panels/diff_dialogs.h"
#include "panels/lecture_panels.h"
#include "panels/notes_dialogs.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

void glossary(DialogState& state, bool appearing) {
  if (appearing) {
    state.filter = tr(std::exchange(state.glossary_word, {}));
    ImGui::SetKeyboardFocusHere();
    if (state.glossary.empty() || state.glossary_language != language().id) {
      state.glossary_language = language().id;
      state.glossary = load_glossary(data_dir(), language().id);
    }
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  ImGui::InputTextWithHint("##filter", tr("Which word?"), &state.filter);
  ImGui::PopStyleVar();
  const char* sources =
      tr("Sources: PG and PG4 CUDA's programming guides · PTX its ISA · NC Nsight Compute · NV "
         "NVIDIA's forum · OCC cuda_occupancy.h · GTC the talk of GTC 2015 · TK GPU Teaching Kit · "
         "PMPP Programming Massively Parallel Processors · W our own word");
  const Face& face = look().fonts->regular;
  const float below = wrapped_height(face, kSmall, sources, content_width()) + px(10);
  ImGui::BeginChild(
      "words",
      {0, std::min(px(430), std::max(px(90), ImGui::GetMainViewport()->Size.y * 0.7f - below))});
  const std::vector<const GlossaryEntry*> found = find_entries(state.glossary, state.filter);
  for (const GlossaryEntry* entry : found) {
    gap(2);
    label(look().fonts->medium, kBody, look()->text, entry->term);
    ImGui::SameLine();
    label(look().fonts->regular, kLabel, look()->muted, entry->section);
    paragraph(look().fonts->regular, kBody, look()->body, entry->meaning);
    gap(4);
  }
  if (found.empty()) {
    gap(8);
    label(look().fonts->regular, kBody, look()->muted,
          state.glossary.empty() ? tr("docs/GLOSSARY.md is not there.") : tr("No such word."));
  }
  ImGui::EndChild();
  gap(6);
  paragraph(face, kSmall, look()->muted, sources);
}

// Lists the tooltips of all figures in a panel.
void figures(const DialogState& state, CommandQueue& queue) {
  dialog_heading(tr("What the panel's figures mean"));
  gap(4);
  ImGui::BeginChild("figures", {0, std::min(px(460), ImGui::GetMainViewport()->Size.y * 0.62f)},
                    ImGuiChildFlags_NavFlattened);
  scroll_by_arrows();
  for (const ShownMetric& figure : state.figures) {
    paragraph(look().fonts->medium, kBody, look()->text, tr(figure.title));
    paragraph(look().fonts->regular, kBody, look()->body, tr(figure.meaning));
    paragraph(look().fonts->regular, kLabel, look()->muted, metric_note(figure));
    if (!figure.term.empty() && link(tr_id("Open the glossary there", figure.title), kLabel))
      queue.push(command::OpenGlossary{figure.term});
    gap(8);
  }
  if (state.figures.empty())
    paragraph(look().fonts->regular, kBody, look()->body, tr("There are no figures in sight."));
  ImGui::EndChild();
  dialog_choices({{tr_id("Close", "close"), ButtonKind::kPrimary, command::CloseDialog{}}}, queue);
}

// A page of the documentation. Links to other pages open them in its place.
void page_dialog(DialogState& state, CommandQueue& queue) {
  if (std::exchange(state.page_opened, false)) ImGui::SetNextWindowScroll({0, 0});
  state.note.folder = state.page_folder;
  scrolled_text(state.note, state.page, [&](const std::string& link) {
    if (link.find("://") != std::string::npos) {
      queue.push(command::OpenAddress{link});
    } else if (const std::string file = link.substr(0, link.find('#')); !file.empty()) {
      queue.push(command::OpenPage{file});
    }
  });
  dialog_choices({{tr_id("Close", "close"), ButtonKind::kPrimary, command::CloseDialog{}}}, queue);
}

// Draws one line of the system check: whether it works, what was found, and what to do.
void doctor_row(const lab::SystemCheckLine& line) {
  using State = lab::SystemCheckLine::State;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 mark{at.x + px(8), at.y + px(10)};
  switch (line.state) {
    case State::kOk:
      draw_check(list, mark, px(12), look()->good, px(2));
      break;
    case State::kFail:
      draw_cross(list, mark, px(12), look()->poor, px(2));
      break;
    case State::kWarn:
      list->AddTriangle({mark.x - px(6), mark.y + px(5)}, {mark.x + px(6), mark.y + px(5)},
                        {mark.x, mark.y - px(6)}, look()->poor, px(2));
      break;
  }
  ImGui::Indent(px(28));
  paragraph(look().fonts->medium, kBody, look()->text, tr(line.what));
  if (!line.found.empty()) paragraph(look().fonts->regular, kLabel, look()->muted, tr(line.found));
  if (!line.fix.empty())
    paragraph(look().fonts->regular, kLabel, look()->text, "→ " + tr(line.fix));
  ImGui::Unindent(px(28));
}

// Shows the same as `warpshop doctor`.
void doctor(const View& view, CommandQueue& queue) {
  dialog_heading(tr("System check"));
  gap(4);
  ImGui::BeginChild("system_check",
                    {0, std::min(px(460), ImGui::GetMainViewport()->Size.y * 0.62f)});
  if (view.system_check) {
    // Problems first.
    for (const auto state : {lab::SystemCheckLine::State::kFail, lab::SystemCheckLine::State::kWarn,
                             lab::SystemCheckLine::State::kOk}) {
      for (const lab::SystemCheckLine& line : *view.system_check) {
        if (line.state == state) doctor_row(line);
      }
    }
  } else {
    paragraph(look().fonts->regular, kBody, look()->muted, tr("Looking…"));
  }
  ImGui::EndChild();
  dialog_choices({{tr_id("Close", "close"), ButtonKind::kSecondary, command::CloseDialog{}},
                  {tr_id("Look again", "again"), ButtonKind::kSecondary, command::OpenDoctor{}}},
                 queue);
}

void problems(const Diagnostics& all) {
  for (const Diagnostic& problem : all) {
    paragraph(look().fonts->medium, kBody, look()->poor_on_raised,
              capitalized(tr(problem.message)));
    if (!problem.place.file.empty())
      paragraph(look().fonts->regular, kLabel, look()->body, problem.place.file);
    if (!problem.help.empty())
      paragraph(look().fonts->regular, kBody, look()->body, capitalized(tr(problem.help)));
    gap(4);
  }
}

// Esc returns to the text, which is unchanged.
void unsaved(const View& view, DialogState& state, CommandQueue& queue) {
  dialog_heading(tr("Your text could not be saved"));
  problems(state.unsaved);
  dialog_prose(tr("Without a copy, what you have typed in “{}” since it was last saved is lost.",
                  view.session->step()->title));
  gap(4);
  label(look().fonts->regular, kLabel, look()->muted, tr("Save a copy in this file:"));
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##elsewhere", &state.elsewhere);
  dialog_choices(
      {{tr_id("Try again", "retry"), ButtonKind::kPrimary, command::RetryUnsaved{}},
       {tr_id("Save copy", "elsewhere"), ButtonKind::kSecondary,
        command::SaveElsewhere{state.elsewhere}},
       {tr_id("Leave without saving", "leave"), ButtonKind::kSecondary, command::LeaveUnsaved{}},
       {tr_id("Cancel", "back"), ButtonKind::kSecondary, command::CloseDialog{}}},
      queue);
}

void progress(DialogState& state, CommandQueue& queue) {
  dialog_heading(tr("Your work in one file"));
  dialog_prose(
      tr("The file holds your texts and what you have passed: export it here, import it on another "
         "machine."));
  problems(state.unsaved);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##file", &state.elsewhere);
  dialog_choices(
      {{tr_id("Export", "export"), ButtonKind::kPrimary, command::ExportProgress{state.elsewhere}},
       {tr_id("Import", "import"), ButtonKind::kSecondary,
        command::ImportProgress{state.elsewhere}},
       {tr_id("Close", "close"), ButtonKind::kSecondary, command::CloseDialog{}}},
      queue);
}

// Draws one line for an exercise: whether it has passed, and what is handed in.
void hand_in_row(const lab::HandedIn& kernel) {
  const bool passed = kernel.version == lab::StandingText::Version::kPassed;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (passed)
    draw_check(ImGui::GetWindowDrawList(), {at.x + px(8), at.y + px(10)}, px(12), look()->good,
               px(2));
  ImGui::Indent(px(28));
  const Face& face = look().fonts->regular;
  const std::string which = !passed ? tr("your latest text, which has not passed")
                            : kernel.changed_since
                                ? tr("the version that passed; you have changed the text since")
                                : tr("the version that passed");
  const bool beside =
      text_size(face, kBody, kernel.title).x + px(10) + text_size(face, kLabel, which).x <=
      content_width();
  paragraph(face, kBody, look()->text, kernel.title);
  if (beside) ImGui::SameLine(0, px(10));
  paragraph(face, kLabel, look()->muted, which);
  ImGui::Unindent(px(28));
}

void hand_in(DialogState& state, bool appearing, CommandQueue& queue) {
  dialog_heading(tr("Hand in your kernels"));
  dialog_prose(tr_count(
      state.to_hand_in.size(),
      "You have started {} exercise; {1} passed. One archive for your teacher is written:",
      "You have started {} exercises; {1} passed. One archive for your teacher is written:",
      lab::passed_among(state.to_hand_in)));
  gap(4);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, ImGui::GetMainViewport()->Size.y * 0.45f});
  ImGui::BeginChild("kernels", {0, 0}, ImGuiChildFlags_AutoResizeY);
  for (const lab::HandedIn& kernel : state.to_hand_in) hand_in_row(kernel);
  ImGui::EndChild();
  problems(state.unsaved);
  ImGui::SetNextItemWidth(-1);
  if (appearing) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputText("##file", &state.elsewhere, ImGuiInputTextFlags_EnterReturnsTrue))
    queue.push(command::HandIn{state.elsewhere});
  dialog_choices({{tr_id("Write the archive", "archive"), ButtonKind::kPrimary,
                   command::HandIn{state.elsewhere}},
                  {tr_id("Cancel", "cancel"), ButtonKind::kSecondary, command::CloseDialog{}}},
                 queue);
}

void profile(DialogState& state, bool appearing, CommandQueue& queue) {
  dialog_heading(tr("Import a profile from Nsight Compute"));
  dialog_prose(
      tr("A CSV file of your kernel's launch on a GPU. Its counters and its time are shown beside "
         "those of the emulator and of the model."));
  paragraph(look().fonts->code, kLabel, look()->muted,
            tr("ncu --set full --csv --page raw --log-file profile.csv PROGRAM"));
  paragraph(look().fonts->code, kLabel, look()->muted,
            tr("ncu --import REPORT.ncu-rep --csv --page raw > profile.csv"));
  gap(4);
  const FileKind kind{.extensions = {".csv", ".ncu-rep"},
                      .hint = tr("folder or file.csv"),
                      .none = tr("There is no .csv file and no folder here.")};
  if (const auto chosen = file_list(state.profiles, kind, state.profile_problems, appearing))
    queue.push(command::ImportProfile{chosen->string()});
  dialog_choices({{tr_id("Cancel", "cancel"), ButtonKind::kSecondary, command::CloseDialog{}}},
                 queue, false);
}

void other_window(const DialogState& state, CommandQueue& queue) {
  dialog_heading(tr("Warpshop is already open"));
  const size_t blank = std::min(state.other_window.find(' '), state.other_window.size());
  dialog_prose(state.other_window.empty()
                   ? std::string(tr("Another window works on the same files."))
                   : tr("Another window works on the same files: process {} on {}.",
                        state.other_window.substr(0, blank),
                        trimmed(state.other_window.substr(blank))));
  paragraph(look().fonts->regular, kLabel, look()->muted, user_dir().string());
  dialog_prose(
      tr("You can work in both. This window keeps its unsaved edits apart, and when both change "
         "the same step, you choose which text stays."));
  dialog_choices(
      {{tr_id("Close this window", "close"), ButtonKind::kPrimary, command::Quit{}},
       {tr_id("Work here as well", "stay"), ButtonKind::kSecondary, command::CloseDialog{}}},
      queue);
}

float width_of(Dialog dialog) {
  switch (dialog) {
    case Dialog::kPalette:
      return 560;
    case Dialog::kGlossary:
      return 620;
    case Dialog::kKeys:
      return 520;
    case Dialog::kDoctor:
      return 560;
    case Dialog::kFigures:
    case Dialog::kProgress:
    case Dialog::kHandIn:
    case Dialog::kUnsaved:
    case Dialog::kDevices:
      return 600;
    case Dialog::kSpeakerNotes:
    case Dialog::kInstructor:
    case Dialog::kPage:
    case Dialog::kOwnKernel:
    case Dialog::kProfile:
      return 680;
    case Dialog::kSolution:
    case Dialog::kChanges:
    case Dialog::kConflict:
      return 1200;
    default:
      return 460;
  }
}

// Offers the remaining hints before the solution.
void ask_solution(const View& view, CommandQueue& queue) {
  const lab::StepProgress* progress = view.session->progress_of(*view.session->step());
  const size_t hints = view.exercise() ? view.exercise()->hints.size() : 0;
  const size_t shown = progress ? static_cast<size_t>(progress->hints_shown) : 0;
  const size_t left = hints - std::min(hints, shown);
  dialog_heading(tr("Look at the solution?"));
  dialog_prose(
      left > 0
          ? tr_count(left,
                     "You learn most from your own attempt, and {} hint is left. Your text is kept "
                     "either way.",
                     "You learn most from your own attempt, and {} hints are left. Your text is "
                     "kept either way.")
          : std::string(tr("You learn most from your own attempt. Your text is kept either way.")));
  std::vector<DialogChoice> all;
  if (left > 0)
    all.push_back({tr_id("Show a hint", "hint"), ButtonKind::kPrimary, command::ShowHint{}});
  all.push_back({tr_id("Not yet", "keep"), left > 0 ? ButtonKind::kSecondary : ButtonKind::kPrimary,
                 command::CloseDialog{}});
  all.push_back(
      {tr_id("Show the solution", "confirm"), ButtonKind::kSecondary, command::ShowSolution{}});
  dialog_choices(all, queue);
}

}  // namespace

void propose_free_name(const std::filesystem::path& file, DialogState& dialog) {
  dialog.unsaved = {make_error_at({file.string()}, "file",
                                  tr("there is already a file of that name"),
                                  tr("A free name is filled in below: use it, or type another."))};
  std::filesystem::path free = file;
  std::error_code ignored;
  for (int n = 2; std::filesystem::exists(free, ignored); ++n) {
    free.replace_filename(file.stem().string() + "-" + std::to_string(n) +
                          file.extension().string());
  }
  dialog.elsewhere = free.string();
}

void dialogs(const View& view, DialogState& state, CommandQueue& queue) {
  const bool appearing = state.open != state.shown;
  // While a shortcut is being captured, Esc belongs to it.
  const bool capturing = !state.capturing.empty();
  state.shown = state.open;
  if (state.open == Dialog::kNone) return;
  constexpr const char* kName = "dialog";
  if (appearing) ImGui::OpenPopup(kName);
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const bool palette_shown = state.open == Dialog::kPalette || state.open == Dialog::kGlossary ||
                             state.open == Dialog::kScenes;
  const float width = std::min(px(width_of(state.open)), viewport->Size.x - px(40));
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2,
                           viewport->Pos.y + viewport->Size.y * (palette_shown ? 0.12f : 0.46f)},
                          ImGuiCond_Always, {0.5f, palette_shown ? 0.0f : 0.5f});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - px(24)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, palette_shown ? px(12, 12) : px(24, 20));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
  // Lists and long texts in these dialogs scroll by themselves.
  const bool lists = state.open == Dialog::kPalette || state.open == Dialog::kScenes ||
                     state.open == Dialog::kSpeakerNotes || state.open == Dialog::kInstructor ||
                     state.open == Dialog::kPage || state.open == Dialog::kKeys;
  const bool visible = ImGui::BeginPopupModal(
      kName, nullptr,
      (lists ? ImGuiWindowFlags_NoScrollbar : 0) | ImGuiWindowFlags_NoTitleBar |
          ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
          ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  if (!visible) {
    state.open = state.shown = Dialog::kNone;
    return;
  }
  switch (state.open) {
    case Dialog::kNone:
      break;
    case Dialog::kPalette:
      palette_dialog(view, state, appearing, queue);
      break;
    case Dialog::kGlossary:
      glossary(state, appearing);
      break;
    case Dialog::kKeys:
      keys_dialog(view, state, appearing, queue);
      break;
    case Dialog::kDoctor:
      doctor(view, queue);
      break;
    case Dialog::kReset:
      dialog_heading(tr("Reset this step?"));
      dialog_prose(
          tr("The editor goes back to the text that the step began with. A copy of your text is "
             "kept in the history folder beside your work."));
      dialog_choices({{tr_id("Keep my text", "keep"), ButtonKind::kPrimary, command::CloseDialog{}},
                      {tr_id("Reset", "confirm"), ButtonKind::kSecondary, command::Reset{}}},
                     queue);
      break;
    case Dialog::kRemoveLab:
      dialog_heading(tr("Remove {}?", view.session->lab()->title));
      dialog_prose(
          tr("Its folder is moved to the history folder beside your work. What you wrote in it "
             "stays in your work."));
      dialog_choices({{tr_id("Keep it", "keep"), ButtonKind::kPrimary, command::CloseDialog{}},
                      {tr_id("Remove", "confirm"), ButtonKind::kSecondary, command::RemoveLab{}}},
                     queue);
      break;
    case Dialog::kAskSolution:
      ask_solution(view, queue);
      break;
    case Dialog::kSolution:
      solution_dialog(view, state, appearing, queue);
      break;
    case Dialog::kConflict:
      conflict_dialog(view, state, appearing, queue);
      break;
    case Dialog::kChanges:
      changes_dialog(view, state, appearing, queue);
      break;
    case Dialog::kFigures:
      figures(state, queue);
      break;
    case Dialog::kScenes:
      if (!view.lecture) break;
      dialog_heading(view.lecture->demo().title);
      scene_list(*view.lecture, state.chosen, appearing, queue);
      break;
    case Dialog::kSpeakerNotes:
      if (view.lecture) speaker_notes_dialog(view, state.note, queue);
      break;
    case Dialog::kInstructor:
      instructor_dialog(view, state.note, queue);
      break;
    case Dialog::kPage:
      page_dialog(state, queue);
      break;
    case Dialog::kUnsaved:
      unsaved(view, state, queue);
      break;
    case Dialog::kOtherWindow:
      other_window(state, queue);
      break;
    case Dialog::kProgress:
      progress(state, queue);
      break;
    case Dialog::kHandIn:
      hand_in(state, appearing, queue);
      break;
    case Dialog::kOwnKernel:
      own_kernel_dialog(view.labs, state.own_kernel, appearing, queue);
      break;
    case Dialog::kProfile:
      profile(state, appearing, queue);
      break;
    case Dialog::kDevices:
      devices_dialog(view, state.devices, appearing, queue);
      break;
  }
  // Esc in an open drop-down closes only that, which ImGui has done before this frame.
  const bool inner =
      std::exchange(state.inner_popup, ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
  // Esc changes nothing. A conflict must be resolved, though, and the safe choice is to keep ours.
  const bool outside = palette_shown && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                               ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (!appearing && !capturing &&
      ((!inner && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) || outside)) {
    if (state.open == Dialog::kConflict) {
      queue.push(command::ResolveConflict{true});
    } else {
      queue.push(command::CloseDialog{});
    }
  }
  ImGui::EndPopup();
}

}  // namespace warpshop::ui

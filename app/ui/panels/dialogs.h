// The dialogs: each asks one thing, closes with Esc, and acts through a command.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "TextDiff.h"
#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"
#include "draw/tooltip.h"
#include "lab/hand_in.h"
#include "panels/devices_dialog.h"
#include "panels/file_list.h"
#include "panels/own_kernel_dialog.h"
#include "text/glossary.h"

namespace warpshop::ui {

enum class Dialog {
  kNone,
  kPalette,
  kGlossary,
  kKeys,
  kDoctor,
  kReset,
  kRemoveLab,
  kAskSolution,
  kSolution,
  kConflict,
  kChanges,
  kDevices,
  kFigures,
  kScenes,
  kSpeakerNotes,
  kInstructor,
  kPage,
  kUnsaved,
  kOtherWindow,
  kProgress,
  kHandIn,
  kOwnKernel,
  kProfile
};

struct DialogState {
  Dialog open = Dialog::kNone;   // set this to open a dialog
  Dialog shown = Dialog::kNone;  // in the previous frame
  bool inner_popup = false;      // a drop-down of the dialog was open in the previous frame
  std::string filter;            // palette, keys
  std::string capturing;         // keys: the action waiting for its new shortcut
  int chosen = 0;                // palette, scenes
  std::unique_ptr<TextDiff> diff;
  const Theme* diff_theme = nullptr;
  DevicesDialogState devices;
  OwnKernelState own_kernel;
  FileList profiles;
  Diagnostics profile_problems;  // with the profile chosen last
  MarkdownView note;
  std::string page;                   // of the documentation, in Markdown
  std::filesystem::path page_folder;  // that its pictures and links are beside
  bool page_opened = false;           // since the last frame: start at its top
  std::string left, right;            // changes: runs of the history; "": the editor's text
  std::string diff_of;                // the two texts shown
  Diagnostics unsaved;                // why the file could not be saved or read
  std::string elsewhere;              // path typed for a copy, an export, an import or an archive
  std::vector<lab::HandedIn> to_hand_in;
  std::string other_window;             // process of the first window on the same work
  std::vector<ShownMetric> figures;     // figures to explain
  std::vector<GlossaryEntry> glossary;  // read when first opened
  std::string glossary_language;
  std::string glossary_word;  // entry to open at
};

// Says that the file exists, and fills in a free name: work-2.json for work.json.
void propose_free_name(const std::filesystem::path& file, DialogState& dialog);

void dialogs(const View& view, DialogState& state, CommandQueue& queue);

}  // namespace warpshop::ui

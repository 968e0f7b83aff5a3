// Editing operations of the code editor other than typing. Their shortcuts are in the actions.
#pragma once

namespace warpshop::ui {

enum class Gesture {
  kUndo,
  kRedo,
  kCut,
  kCopy,
  kPaste,
  kFind,
  kReplace,
  kFindNext,
  kFindPrevious,
  kGoToLine,
  kComment,
  kIndent,
  kOutdent,
  kMoveUp,
  kMoveDown,
  kDuplicate,
  kRemoveLines,
  kCaretAbove,
  kCaretBelow,
  kNextOccurrence,
  kAllOccurrences,
  kMatchingBracket
};

}  // namespace warpshop::ui

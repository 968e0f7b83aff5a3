// What the code editor can be asked to do with the text, beyond typing. See the actions for their
// keys.
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

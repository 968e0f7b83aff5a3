// The undo history of one exercise file, stored so that last week's change can be undone today: a
// list of changes and a position in it, appended line by line to a file that a crash can at most
// truncate. No drawing.
//
//   {"version":1,"text":"…"}                               the initial text
//   {"at":120,"removed":"8","inserted":"threadIdx.x"}      a change; clears the redo list
//   {"at":121,"removed":"","inserted":"y","joined":true}   undone together with the previous one
//   {"place":3}                                            after undo or redo: three changes apply
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace warpshop::ui {

struct TextChange {
  size_t at = 0;  // byte offset, at a character boundary
  std::string removed, inserted;
  bool operator==(const TextChange&) const = default;
};

// A state of the text in the editor. `joined`: undone together with the previous step, like the
// letters of a word.
struct TextStep {
  std::string text;
  bool joined = false;
};

// The single range in which the texts differ; empty strings if they are equal.
TextChange change_between(const std::string& from, const std::string& to);

class UndoJournal {
 public:
  static constexpr size_t kMostChanges = 2000;  // older ones are dropped

  // Reads the file and continues from there. If `text` differs from
  // the journal's last state because another program changed the
  // file, adds that as one more change. Restarts a broken journal.
  void open(std::filesystem::path file, const std::string& text);
  void close() { *this = {}; }

  // Records the current text. Recognises a single undo or redo as such. `joined`: as in TextStep.
  void note(const std::string& text, bool joined = false);
  // Appends new changes to the file.
  Status write();

  const std::string& base() const { return base_; }
  const std::vector<TextChange>& changes() const { return changes_; }
  size_t place() const { return place_; }  // number of changes that are applied to the text

 private:
  bool read(const std::string& content);
  void add(TextChange change, bool joined);
  void forget_oldest();
  std::string whole() const;

  std::filesystem::path file_;
  std::string base_, text_;
  std::vector<TextChange> changes_;
  size_t place_ = 0;
  std::string unwritten_;  // lines
  bool rewrite_ = false;   // rewrite the whole file
};

}  // namespace warpshop::ui

// The undo history of one exercise file, kept so that a change of last week can be undone today: a
// list of changes and a place in it, written line by line to a file that a crash can only cut
// short. No drawing.
//
//   {"version":1,"text":"…"}                     the text that the list begins with
//   {"at":120,"removed":"8","inserted":"threadIdx.x"}   a change; what could be redone is gone
//   {"at":121,"removed":"","inserted":"y","joined":true}   undone together with the one before
//   {"place":3}                                  undone or redone: three changes are in the text
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace warpshop::ui {

struct TextChange {
  size_t at = 0;  // bytes, where whole characters begin
  std::string removed, inserted;
  bool operator==(const TextChange&) const = default;
};

// A state of the text that an editor went through. `joined`: undone together with the step before,
// as the letters of a word are.
struct TextStep {
  std::string text;
  bool joined = false;
};

// The one stretch in which the texts differ; empty strings where they do not.
TextChange change_between(const std::string& from, const std::string& to);

class UndoJournal {
 public:
  static constexpr size_t kMostChanges = 2000;  // older ones are forgotten

  // Reads the file and goes on from there. Where `text` is not what the journal ends with, as
  // another program changed the file, that is one more change. A broken journal is begun anew.
  void open(std::filesystem::path file, const std::string& text);
  void close() { *this = {}; }

  // The text is now this. One undo back or one redo forth is recognised as such.
  // `joined`: as in TextStep.
  void note(const std::string& text, bool joined = false);
  // Appends what is new to the file.
  Status write();

  const std::string& base() const { return base_; }
  const std::vector<TextChange>& changes() const { return changes_; }
  size_t place() const { return place_; }  // so many of the changes are in the text

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
  bool rewrite_ = false;   // the file as a whole
};

}  // namespace warpshop::ui

// The link to the class's page around the window: tells it where the student is, and takes its
// requests (docs/class.md). JSON, as assets/web/class.js reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

// Where the student is, and what the last run of the text there passed.
class ClassLink {
 public:
  // Call after each frame. The place, if it has changed since the last call:
  //   {"lab", "step", "mode", "passed": [check ids], "failing": the first one's id or null,
  //    "of": checks, "source"}
  // The checks are those of the newest finished run; while a text is being typed, they are still
  // those of the run before.
  std::optional<std::string> news(const View& view);

 private:
  struct State {
    std::string lab, step, mode, source;
    std::vector<std::string> passed;
    std::string failing;  // empty: none
    size_t of = 0;
    bool operator==(const State&) const = default;
  };
  State told_;
};

// The question at hand, of the lecture's scene or else the step's first, or "null":
//   {"lab", "step", "question": number, "text", "choices": [texts] or "number": {"unit"},
//    "answer": index or number}
// A scene has {"scene", "text", "answer"} instead.
std::string question_json(const View& view);

// {"lab", "step", "source"}. Nothing if it is not that.
std::optional<command::FollowText> follow_text_of(std::string_view json);

}  // namespace warpshop::ui

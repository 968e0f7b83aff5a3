// The labs as the pages see them: titles, checks and, for lecturers, the questions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace warpshop::serve {

class LabsJson {
 public:
  // {"labs": [{"id", "title", "steps": [{"id", "title", "exercise", "checks": [{"id", "title"}],
  // "questions": […]}], "scenes": […]}]}; without questions and scenes for students, who would find
  // the answers there.
  std::shared_ptr<const std::string> text(const std::string& language, bool lecturer);

  struct Step {
    std::string title;
    std::map<std::string, std::string> checks;  // titles by id
  };
  // Null if there is no such step.
  const Step* step(const std::string& lab, const std::string& step);

 private:
  void load(const std::string& language);
  struct Texts {
    std::shared_ptr<const std::string> students, lecturers;
  };
  std::map<std::string, Texts> by_language_;
  std::map<std::pair<std::string, std::string>, Step> steps_;  // in English
};

}  // namespace warpshop::serve

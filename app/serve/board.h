// Each student's current step and the steps they have passed.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "labs_json.h"
#include "members.h"
#include "store.h"

namespace warpshop::serve {

class Board {
 public:
  Board(Store& store, const Members& members, LabsJson& labs)
      : store_(store), members_(members), labs_(labs) {}
  void load(Database& database);

  // Takes a student's message "at". False if it is malformed.
  bool at(StudentId student, const nlohmann::json& message);
  void save();  // stores what has changed since the last call
  void remove(StudentId student) { students_.erase(student); }

  using Online = std::set<StudentId>;
  nlohmann::json board_message(const Online& online) const;
  nlohmann::json students_message(const Online& online) const;
  std::string csv() const;

 private:
  using Place = std::pair<std::string, std::string>;  // lab, step
  struct Progress {
    int64_t passed = 0;
    int64_t checks = 0;
    std::string failing;  // the first check that fails; empty: none
    bool done = false;    // once passed, always
    int64_t attempts = 0;
    int64_t at = 0;
  };
  struct Of {
    Place here;
    std::string last;  // the last message, which a browser may repeat
    std::map<Place, Progress> steps;
  };

  Store& store_;
  const Members& members_;
  LabsJson& labs_;
  std::map<StudentId, Of> students_;
  std::set<std::pair<StudentId, Place>> unsaved_;
};

}  // namespace warpshop::serve

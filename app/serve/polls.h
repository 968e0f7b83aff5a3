// The question put to the class, its rounds, and its votes. Votes are counted here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "members.h"
#include "store.h"

namespace warpshop::serve {

class Polls {
 public:
  // `changed` is called when what everybody sees has changed, `voted` after each vote.
  Polls(Store& store, std::function<void()> changed, std::function<void()> voted)
      : store_(store), changed_(std::move(changed)), voted_(std::move(voted)) {}
  void load(Database& database);

  // Handle a lecturer's message. `done` gets the error, or no value.
  using Done = std::function<void(std::optional<std::string>)>;
  void open(const nlohmann::json& message, Done done);
  void close(Done done) { set_state("open", "closed", std::move(done)); }
  void open_again(Done done) { set_state("closed", "open", std::move(done)); }
  void reveal(Done done);
  void ask_again(Done done);  // starts the next round
  void end(Done done);

  // Calls `done` once the vote is stored.
  void vote(StudentId student, const nlohmann::json& message, Done done);

  enum class Reader { kStudent, kBoard, kLecturer };
  // The message "poll"; null if there is no poll.
  nlohmann::json message(Reader reader, StudentId student) const;
  // True unless a message names another poll or round than the current one.
  bool is_current(const nlohmann::json& message) const;

 private:
  using Votes = std::map<StudentId, double>;
  struct Poll {
    int64_t id = 0;
    nlohmann::json asked;  // lab, step, scene, question, text, choices | number, answer, …
    std::string state;     // open, closed, revealed
    int64_t round = 1;
    std::vector<Votes> rounds = std::vector<Votes>(1);
  };
  void set_state(const std::string& from, const std::string& to, Done done);
  void keep(Poll poll, Done done);
  static nlohmann::json counts(const Poll& poll, const Votes& votes);

  Store& store_;
  std::function<void()> changed_, voted_;
  std::optional<Poll> poll_;
  int64_t last_ = 0;
};

}  // namespace warpshop::serve

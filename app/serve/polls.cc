#include "polls.h"

#include <cmath>
#include <utility>

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostChoices = 10;
constexpr size_t kMostTextBytes = 8000;

bool is_text(const Json& json, const char* key, size_t most, bool required) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return !required;
  return found->is_string() && found->get_ref<const std::string&>().size() <= most &&
         (!required || !found->get_ref<const std::string&>().empty());
}

bool is_finite_number(const Json& json) {
  return json.is_number() && std::isfinite(json.get<double>());
}

// Copies the known, checked members of a question. Returns the error, or an empty text.
std::string read_question(const Json& message, Json& asked) {
  for (const char* key : {"lab", "step", "explanation"}) {
    if (!is_text(message, key, kMostTextBytes, false)) return std::string(key) + ": text expected";
  }
  if (!is_text(message, "text", kMostTextBytes, true)) return "text: the question is expected";
  for (const char* key : {"lab", "step", "scene", "question", "text", "explanation"}) {
    const auto found = message.find(key);
    if (found != message.end() && (found->is_string() || found->is_number())) asked[key] = *found;
  }
  const auto choices = message.find("choices");
  const bool chosen = choices != message.end() && !choices->is_null();
  if (chosen) {
    if (!choices->is_array() || choices->size() < 2 || choices->size() > kMostChoices)
      return "choices: 2 to 10 texts expected";
    for (const Json& choice : *choices) {
      if (!choice.is_string() || choice.get_ref<const std::string&>().size() > kMostTextBytes)
        return "choices: texts expected";
    }
    asked["choices"] = *choices;
  } else {
    const auto number = message.find("number");
    if (number == message.end() || !number->is_object()) return "choices or a number expected";
    asked["number"] = {{"unit", ""}};
    for (const char* key : {"unit", "unit_one"}) {
      if (!is_text(*number, key, 100, false)) return std::string(key) + ": text expected";
      const auto unit = number->find(key);
      if (unit != number->end() && unit->is_string()) asked["number"][key] = *unit;
    }
  }
  const auto answer = message.find("answer");
  if (answer != message.end() && !answer->is_null()) {
    if (!is_finite_number(*answer)) return "answer: a number expected";
    if (chosen && (!answer->is_number_integer() || answer->get<int64_t>() < 0 ||
                   answer->get<int64_t>() >= static_cast<int64_t>(choices->size())))
      return "answer: the number of a choice expected";
    asked["answer"] = *answer;
  }
  const auto tolerance = message.find("tolerance");
  if (tolerance != message.end() && is_finite_number(*tolerance)) asked["tolerance"] = *tolerance;
  return {};
}

}  // namespace

void Polls::load(Database& database) {
  Query polls = database.query("SELECT poll, asked, state, round FROM polls ORDER BY poll");
  while (polls.step()) {
    last_ = polls.number(0);
    poll_.reset();
    if (polls.text(2) == "ended") continue;
    Poll poll;
    poll.id = last_;
    poll.asked = Json::parse(polls.text(1), nullptr, false);
    poll.state = polls.text(2);
    poll.round = polls.number(3);
    if (poll.asked.is_object()) poll_ = std::move(poll);
  }
  if (!poll_) return;
  poll_->rounds.resize(static_cast<size_t>(poll_->round));
  Query votes = database.query("SELECT round, student, answer FROM votes WHERE poll = ?");
  votes.bind(poll_->id);
  while (votes.step()) {
    const auto round = static_cast<size_t>(votes.number(0));
    if (round >= 1 && round <= poll_->rounds.size())
      poll_->rounds[round - 1][votes.number(1)] = votes.real(2);
  }
}

// The class sees a state once it is stored.
void Polls::keep(Poll poll, Done done) {
  store_.run(
      [poll](Database& database) {
        // Only the latest of several polls stays open.
        database.query("UPDATE polls SET state = 'ended' WHERE poll < ? AND state != 'ended'")
            .bind(poll.id)
            .run();
        database
            .query("INSERT OR REPLACE INTO polls (poll, asked, state, round) VALUES (?, ?, ?, ?)")
            .bind(poll.id)
            .bind(poll.asked.dump())
            .bind(poll.state)
            .bind(poll.round)
            .run();
      },
      [this, poll, done = std::move(done)](const Store::Problem& problem) mutable {
        if (problem) return done(problem->message.english());
        const bool ended = poll.state == "ended";
        if (poll_ && poll_->id == poll.id) {
          // Votes may have come in the meantime.
          poll_->state = poll.state;
          poll_->round = poll.round;
          poll_->rounds.resize(static_cast<size_t>(poll.round));
          if (ended) poll_.reset();
        } else if (!ended && (!poll_ || poll_->id < poll.id)) {
          poll_ = std::move(poll);
        }
        changed_();
        done(std::nullopt);
      });
}

void Polls::open(const Json& message, Done done) {
  Poll poll;
  poll.asked = Json::object();
  std::string wrong = read_question(message, poll.asked);
  if (!wrong.empty()) return done(std::move(wrong));
  poll.id = ++last_;
  poll.state = "open";
  keep(std::move(poll), std::move(done));
}

void Polls::set_state(const std::string& from, const std::string& to, Done done) {
  // If two lecturers press the same button, the second press changes nothing.
  if (!poll_ || poll_->state != from) return done(std::nullopt);
  Poll next = *poll_;
  next.state = to;
  keep(std::move(next), std::move(done));
}

void Polls::reveal(Done done) {
  if (!poll_ || poll_->state == "revealed") return done(std::nullopt);
  Poll next = *poll_;
  next.state = "revealed";
  keep(std::move(next), std::move(done));
}

void Polls::ask_again(Done done) {
  if (!poll_ || poll_->state == "open") return done(std::nullopt);
  Poll next = *poll_;
  next.state = "open";
  ++next.round;
  next.rounds.emplace_back();
  keep(std::move(next), std::move(done));
}

void Polls::end(Done done) {
  if (!poll_) return done(std::nullopt);
  Poll next = *poll_;
  next.state = "ended";
  keep(std::move(next), std::move(done));
}

bool Polls::is_current(const Json& message) const {
  const auto is = [&](const char* key, int64_t value) {
    const auto found = message.find(key);
    return found == message.end() || (found->is_number_integer() && found->get<int64_t>() == value);
  };
  return poll_ && is("poll", poll_->id) && is("round", poll_->round);
}

void Polls::vote(StudentId student, const Json& message, Done done) {
  if (!is_current(message)) return done("this question is over");
  if (poll_->state != "open") return done("voting is closed");
  const bool chosen = poll_->asked.contains("choices");
  const auto answer = message.find(chosen ? "choice" : "number");
  if (answer == message.end() || !is_finite_number(*answer)) return done("a number is expected");
  if (chosen && (!answer->is_number_integer() || answer->get<int64_t>() < 0 ||
                 answer->get<int64_t>() >= static_cast<int64_t>(poll_->asked["choices"].size())))
    return done("there is no such choice");
  const int64_t poll = poll_->id, round = poll_->round;
  const auto value = answer->get<double>();
  store_.run(
      [=](Database& database) {
        database
            .query(
                "INSERT OR REPLACE INTO votes (poll, round, student, answer, at) VALUES (?, ?, "
                "?, ?, ?)")
            .bind(poll)
            .bind(round)
            .bind(student)
            .bind(value)
            .bind(now_s())
            .run();
      },
      [=, this, done = std::move(done)](const Store::Problem& problem) {
        if (problem) return done(problem->message.english());
        if (poll_ && poll_->id == poll) {
          poll_->rounds[static_cast<size_t>(round - 1)][student] = value;
          voted_();
        }
        done(std::nullopt);
      });
}

// Counts by choice, or the list of the numbers typed.
Json Polls::counts(const Poll& poll, const Votes& votes) {
  if (poll.asked.contains("choices")) {
    std::vector<int64_t> out(poll.asked["choices"].size());
    for (const auto& [student, answer] : votes) {
      if (answer >= 0 && answer < static_cast<double>(out.size()))
        ++out[static_cast<size_t>(answer)];
    }
    return out;
  }
  std::map<double, int64_t> by_value;
  for (const auto& [student, answer] : votes) ++by_value[answer];
  Json out = Json::array();
  for (const auto& [value, count] : by_value) out.push_back({{"value", value}, {"count", count}});
  return out;
}

Json Polls::message(Reader reader, StudentId student) const {
  if (!poll_) return nullptr;
  const bool all = reader == Reader::kLecturer || poll_->state == "revealed";
  Json out = {
      {"type", "poll"}, {"id", poll_->id}, {"state", poll_->state}, {"round", poll_->round}};
  for (const auto& [key, value] : poll_->asked.items()) {
    if (all || (key != "answer" && key != "tolerance" && key != "explanation")) out[key] = value;
  }
  const Votes& votes = poll_->rounds.back();
  out["voted"] = votes.size();
  if (all) {
    out["counts"] = counts(*poll_, votes);
    Json earlier = Json::array();
    for (size_t n = 0; n + 1 < poll_->rounds.size(); ++n)
      earlier.push_back(counts(*poll_, poll_->rounds[n]));
    out["earlier"] = std::move(earlier);
  }
  if (const auto mine = votes.find(student); mine != votes.end()) {
    if (poll_->asked.contains("choices")) {
      out["mine"] = static_cast<int64_t>(mine->second);
    } else {
      out["mine"] = mine->second;
    }
  }
  return out;
}

}  // namespace warpshop::serve

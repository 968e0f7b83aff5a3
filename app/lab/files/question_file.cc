#include "files/question_file.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/text_id.h"
#include "files/singular_unit.h"
#include "files/text_problems.h"
#include "files/toml_table.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr double kMostLines = 200;

std::string markdown(TomlTable& table, std::string_view key, const fs::path& folder,
                     Diagnostics& problems) {
  const Placed<std::string> text = table.text(key);
  find_text_problems(text.value, {text.place.file, text.place.line}, folder, problems);
  return text.value;
}

std::vector<std::string> markdown_list(TomlTable& table, std::string_view key, bool required,
                                       const fs::path& folder, Diagnostics& problems) {
  std::vector<std::string> out;
  for (const Placed<std::string>& text : table.texts(key, required)) {
    find_text_problems(text.value, {text.place.file, text.place.line}, folder, problems);
    out.push_back(text.value);
  }
  return out;
}

// Fisher-Yates with a generator whose sequence is the same on every machine: FNV-1a of `place`,
// then the LCG of Knuth's MMIX.
std::vector<int> shuffled(size_t count, std::string_view place) {
  uint64_t state = text_hash(place);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t left = count; left > 1; --left) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::swap(order[left - 1], order[(state >> 33) % left]);
  }
  return order;
}

void read_choices(TomlTable& table, const std::string& place, Question& question) {
  std::set<std::string> seen;
  for (const Placed<std::string>& choice : table.texts("choices", true)) {
    if (!seen.insert(choice.value).second) {
      table.error(choice.place, "the choice \"" + choice.value + "\" is there twice");
    }
    question.choices.push_back(choice.value);
  }
  if (table.has("choices") && question.choices.size() < 2) {
    table.error(table.place_of_key("choices"), "a question has two choices or more");
  }
  question.order = shuffled(question.choices.size(), place);
  const Placed<std::string> answer = table.text("answer");
  const auto found = std::find(question.choices.begin(), question.choices.end(), answer.value);
  if (found != question.choices.end()) {
    question.answer = static_cast<int>(found - question.choices.begin());
  } else if (!answer.value.empty() && !question.choices.empty()) {
    table.error(answer.place, "the answer \"" + answer.value + "\" is none of the choices");
  }
}

NumberAnswer read_number(TomlTable& table) {
  NumberAnswer number;
  number.value = table.optional_number("number").value_or(0);
  if (!std::isfinite(number.value)) {
    table.error(table.place_of_key("number"), "'number' is a finite number");
  }
  if (const auto tolerance = table.optional_number("tolerance")) {
    number.tolerance = *tolerance;
    if (!(*tolerance >= 0) || !std::isfinite(*tolerance)) {
      table.error(table.place_of_key("tolerance"),
                  "'tolerance' is 0 or more, in the answer's unit");
    }
  } else if (!table.has("tolerance")) {
    table.error(table.place_of_key("number"), "the question has a number and no 'tolerance'",
                "write the largest error that still counts as right; 0: the number itself");
  }
  if (const auto unit = table.optional_text("unit")) {
    number.unit = unit->value;
    number.unit_one = singular_unit(number.unit);
  }
  const bool chosen = !table.texts("choices", false).empty();
  if (table.optional_text("answer") || chosen) {
    table.error(table.place_of_key(chosen ? "choices" : "answer"),
                "a question has either 'number', or 'choices' and 'answer'");
  }
  return number;
}

}  // namespace

bool NumberAnswer::accepts(double typed) const {
  // Half a unit in the last place of what people type: 0.1 + 0.2 is 0.3.
  constexpr double kRounding = 1e-9;
  return std::abs(typed - value) <= tolerance + kRounding * std::max(1.0, std::abs(value));
}

const std::string& NumberAnswer::unit_of(double number) const {
  return std::abs(number) == 1 && !unit_one.empty() ? unit_one : unit;
}

Question read_question(const toml::table& raw, const std::string& place, const fs::path& folder,
                       const std::string& file, Diagnostics& problems) {
  TomlTable table(raw, "the question", file, problems);
  Question question;
  question.line = table.place().line;
  question.ask = markdown(table, "ask", folder, problems);
  if (table.has("number")) {
    question.number = read_number(table);
  } else {
    read_choices(table, place, question);
  }
  question.explanation = markdown(table, "explanation", folder, problems);
  table.finish();
  return question;
}

FurtherQuestion read_further(const toml::table& raw, const fs::path& folder,
                             const std::string& file, Diagnostics& problems) {
  TomlTable table(raw, "the further question", file, problems);
  FurtherQuestion further;
  further.ask = markdown(table, "ask", folder, problems);
  further.answer = markdown(table, "answer", folder, problems);
  table.finish();
  return further;
}

Estimate read_estimate(const toml::table& raw, const fs::path& folder, const std::string& file,
                       Diagnostics& problems) {
  TomlTable table(raw, "the estimate", file, problems);
  Estimate estimate;
  estimate.ask = markdown(table, "ask", folder, problems);
  const Placed<std::string> of = table.text("of");
  if (of.value == "time") {
    estimate.of = Estimate::Of::kTime;
  } else if (of.value == "speedup") {
    estimate.of = Estimate::Of::kSpeedup;
  } else if (!of.value.empty()) {
    table.error(of.place, "there is no estimate of '" + of.value + "'",
                "of = \"speedup\" (the start's time / the student's) or of = \"time\" (µs)");
  }
  table.finish();
  return estimate;
}

Contract read_contract(const toml::table& raw, const fs::path& folder, const std::string& file,
                       Diagnostics& problems) {
  TomlTable table(raw, "the contract", file, problems);
  Contract contract;
  contract.text = markdown(table, "text", folder, problems);
  const int64_t lines = table.whole("lines");
  contract.lines = static_cast<int>(lines);
  if (table.has("lines") && (lines < 1 || lines > kMostLines)) {
    table.error(table.place_of_key("lines"), "'lines' is from 1 to 200");
  }
  contract.budget = markdown_list(table, "budget", true, folder, problems);
  table.finish();
  return contract;
}

}  // namespace warpshop::lab

#include "proof/leaks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "core/ascii.h"
#include "core/lines.h"
#include "core/text_id.h"
#include "lab/step_text.h"

namespace warpshop::lab {
namespace {

// A right answer this many times as long as every other choice, or as short, stands out. Below the
// number of letters, lengths tell nothing: "4" beside "128".
constexpr double kTellingLength = 1.6;
constexpr size_t kLongEnough = 12;

bool is_word_byte(char c) {
  return is_letter(c) || is_digit(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}
// Lower case, one blank between words, without Markdown's marks and without the commas of
// thousands.
std::string plain(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '*' || c == '`' || c == '$') continue;
    if (c == ',' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]))
      continue;
    if (is_white_space(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += lower(c);
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Whether `words` stand in `text` as they are, not inside longer words or numbers. Both plain.
bool stands_in(std::string_view text, std::string_view words) {
  if (words.empty()) return false;
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool starts = at == 0 || !(is_word_byte(text[at - 1]) && is_word_byte(words.front()));
    const bool ends =
        end == text.size() || !(is_word_byte(text[end]) && is_word_byte(words.back()));
    const bool in_number =
        (at > 1 && text[at - 1] == '.' && is_digit(text[at - 2]) && is_digit(words.front())) ||
        (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]) &&
         is_digit(words.back()));
    if (starts && ends && !in_number) return true;
  }
  return false;
}

std::string number_with_15_digits(double value) {
  std::ostringstream out;
  out.precision(15);
  out << value;
  return out.str();
}

// Why the visible text gives the answer away; empty: it does not.
std::string given_away_by_text(const Question& question, const std::string& visible) {
  if (question.number) {
    // A bare number stands in many a text by chance: with its unit it is the answer.
    const std::string number = number_with_15_digits(question.number->value);
    const std::string unit = plain(question.number->unit);
    if (unit.empty() || !stands_in(visible, number + " " + unit)) return {};
    return "what is shown before the question says \"" + number + " " + question.number->unit +
           "\"";
  }
  const std::string& right = question.choices[static_cast<size_t>(question.answer)];
  const std::string words = plain(right);
  if (!stands_in(visible, words)) return {};
  // A single word or number tells nothing where a wrong choice stands beside it.
  if (words.find(' ') == std::string::npos) {
    if (words.size() < 4 && !std::any_of(words.begin(), words.end(), is_digit)) return {};
    for (const std::string& choice : question.choices) {
      if (choice != right && stands_in(visible, plain(choice))) return {};
    }
  }
  return "what is shown before the question says \"" + right + "\", the right answer";
}

// Characters, not bytes, of UTF-8.
size_t letters_in(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string given_away_by_length(const Question& question) {
  if (question.number) return {};
  const std::string& right = question.choices[static_cast<size_t>(question.answer)];
  size_t shortest = std::string::npos, longest = 0;
  for (const std::string& choice : question.choices) {
    if (choice == right) continue;
    const size_t letters = letters_in(choice);
    shortest = std::min(shortest, letters);
    longest = std::max(longest, letters);
  }
  const double letters = static_cast<double>(letters_in(right));
  if (letters >= kLongEnough && letters > kTellingLength * static_cast<double>(longest))
    return "the right answer is longer than every other choice by more than half";
  if (shortest >= kLongEnough && kTellingLength * letters < static_cast<double>(shortest))
    return "the right answer is much shorter than every other choice";
  return {};
}

// Lines without blanks at their ends; empty and comment-only lines left out.
std::vector<std::string> code_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    const std::string_view code = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    if (!code.starts_with("//")) lines.emplace_back(code);
  }
  return lines;
}

}  // namespace

std::vector<std::string> leaks_of(const Step& step) {
  std::vector<std::string> leaks;
  const std::string_view before = parts_of(step.text).before;
  std::string visible = plain(before);
  for (const Question& question : step.questions) {
    const std::string place = "lab.toml:" + std::to_string(question.line) + ": ";
    if (const std::string why = given_away_by_text(question, visible); !why.empty())
      leaks.push_back(place + why);
    if (const std::string why = given_away_by_length(question); !why.empty())
      leaks.push_back(place + why);
    // On a page for reading, an explanation opens with its own answer, before the next question.
    if (!step.exercise) visible += ' ' + plain(question.explanation);
  }
  int number = 0;
  for (const std::string_view line : split_lines(before)) {
    ++number;
    if (step.exercise && line.starts_with("|") &&
        (line.find("the solution)") != std::string_view::npos ||
         line.starts_with("| the solution "))) {
      leaks.push_back(step.text_file.filename().string() + ":" + std::to_string(number) +
                      ": the solution's row is shown before the run; put the table below \"" +
                      std::string(kAfterRunMark) + "\"");
    }
  }
  return leaks;
}

int new_lines(const Exercise& exercise) {
  std::map<std::string, int> had;
  for (const std::string& line : code_lines(exercise.skeleton)) ++had[line];
  int added = 0;
  for (const std::string& line : code_lines(exercise.solution)) {
    if (--had[line] < 0) ++added;
  }
  return added;
}

std::optional<double> recorded_gain(const Lab& lab, const Step& step, std::string_view gpu) {
  if (!step.exercise) return std::nullopt;
  const std::optional<ProblemSize>& timed = step.exercise->timed;
  const std::map<std::string, int64_t> size =
      timed ? timed->variables : std::map<std::string, int64_t>();
  const auto recorded = [&](const std::string& text) {
    return find_recorded(lab, gpu, step.id, text_id(text), size).time;
  };
  const RecordedTime* const start = recorded(step.exercise->skeleton);
  const RecordedTime* const solution = recorded(step.exercise->solution);
  if (start == nullptr || solution == nullptr) return std::nullopt;
  return start->warm_us / solution->warm_us;
}

}  // namespace warpshop::lab

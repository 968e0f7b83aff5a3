#include "atomic_hints.h"

#include <algorithm>
#include <optional>
#include <string>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/lines.h"

namespace warpshop::compile {
namespace {

constexpr std::string_view kAtomic = "atomic";

// True if `text` names a variable, a member or an element: total, count[b], sums.x.
bool names_a_word(std::string_view text) {
  if (text.empty() || !is_word_character(text.front()) || is_digit(text.front())) return false;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth == 0 && c != ']' && c != '.' && !is_word_character(c)) return false;
  }
  return depth == 0;
}

// Where the first argument of the call ends whose '(' is at `open`; nullopt if it never does.
std::optional<size_t> end_of_argument(std::string_view code, size_t open) {
  int depth = 0;
  for (size_t at = open + 1; at < code.size(); ++at) {
    const char c = code[at];
    if (depth == 0 && (c == ',' || c == ')')) return at;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  }
  return std::nullopt;
}

// The first of the types in "…argument types are: (unsigned int, unsigned int)", or the one in
// "argument of type "unsigned int" is incompatible…".
std::string_view first_type(std::string_view message) {
  for (const auto& [before, after] :
       {std::pair<std::string_view, std::string_view>{"argument types are: (", ",)"},
        {"argument of type \"", "\""}}) {
    const size_t found = message.find(before);
    if (found == std::string_view::npos) continue;
    const size_t from = found + before.size(), to = message.find_first_of(after, from);
    return to == std::string_view::npos ? std::string_view() : message.substr(from, to - from);
  }
  return {};
}

}  // namespace

bool explain_value_for_address(std::string_view source, Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message.english();
  const bool no_overload = message.starts_with("no instance of overloaded function \"atomic");
  const bool other_type = message.starts_with("argument of type \"") &&
                          message.find("is incompatible with parameter") != std::string::npos;
  const std::string_view type = first_type(message);
  if ((!no_overload && !other_type) || type.empty() || type.ends_with('*')) return false;

  // The place is the function's name, or its argument.
  const std::string code = without_comments(source);
  const std::string_view text = code;
  const size_t line = offset_of_line(text, diagnostic.place.line);
  if (line == std::string_view::npos || diagnostic.place.column < 1) return false;
  const size_t at = line + static_cast<size_t>(diagnostic.place.column) - 1;
  const size_t call = text.rfind(kAtomic, at);
  const size_t open = call == std::string_view::npos ? call : text.find('(', call);
  if (open == std::string_view::npos) return false;
  const std::string_view function = trimmed(text.substr(call, open - call));
  if (!std::all_of(function.begin(), function.end(), is_word_character)) return false;
  const bool is_first_argument = at > open && trimmed(text.substr(open + 1, at - open - 1)).empty();
  if (no_overload ? at > open : !is_first_argument) return false;

  const std::optional<size_t> end = end_of_argument(text, open);
  if (!end) return false;
  const std::string argument(trimmed(text.substr(open + 1, *end - open - 1)));
  const std::string pointee = argument.starts_with('*') ? argument.substr(1) : "";
  const std::string address = names_a_word(pointee)    ? pointee
                              : names_a_word(argument) ? "&" + argument
                                                       : "";
  if (address.empty()) return false;
  diagnostic.message = sentence(
      "{function} needs the address of the word that it changes; "
      "{argument} is the word's value",
      {{"function", function}, {"argument", argument}});
  diagnostic.help = sentence("write {address}", {{"address", address}});
  return true;
}

void drop_atomic_candidates(Diagnostics& diagnostics) {
  std::erase_if(diagnostics, [](const Diagnostic& d) {
    return d.severity == Severity::kNote &&
           d.message.english().starts_with("candidate function template \"atomic");
  });
}

}  // namespace warpshop::compile

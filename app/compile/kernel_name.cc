#include "compile/kernel_name.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/demangle.h"

namespace warpshop::compile {
namespace {

// The bracket that matches the last ) of a demangled name.
size_t open_of_parameters(std::string_view text) {
  int depth = 0;
  for (size_t at = text.rfind(')'); at != std::string_view::npos && at > 0; --at) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// Drops the return type, which templates have: everything up to the last blank outside brackets.
std::string_view without_return_type(std::string_view text) {
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == '>' || text[at] == ')') ++depth;
    if (text[at] == '<' || text[at] == '(') --depth;
    if (text[at] == ' ' && depth == 0) return text.substr(at + 1);
  }
  return text;
}

std::string without_suffix(std::string_view number) {
  if (number.find_first_of(".xX") != std::string_view::npos) return std::string(number);
  return std::string(number.substr(0, number.find_last_not_of("uUlL") + 1));
}

// True if `head` is all of `text`, or is followed directly by a character of `next`.
bool is_head(std::string_view text, std::string_view head, std::string_view next) {
  return text.starts_with(head) &&
         (text.size() == head.size() || next.find(text[head.size()]) != std::string_view::npos);
}

// True if `text` contains `wanted`, at the start or after ::, followed by the end or a character of
// `next`.
bool ends_in(std::string_view text, std::string_view wanted, std::string_view next) {
  if (wanted.empty()) return false;
  if (is_head(text, wanted, next)) return true;
  int depth = 0;
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(') ++depth;
    if (text[at] == '>' || text[at] == ')') --depth;
    if (depth == 0 && text.substr(at, 2) == "::" && is_head(text.substr(at + 2), wanted, next))
      return true;
  }
  return false;
}

// Demangled templates start with their return type.
std::string_view without_void(std::string_view name) {
  constexpr std::string_view kVoid = "void ";
  return name.starts_with(kVoid) ? name.substr(kVoid.size()) : name;
}

}  // namespace

KernelName kernel_name(const std::string& ptx_name) {
  const std::optional<std::string> demangled_name = demangled(ptx_name);
  if (!demangled_name) return {source_name(ptx_name), {}};
  const std::string_view text = *demangled_name;
  const size_t open = open_of_parameters(text);
  if (open == std::string_view::npos) return {spelled_name(text), {}};
  return {spelled_name(without_return_type(text.substr(0, open))), std::string(text.substr(open))};
}

std::string spelled_name(std::string_view name) {
  std::string text(name);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = text.find(kAnonymous); at != std::string::npos; at = text.find(kAnonymous))
    text.erase(at, kAnonymous.size());
  const std::vector<CudaToken> tokens = cuda_tokens(text);
  std::string out;
  for (size_t n = 0; n < tokens.size(); ++n) {
    // (Mode)1 means 1.
    if (tokens[n].is("(")) {
      size_t close = n + 1;
      while (close < tokens.size() &&
             (tokens[close].kind == TokenKind::kName || tokens[close].is("::")))
        ++close;
      const size_t value =
          close + 1 < tokens.size() && tokens[close + 1].is("-") ? close + 2 : close + 1;
      if (close > n + 1 && value < tokens.size() && tokens[close].is(")") &&
          tokens[value].kind == TokenKind::kNumber) {
        n = close;
        continue;
      }
    }
    if (!out.empty() && is_word_character(out.back()) && is_word_character(tokens[n].text.front()))
      out += ' ';
    out += tokens[n].kind == TokenKind::kNumber ? without_suffix(tokens[n].text)
                                                : std::string(tokens[n].text);
  }
  return out;
}

std::string plain_name(std::string_view name) {
  std::string text = spelled_name(name);
  text.erase(std::min(text.find_first_of("<("), text.size()));
  const size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

std::string instance_of(std::string_view name) {
  std::string text = spelled_name(without_void(name));
  if (const size_t open = text.rfind(">("); open != std::string::npos) text.erase(open + 1);
  return text.ends_with('>') ? text : std::string();
}

bool is_called(const KernelName& kernel, std::string_view name) {
  const std::string_view wanted = without_void(name);
  return is_called_exactly(kernel, wanted) || ends_in(kernel.name, spelled_name(wanted), "<");
}

bool is_called_exactly(const KernelName& kernel, std::string_view name) {
  const std::string spelled = spelled_name(without_void(name));
  return ends_in(kernel.name, spelled, "") ||
         (!kernel.parameters.empty() &&
          ends_in(kernel.name + spelled_name(kernel.parameters), spelled, ""));
}

}  // namespace warpshop::compile

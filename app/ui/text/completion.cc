#include "text/completion.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/ascii.h"
#include "text/cuda_language.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Words of most kernels, ranked before shorter, rarer ones.
const std::set<std::string, std::less<>> kOften = {"__syncthreads", "threadIdx",       "blockIdx",
                                                   "blockDim",      "__shared__",      "__global__",
                                                   "atomicAdd",     "__shfl_down_sync"};

// Functions without parameters.
const std::set<std::string, std::less<>> kCalledWithNothing = {"__syncthreads",
                                                               "__threadfence",
                                                               "__threadfence_block",
                                                               "__threadfence_system",
                                                               "__activemask",
                                                               "__trap",
                                                               "clock",
                                                               "clock64"};

// Words of C++ that device code cannot use.
const std::set<std::string, std::less<>> kHostOnly = {
    "catch",  "co_await", "co_return",    "co_yield", "dynamic_cast",
    "export", "throw",    "thread_local", "try",      "typeid"};

// Names in the code, excluding comments and strings, with their number of occurrences.
std::map<std::string, int> names_of(std::string_view text) {
  std::map<std::string, int> names;
  bool in_comment = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    for (const CodeToken& token : tokenize_cuda(text.substr(at, end - at), in_comment)) {
      const bool name = token.kind == CodeKind::kText || token.kind == CodeKind::kType ||
                        token.kind == CodeKind::kKeyword || token.kind == CodeKind::kBuiltin;
      if (name && token.text.size() >= kCompletionLetters && !is_digit(token.text.front()) &&
          is_word_character(token.text.front()))
        ++names[std::string(token.text)];
    }
    at = end + 1;
  }
  return names;
}

}  // namespace

std::vector<std::string> completions(std::string_view text, std::string_view typed, size_t most) {
  if (typed.size() < kCompletionLetters) return {};
  // Kind of match, origin, length, word.
  using Rank = std::tuple<int, int, size_t, std::string>;
  std::set<Rank> ranked;
  std::set<std::string> seen;
  const std::string typed_lower = lower(typed);
  auto consider = [&](const std::string& word, int whose) {
    if (word == typed || !seen.insert(word).second) return;
    const size_t at = lower(word).find(typed_lower);
    if (at == std::string::npos || (at > 0 && typed.size() <= kCompletionLetters)) return;
    ranked.emplace(word.starts_with(typed) ? 0 : at == 0 ? 1 : 2, whose, word.size(), word);
  };
  const std::map<std::string, int> names = names_of(text);
  // A name that also occurs elsewhere is complete.
  if (const auto whole = names.find(std::string(typed)); whole != names.end() && whole->second > 1)
    return {};
  for (const auto& [word, times] : names) {
    if (word.size() > kCompletionLetters) consider(word, 0);
  }
  const TextEditor::Language& language = *cuda_language();
  for (const auto* words : {&language.identifiers, &language.declarations, &language.keywords}) {
    if (words->contains(std::string(typed)))
      return {};  // complete: someone who typed int does not mean int2
    for (const std::string& word : *words) {
      if (!kHostOnly.contains(word)) consider(word, kOften.contains(word) ? 1 : 2);
    }
  }
  std::vector<std::string> out;
  for (const Rank& rank : ranked) {
    if (out.size() == most) break;
    const std::string& word = std::get<3>(rank);
    out.push_back(kCalledWithNothing.contains(word) ? word + "()" : word);
  }
  return out;
}

}  // namespace warpshop::ui

#include "scopes.h"

#include "core/ascii.h"

namespace warpshop::ptx {
namespace {}  // namespace

bool Scopes::open() {
  if (scopes_.size() >= kDeepest) return false;
  scopes_.emplace_back();
  return true;
}

void Scopes::close() { scopes_.pop_back(); }

bool Scopes::declare(std::string_view name, Meaning meaning) {
  Scope& scope = scopes_.back();
  if (!scope.ranges.empty() && find_in(scope, name)) return false;
  return scope.names.emplace(name, meaning).second;
}

bool Scopes::declare_range(std::string_view prefix, int count, Meaning meaning) {
  return scopes_.back().ranges.emplace(prefix, Range{count, meaning}).second;
}

std::optional<Meaning> Scopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (auto meaning = find_in(*scope, name)) return meaning;
  }
  return std::nullopt;
}

std::optional<Meaning> Scopes::find_innermost(std::string_view name) const {
  return find_in(scopes_.back(), name);
}

std::vector<Scopes::Unresolved> Scopes::take_unresolved() {
  return std::move(scopes_.back().unresolved);
}

std::optional<Meaning> Scopes::find_in(const Scope& scope, std::string_view name) {
  if (const auto found = scope.names.find(name); found != scope.names.end()) return found->second;
  if (scope.ranges.empty()) return std::nullopt;
  // "%r10" may be number 10 of "%r<12>" or number 0 of "%r1<3>", so try every split before a number
  // without leading zeros. Nine digits are enough for any count we allow.
  int number = 0;
  int weight = 1;
  for (size_t split = name.size(); split > 1 && name.size() - split < 9; --split) {
    const char digit = name[split - 1];
    if (!is_digit(digit)) break;
    number += (digit - '0') * weight;
    weight *= 10;
    if (digit == '0' && name.size() - split > 0) continue;
    const auto range = scope.ranges.find(name.substr(0, split - 1));
    if (range == scope.ranges.end() || number >= range->second.count) continue;
    Meaning meaning = range->second.meaning;
    meaning.index += number * meaning.width;
    return meaning;
  }
  return std::nullopt;
}

}  // namespace warpshop::ptx

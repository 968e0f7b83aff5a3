#include "inlined_calls.h"

namespace warpshop::ptx {
namespace {

// Bounds the search in hostile text. Further calls are taken for one of these.
constexpr size_t kMostCallsAtAPlace = 64;

}  // namespace

LocPlace InlinedCalls::outermost(const std::vector<Loc>& locs) {
  for (size_t n = 0; n + 1 < locs.size(); ++n) {
    if (locs[n + 1].call[0] != 0 && locs[n + 1].call == locs[n].place) add(locs[n], locs[n + 1]);
  }
  ++time_;
  const Loc& code = locs.back();
  if (code.call[0] == 0) return {};
  const int call = call_of(code);
  if (call < 0) {
    // Its callers were not named together: the latest one at that place, if it is inlined itself.
    const auto caller = outermost_at_.find(code.call);
    return outermost_at_[code.place] = caller != outermost_at_.end() ? caller->second : code.call;
  }
  Call& of = calls_[static_cast<size_t>(call)];
  of.used = outermost_used_[of.outermost] = time_;
  return outermost_at_[code.place] = of.outermost;
}

// Of several calls at one place, the one in whose outermost call the latest code lies.
int InlinedCalls::call_of(const Loc& loc) const {
  const auto known = calls_at_.find(Key{loc.call, loc.function});
  int best = -1;
  if (known == calls_at_.end()) return best;
  for (const int call : known->second) {
    if (best < 0 || last_use(call) > last_use(best) ||
        (last_use(call) == last_use(best) &&
         calls_[static_cast<size_t>(call)].used >= calls_[static_cast<size_t>(best)].used))
      best = call;
  }
  return best;
}

// Each call of a function makes its own calls once: the first one that has not made this one yet.
int InlinedCalls::parent_of_new(const Loc& loc, const Key& child) const {
  const auto known = calls_at_.find(Key{loc.call, loc.function});
  if (known != calls_at_.end()) {
    for (const int call : known->second) {
      if (!children_.contains({call, child.first, child.second})) return call;
    }
  }
  return call_of(loc);
}

// A call of `code`'s function at `caller`.
void InlinedCalls::add(const Loc& caller, const Loc& code) {
  const Key key{caller.place, code.function};
  Call call;
  call.outermost = caller.place;
  if (caller.call[0] != 0) {
    const int parent = parent_of_new(caller, key);
    call.outermost = parent < 0 ? caller.call : calls_[static_cast<size_t>(parent)].outermost;
    children_.insert({parent, key.first, key.second});
  }
  std::vector<int>& there = calls_at_[key];
  if (there.size() >= kMostCallsAtAPlace) return;
  call.used = outermost_used_[call.outermost] = ++time_;
  there.push_back(static_cast<int>(calls_.size()));
  calls_.push_back(call);
}

uint64_t InlinedCalls::last_use(int call) const {
  const auto used = outermost_used_.find(calls_[static_cast<size_t>(call)].outermost);
  return used == outermost_used_.end() ? 0 : used->second;
}

}  // namespace warpshop::ptx

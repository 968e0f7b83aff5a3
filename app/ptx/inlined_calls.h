// The outermost calls of inlined code.
//
// The compiler names a call of inlined code once: before the first instruction of each call it
// writes the .loc of the calls around it, from the outermost one to the innermost one, and later
// only the innermost one's place. That place is ambiguous if a function of a library calls another
// one, and is itself called twice:
//
//   .loc 1 6 3                                     f() in line 6, …
//   .loc 2 50 5, function_name f, inlined_at 1 6 3   … which calls g(), …
//   .loc 2 90 5, function_name g, inlined_at 2 50 5  … which loads
//   .loc 1 7 3                                     f() in line 7 again
//   .loc 2 50 5, function_name f, inlined_at 1 7 3
//   .loc 2 90 5, function_name g, inlined_at 2 50 5
//   .loc 2 91 5, function_name g, inlined_at 2 50 5  of which?
//
// PTX ISA §11.5.4 ".loc"; how the compiler writes them: LLVM, NVPTX, "inlined_at".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace warpshop::ptx {

using LocPlace = std::array<int, 3>;  // file, line, column; file 0: none

struct Loc {
  LocPlace place = {};
  LocPlace call = {};         // inlined_at
  std::string_view function;  // function_name: that of inlined code
};

// Of one function, whose text must outlive it.
class InlinedCalls {
 public:
  // The outermost call of the code at the last of these, which follow each other without an
  // instruction in between. File 0: it is not inlined. Takes them in the order of the text.
  LocPlace outermost(const std::vector<Loc>& locs);

 private:
  struct Call {
    LocPlace outermost = {};
    uint64_t used = 0;  // when code of it was last seen
  };
  // What a .loc says of the call: its place, and the called function.
  using Key = std::pair<LocPlace, std::string_view>;

  int call_of(const Loc& loc) const;
  int parent_of_new(const Loc& loc, const Key& child) const;
  void add(const Loc& caller, const Loc& code);
  uint64_t last_use(int call) const;

  std::map<Key, std::vector<int>> calls_at_;
  std::vector<Call> calls_;
  std::map<LocPlace, uint64_t> outermost_used_;
  std::map<LocPlace, LocPlace> outermost_at_;  // of the latest inlined code at a place
  std::set<std::tuple<int, LocPlace, std::string_view>>
      children_;  // of which call, and what they call
  uint64_t time_ = 0;
};

}  // namespace warpshop::ptx

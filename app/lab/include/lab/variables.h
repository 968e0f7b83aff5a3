// The values of the source's variables at a step of a film, lane by lane.
//
// The kernel that runs is optimised, and NVRTC keeps no names for it. So the warp is replayed from
// a debug build of the same text, and each step of the film is mapped to a place in that run:
// `DebugPosition`. Values come from the debug build; if a register of the optimised kernel holds
// the same value at that step, the value names it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/access.h"
#include "ptx/module.h"

namespace warpshop::lab {

// The position in the source at a step of the film.
struct DebugPosition {
  enum class Kind : uint8_t {
    kBefore,    // at the start of this line
    kAfter,     // just after the line's access, barrier or shuffle of this step
    kMoved,     // the compiler moved the step away from its line; values are for the actual source
                // position
    kNotBegun,  // the warp has not executed any source line yet
    kUnknown,   // the debug build's film ends earlier
  };
  Kind kind = Kind::kUnknown;
  int line = 0;
  bool operator==(const DebugPosition&) const = default;
};

// A variable, an array element or a struct member.
struct NamedValue {
  enum class Absent : uint8_t {
    kNone,         // some lane has a value
    kNotAssigned,  // not assigned yet
    kNoPlace,      // not kept by the compiler, even in the debug build
  };
  std::string name;                    // "sum", "p.x", "window[3]"
  std::string type;                    // in C++ syntax
  ptx::Type scalar = ptx::Type::kB32;  // how to read the bits
  bool is_bool = false;
  bool is_pointer = false;
  bool is_parameter = false;
  bool is_launch = false;  // threadIdx and the like: the same in every build
  int line = 0;            // line of the declaration
  Absent absent = Absent::kNone;
  uint32_t lanes = 0;  // lanes that have a value
  std::array<uint64_t, emulator::kWarpSize> bits{};
  std::string held_in;  // a register of the optimised kernel with these values; "": none
};

// An array in shared memory, as declared in the source.
struct SharedShape {
  std::string name;
  std::string element;                 // "float"
  ptx::Type scalar = ptx::Type::kB32;  // of an element; kNone: a struct, shown word by word
  uint64_t element_bytes = 4;
  std::vector<uint64_t> counts;  // per dimension, outermost first; 0: unspecified
};

struct VariableState {
  uint64_t step = 0;                // of the film
  DebugPosition position;           // of the lanes that execute this step
  bool lanes_differ = false;        // waiting lanes are elsewhere; their values are from there
  std::string function;             // as named in the source
  std::vector<NamedValue> values;   // in declaration order; launch values last
  std::vector<SharedShape> shared;  // the shared-memory arrays whose declarations were understood
  std::string problem;  // why there are no values: the debug build does not compile, …
};

}  // namespace warpshop::lab

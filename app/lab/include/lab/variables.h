// What the source's variables hold at a step of a film, lane by lane.
//
// The kernel that runs is the optimised one, and NVRTC keeps no names for it. So the warp is played a second time, from a
// debug build of the same text, and each step of the film is given its place in that run: `DebugPosition`. Values are
// those of the debug build; a value that a register of the optimised kernel holds at that step, too, names it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/access.h"
#include "ptx/module.h"

namespace warpshop::lab {

// Where the source is at a step of the film.
struct DebugPosition {
  enum class Kind : uint8_t {
    kBefore,     // all lines before this one are done, and nothing of it
    kAfter,      // the line's access, barrier or shuffle of this step is done
    kMoved,      // the compiler moved the step away from its line; these are the values where the source really is
    kNotBegun,   // the warp has executed nothing of the source yet
    kUnknown,    // the debug build's film ends before
  };
  Kind kind = Kind::kUnknown;
  int line = 0;
  bool operator==(const DebugPosition&) const = default;
};

// A variable, an element of an array or a member of a struct.
struct NamedValue {
  enum class Absent : uint8_t {
    kNone,          // some lane has a value
    kNotAssigned,   // the kernel has not come to where it gets one
    kNoPlace,       // the compiler keeps none, even in the debug build
  };
  std::string name;                    // "sum", "p.x", "window[3]"
  std::string type;                    // as C++ has it
  ptx::Type scalar = ptx::Type::kB32;  // how the bits are read
  bool is_bool = false;
  bool is_pointer = false;
  bool is_parameter = false;
  bool is_launch = false;              // threadIdx and its like: the same in every build
  int line = 0;                        // where it is declared
  Absent absent = Absent::kNone;
  uint32_t lanes = 0;                  // that have a value
  std::array<uint64_t, emulator::kWarpSize> bits{};
  std::string held_in;                 // a register of the optimised kernel with these values; "": none has them
};

// An array in shared memory as the source declares it.
struct SharedShape {
  std::string name;
  std::string element;                 // "float"
  ptx::Type scalar = ptx::Type::kB32;  // of an element; kNone: a struct, shown by words
  uint64_t element_bytes = 4;
  std::vector<uint64_t> counts;        // by dimension, the outermost first; 0: not declared
};

struct VariableState {
  uint64_t step = 0;                   // of the film
  DebugPosition position;              // of the lanes that execute the step
  bool lanes_differ = false;           // waiting lanes are at other places: their values are of there
  std::string function;                // as the source has it
  std::vector<NamedValue> values;      // in the order of their declaration; launch values last
  std::vector<SharedShape> shared;     // the arrays of shared memory whose declarations were understood
  std::string problem;                 // why there are none: the debug build does not compile, …
};

}  // namespace warpshop::lab

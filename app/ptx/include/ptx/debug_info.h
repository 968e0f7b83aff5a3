// The source's variables, as a debug build of NVRTC describes them in its PTX: names, types, scopes, and in which virtual
// register or where in a thread's local memory each lies while which instructions run.
//
// NVRTC -G writes DWARF 2 as `.section .debug_info` and `.debug_loc` of `.b8` lines. A register is DW_OP_regx of its
// name's characters, the first of them in the highest byte. Variables in shared memory are not described.
// Sources: DWARF 2.0, sections 2.4, 5 and 7; CUDA "PTX Writer's Guide to Interoperability", chapter "Debug Information".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpshop::ptx {

struct DebugType {
  enum class Kind : uint8_t { kScalar, kPointer, kArray, kStruct, kUnknown };
  struct Member {
    std::string name;
    int type = -1;              // into DebugInfo::types
    uint64_t offset_bytes = 0;
  };
  Kind kind = Kind::kUnknown;
  std::string name;             // as C++ has it: "const float*", "float[16][17]"
  uint64_t size_bytes = 0;
  Type scalar = Type::kNone;    // kScalar: how its bits are read; kPointer: kB64
  bool is_bool = false;
  int element = -1;             // kArray and kPointer: of what
  std::vector<uint64_t> counts; // kArray: by dimension, the outermost first; 0: not known
  std::vector<Member> members;  // kStruct
};

// Where a variable lies while the instructions from `first` to before `last` of its function are next.
struct DebugPlace {
  enum class Kind : uint8_t { kRegister, kLocal, kOther };
  Kind kind = Kind::kOther;
  int first = 0;
  int last = 0;
  int register_index = -1;      // kRegister: into Function::registers
  std::string variable;         // kLocal: the function's variable, "__local_depot0"
  uint64_t offset_bytes = 0;    // kLocal: from its start
};

struct DebugVariable {
  std::string name;
  int type = -1;                // into DebugInfo::types
  int line = 0;                 // where it is declared
  bool is_parameter = false;
  int first = 0, last = 0;      // instructions of its scope
  std::vector<DebugPlace> places;
};

struct DebugFunction {
  int function = -1;            // into Module::functions
  std::string name;             // as the source has it
  std::vector<DebugVariable> variables;
};

struct DebugInfo {
  std::vector<DebugType> types;
  std::vector<DebugFunction> functions;
  const DebugFunction* of(int function) const;
};

// `module` is what `parse` made of the same text. What is damaged or not understood is left out: nothing depends on it
// but what a person is shown.
DebugInfo read_debug_info(std::string_view text, const Module& module);

}  // namespace warpshop::ptx

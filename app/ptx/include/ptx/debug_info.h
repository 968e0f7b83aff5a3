// The source's variables, as an NVRTC debug build describes them in its PTX: name, type and scope,
// and which virtual register or location in local memory holds each one at each instruction.
//
// NVRTC -G emits DWARF 2 as `.section .debug_info` and `.debug_loc`, written as `.b8` lines. A
// register is a DW_OP_regx with the characters of its name, the first in the highest byte. Shared
// variables are not described. Sources: DWARF 2.0, sections 2.4, 5 and 7; CUDA "PTX Writer's Guide
// to Interoperability", chapter "Debug Information".
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
    int type = -1;  // index into DebugInfo::types
    uint64_t offset_bytes = 0;
  };
  Kind kind = Kind::kUnknown;
  std::string name;  // in C++: "const float*", "float[16][17]"
  uint64_t size_bytes = 0;
  Type scalar = Type::kNone;  // kScalar: how to interpret the bits; kPointer: kB64
  bool is_bool = false;
  int element = -1;              // kArray and kPointer: the element type
  std::vector<uint64_t> counts;  // kArray: per dimension, outermost first; 0: unknown
  std::vector<Member> members;   // kStruct
};

// Where a variable lives before each instruction in [first, last) of its function.
struct DebugPlace {
  enum class Kind : uint8_t { kRegister, kLocal, kOther };
  Kind kind = Kind::kOther;
  int first = 0;
  int last = 0;
  int register_index = -1;    // kRegister: index into Function::registers
  std::string variable;       // kLocal: the function's variable, "__local_depot0"
  uint64_t offset_bytes = 0;  // kLocal: from its start
};

struct DebugVariable {
  std::string name;
  int type = -1;  // index into DebugInfo::types
  int line = 0;   // of the declaration
  bool is_parameter = false;
  int first = 0, last = 0;  // instructions in scope
  std::vector<DebugPlace> places;
};

struct DebugFunction {
  int function = -1;  // index into Module::functions
  std::string name;   // in the source
  std::vector<DebugVariable> variables;
};

struct DebugInfo {
  std::vector<DebugType> types;
  std::vector<DebugFunction> functions;
  const DebugFunction* of(int function) const;
};

// `module` is parse()'s result for the same text. Skips damaged or unsupported entries, since this
// information is only for display.
DebugInfo read_debug_info(std::string_view text, const Module& module);

}  // namespace warpshop::ptx

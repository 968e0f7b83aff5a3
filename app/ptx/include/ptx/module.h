// A PTX module as the parser produces it: names are resolved and numbers read, but nothing is
// interpreted yet. The emulator's decoder derives an instruction's meaning from its opcode,
// modifiers and operands. Source: PTX ISA, chapters 4 "Syntax" and 5 "State Spaces, Types, and
// Variables".
// https://docs.nvidia.com/cuda/parallel-thread-execution/
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::ptx {

// Fundamental and packed types. PTX ISA §5.2.
enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF64,
  kTexref,
  kSamplerref,
  kSurfref,
};
int size_bytes(Type type);                                  // 0 for kNone and kPred
std::optional<Type> type_from_name(std::string_view name);  // "u32" without the dot
std::string_view name_of(Type type);

enum class Space : uint8_t {
  kGeneric,
  kReg,
  kSpecial,
  kConst,
  kGlobal,
  kLocal,
  kParam,
  kShared,
  kTex
};

// From `.loc FILE LINE COLUMN`. `file` is the number of a `.file` directive (0: none); lines and
// columns count from 1, 0 means unknown.
struct SourceLine {
  int file = 0;
  int line = 0;
  int column = 0;
  // The call site of inlined code: `inlined_at FILE LINE COLUMN`; file 0 if not inlined. For nested
  // inlining this is the outermost call, which is in the kernel's own source.
  int call_file = 0;
  int call_line = 0;
  int call_column = 0;
};

struct Register {
  std::string name;  // as written, e.g. "%f12"
  Type type = Type::kNone;
};

// What a name refers to. `index` is an index into the table for its kind.
struct Symbol {
  enum class Table : uint8_t {
    kNone,
    kModuleVariable,
    kFunction,
    kParam,
    kReturnParam,
    kLocalVariable
  };
  Table table = Table::kNone;
  int index = -1;
  bool operator==(const Symbol&) const = default;
};

struct Operand {
  enum class Kind : uint8_t {
    kRegister,  // register_index; `negated` for !%p, and for -%r in a video instruction
    kInteger,   // integer constant in `bits` (sign-extended), `is_signed` as written
    kFloat32,   // 0fXXXXXXXX or 0FXXXXXXXX: `bits`
    kFloat64,   // 0dXXXXXXXXXXXXXXXX or a decimal floating constant: `bits`
    kSymbol,    // address of `symbol`, plus `offset`
    kAddress,   // [base + offset]: base is register_index >= 0, or symbol, or neither (absolute
                // offset)
    kVector,    // {a, b, …}: elements
    kPair,      // a|b: two elements
    kList,      // (a, b, …) of a call: elements
    kLabel,     // label_index
    kSpecial,   // special register: special, e.g. "%tid.x"
    kSink,      // _
    kName,      // an identifier with no declaration (e.g. of a prototype or branch target): text
  };
  Kind kind = Kind::kInteger;
  bool negated = false;
  bool is_signed = true;
  int register_index = -1;  // index into Function::registers
  int label_index = -1;     // index into Function::labels
  uint64_t bits = 0;
  int64_t offset = 0;
  Symbol symbol;
  // kSpecial, kName: the name. kRegister in a video instruction: its selector ("b0", "h1",
  // "b7610"), else empty.
  std::string text;
  // kVector, kPair, kList: the elements. kAddress of `[tex, {x, y}]`: the operands after the first.
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;                  // "ld"
  std::vector<std::string> modifiers;  // {"global", "nc", "v4", "f32"}; "shared::cta" is one word
  std::vector<Operand> operands;
  int guard_register = -1;     // predicate register of @p; -1: none
  bool guard_negated = false;  // @!p
  int ptx_line = 0;            // line in the PTX text, from 1
  int ptx_column = 0;
  SourceLine source;
  std::string text;  // as written, without guard and ';'
};

bool has_modifier(const Instruction& i, std::string_view modifier);

struct Label {
  std::string name;
  int position = -1;  // index of the instruction that follows; body.size() at the very end
};

// A word of an initialiser that holds an address: `.u64 table[2] = {a, generic(b)+8}`.
struct Relocation {
  uint64_t offset_bytes = 0;  // within the variable
  int size_bytes = 8;
  std::string symbol;
  Symbol target;
  int64_t addend = 0;
  bool generic = false;  // wrapped in generic()
  int shift_bits = 0;    // mask form, `0xFF00(sym)`: the address is shifted right by this many
                         // bits (here 8)
};

struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kNone;  // element type
  uint32_t align_bytes = 1;
  uint64_t size_bytes = 0;  // of the whole array; 0 for `extern .shared x[]`
  bool is_extern = false;
  bool is_flexible = false;      // declared with [] and no initialiser
  std::vector<uint8_t> initial;  // size_bytes long; empty if there is no initialiser
  std::vector<Relocation> relocations;
  int ptx_line = 0;
};

// `label: .branchtargets a, b;`  `label: .calltargets f, g;`  `label: .callprototype …`
struct TargetTable {
  std::string name;
  std::vector<std::string> targets;  // names as written
  std::vector<int> label_indices;    // .branchtargets: indices into Function::labels
};
struct CallPrototype {
  std::string name;
  std::vector<Variable> returns;
  std::vector<Variable> params;
  bool noreturn = false;
};

// Parameters in .reg space (`.func (.reg .u32 r) f (.reg .u32 a)`) appear in `returns` and `params`
// and, under the same name, among the first of `registers`; the body refers to the register.
struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;  // no body: an external function such as vprintf or __assertfail
  bool noreturn = false;
  std::vector<Variable> returns;
  std::vector<Variable> params;
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared, .param (call frames) and .const variables
                                    // declared inside
  std::vector<Label> labels;
  std::vector<Instruction> body;
  std::vector<TargetTable> branch_targets;
  std::vector<TargetTable> call_targets;
  std::vector<CallPrototype> prototypes;
  std::array<int, 3> reqntid = {0, 0, 0};
  std::array<int, 3> maxntid = {0, 0, 0};
  std::array<int, 3> reqnctapercluster = {0, 0, 0};  // blocks per cluster
  bool explicit_cluster = false;                     // must be launched in clusters
  bool blocks_are_clusters = false;                  // the launch's grid counts clusters
  int max_cluster_rank = 0;                          // most blocks per cluster; 0: not given
  int maxnreg = 0;
  int minnctapersm = 0;
  int ptx_line = 0;
  Diagnostics problems;  // errors that prevent only this function from running
};

struct Module {
  int version_major = 0;
  int version_minor = 0;
  std::string target;  // "sm_90" and options
  int address_size = 64;
  std::map<int, std::string> files;  // `.file` number → name
  std::vector<Variable> variables;
  std::vector<Function> functions;
  const Function* find_function(std::string_view name) const;
};

}  // namespace warpshop::ptx

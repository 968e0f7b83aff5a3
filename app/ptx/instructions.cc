#include "ptx/instructions.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace warpshop::ptx {
namespace {

// Names for types and pipes as used in the table.
constexpr Type Pred = Type::kPred, Imm = Type::kNone;
constexpr Type B16 = Type::kB16, B32 = Type::kB32, B64 = Type::kB64, B128 = Type::kB128;
constexpr Type U8 = Type::kU8, U16 = Type::kU16, U32 = Type::kU32, U64 = Type::kU64;
constexpr Type S8 = Type::kS8, S16 = Type::kS16, S32 = Type::kS32, S64 = Type::kS64;
constexpr Type F16 = Type::kF16, F16x2 = Type::kF16x2, Bf16 = Type::kBf16, Bf16x2 = Type::kBf16x2;
constexpr Type F32 = Type::kF32, F64 = Type::kF64;

struct Sources {
  int count = 0;
  std::array<Type, 5> types{};
};

template <typename... T>
constexpr Sources list(T... types) {
  return {static_cast<int>(sizeof...(T)), {types...}};
}

constexpr InstructionRow row(std::string_view form, std::string_view unit, Pipe pipe,
                             std::string_view anchor, Type dest, Sources sources) {
  return {form, unit, pipe, anchor, dest, sources.count, sources.types};
}

constexpr InstructionRow kRows[] = {
#define ROW(unit, form, operation, dest, sources, pipe, anchor) \
  row(form, #unit, Pipe::k##pipe, anchor, dest, list sources),
#define ROW_OPCODE(opcode, pipe, anchor) row(opcode, {}, Pipe::k##pipe, anchor, Type::kNone, {}),
#include "ptx/instructions.def"
};

}  // namespace

std::span<const InstructionRow> instruction_rows() { return kRows; }

const InstructionRow* find_row(std::string_view form) {
  static const auto& table = *[] {
    auto* rows = new std::unordered_map<std::string_view, const InstructionRow*>;
    for (const InstructionRow& row : kRows) rows->emplace(row.form, &row);
    return rows;
  }();
  while (!form.empty()) {
    if (const auto found = table.find(form); found != table.end()) return found->second;
    const size_t dot = form.rfind('.');
    form = form.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return nullptr;
}

std::string_view name_of(Pipe pipe) {
  switch (pipe) {
    case Pipe::kAlu:
      return "alu";
    case Pipe::kFma:
      return "fma";
    case Pipe::kFp64:
      return "fp64";
    case Pipe::kHalf:
      return "half";
    case Pipe::kXu:
      return "xu";
    case Pipe::kLsu:
      return "lsu";
    case Pipe::kTex:
      return "tex";
    case Pipe::kTensor:
      return "tensor";
    case Pipe::kBranch:
      return "branch";
    case Pipe::kSoftware:
      return "software";
  }
  return "";
}

std::string url_of(const InstructionRow& row) {
  return "https://docs.nvidia.com/cuda/parallel-thread-execution/#" + std::string(row.anchor);
}

}  // namespace warpshop::ptx

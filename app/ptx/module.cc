#include "ptx/module.h"

#include <algorithm>
#include <iterator>

namespace warpshop::ptx {
namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  int size_bytes;
};
// In the order of Type. PTX ISA §5.2; the three opaque types are 64-bit handles (§5.3).
// clang-format off
constexpr TypeRow kTypes[] = {
    {Type::kNone, "", 0},          {Type::kPred, "pred", 0},      {Type::kB8, "b8", 1},
    {Type::kB16, "b16", 2},        {Type::kB32, "b32", 4},        {Type::kB64, "b64", 8},
    {Type::kB128, "b128", 16},     {Type::kU8, "u8", 1},          {Type::kU16, "u16", 2},
    {Type::kU32, "u32", 4},        {Type::kU64, "u64", 8},        {Type::kS8, "s8", 1},
    {Type::kS16, "s16", 2},        {Type::kS32, "s32", 4},        {Type::kS64, "s64", 8},
    {Type::kF16, "f16", 2},        {Type::kF16x2, "f16x2", 4},    {Type::kBf16, "bf16", 2},
    {Type::kBf16x2, "bf16x2", 4},  {Type::kF32, "f32", 4},        {Type::kF64, "f64", 8},
    {Type::kTexref, "texref", 8},  {Type::kSamplerref, "samplerref", 8},
    {Type::kSurfref, "surfref", 8},
};
// clang-format on

const TypeRow& row_of(Type type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

bool has_modifier(const Instruction& i, std::string_view modifier) {
  return std::find(i.modifiers.begin(), i.modifiers.end(), modifier) != i.modifiers.end();
}

int size_bytes(Type type) { return row_of(type).size_bytes; }

std::string_view name_of(Type type) { return row_of(type).name; }

std::optional<Type> type_from_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

const Function* Module::find_function(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace warpshop::ptx

// The instruction table is consistent.
#include "ptx/instructions.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpshop::ptx {
namespace {

std::vector<std::string> parts_of(std::string_view form) {
  std::vector<std::string> parts;
  if (form.ends_with("/3")) form.remove_suffix(2);
  for (size_t start = 0; start <= form.size();) {
    const size_t dot = std::min(form.find('.', start), form.size());
    parts.emplace_back(form.substr(start, dot - start));
    start = dot + 1;
  }
  return parts;
}

// Register width in bytes, as implied by a type's name; 0 for a predicate.
std::optional<int> bytes_of_name(const std::string& name) {
  static const std::map<std::string, int> kOther = {
      {"u16x2", 4}, {"s16x2", 4}, {"f32x2", 8}, {"tf32", 4}, {"e4m3x2", 2}, {"e5m2x2", 2},
      {"pred", 0},  {"u4", 4},    {"s4", 4},    {"u2", 4},   {"s2", 4}};
  if (const auto found = kOther.find(name); found != kOther.end()) return found->second;
  if (const auto type = type_from_name(name)) return size_bytes(*type);
  return std::nullopt;
}

std::vector<int> widths_in(const std::vector<std::string>& parts) {
  std::vector<int> widths;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (const auto bytes = bytes_of_name(parts[i])) widths.push_back(*bytes);
  }
  return widths;
}

TEST(Instructions, NoFormIsThereTwice) {
  std::set<std::string_view> seen;
  std::set<std::string_view> exact_conversions;
  for (const InstructionRow& row : instruction_rows()) {
    if (row.unit == "Convert") exact_conversions.insert(row.form);
    if (row.unit == "FastConvert") continue;  // replaces a row of Convert
    EXPECT_TRUE(seen.insert(row.form).second) << row.form;
  }
  for (const InstructionRow& row : instruction_rows()) {
    if (row.unit != "FastConvert") continue;
    EXPECT_TRUE(exact_conversions.contains(row.form)) << row.form;
  }
  EXPECT_GT(seen.size(), 5000u);
}

TEST(Instructions, RegistersAreAsWideAsTheFormsTypesSay) {
  for (const InstructionRow& row : instruction_rows()) {
    if (row.unit.empty()) continue;
    SCOPED_TRACE(row.form);
    const std::vector<std::string> parts = parts_of(row.form);
    const std::string& opcode = parts[0];
    const std::vector<int> widths = widths_in(parts);
    ASSERT_FALSE(widths.empty());
    ASSERT_GT(row.source_count, 0);
    const int dest = size_bytes(row.dest);
    const int first = size_bytes(row.sources[0]);
    if (opcode == "setp" || opcode == "testp") {
      EXPECT_EQ(row.dest, Type::kPred);
      EXPECT_EQ(first, widths[0]);
    } else if (opcode == "cvt" && parts[1] == "pack") {
      EXPECT_EQ(dest, 4);
      EXPECT_EQ(first, 4);
    } else if (opcode == "cvt" || opcode == "set") {
      ASSERT_EQ(widths.size(), 2u);
      EXPECT_EQ(dest, widths[0]);
      EXPECT_EQ(first, widths[1]);
    } else if (opcode == "slct") {
      ASSERT_EQ(widths.size(), 2u);
      EXPECT_EQ(dest, widths[0]);
      EXPECT_EQ(size_bytes(row.sources[2]), widths[1]);
    } else if (parts.size() > 1 && parts[1] == "wide") {
      EXPECT_EQ(dest, 2 * widths[0]);
      EXPECT_EQ(first, widths[0]);
    } else if (opcode == "dp4a" || opcode == "dp2a") {
      EXPECT_EQ(dest, 4);
      EXPECT_EQ(first, 4);
    } else if (opcode == "popc" || opcode == "clz" || opcode == "bfind") {
      EXPECT_EQ(dest, 4);
      EXPECT_EQ(first, widths[0]);
    } else if (widths.size() == 2) {  // f32 with 16-bit sources
      EXPECT_EQ(dest, widths[0]);
      EXPECT_EQ(first, widths[1]);
    } else {
      ASSERT_EQ(widths.size(), 1u);
      EXPECT_EQ(dest, widths[0]);
      EXPECT_EQ(first, widths[0]);
    }
    // In these operations, the second source has the same type as the first.
    static const std::set<std::string> kEquals = {"add", "sub", "mul", "min",  "max", "and", "or",
                                                  "xor", "div", "rem", "setp", "set", "selp"};
    if (kEquals.contains(opcode) && row.source_count >= 2 && widths.size() == 1) {
      EXPECT_EQ(row.sources[1], row.sources[0]);
    }
  }
}

TEST(Instructions, PipesFollowTheTypes) {
  for (const InstructionRow& row : instruction_rows()) {
    if (row.unit != "Float") continue;
    if (row.dest == Type::kF64) {
      EXPECT_TRUE(row.pipe == Pipe::kFp64 || row.pipe == Pipe::kSoftware) << row.form;
    } else {
      EXPECT_NE(row.pipe, Pipe::kFp64) << row.form;
    }
  }
}

TEST(Instructions, AnchorsAreChaptersOfTheManual) {
  static const char* const kChapters[] = {
      "integer-arithmetic-instructions-",
      "extended-precision-integer-arithmetic-instructions-",
      "floating-point-instructions-",
      "half-precision-floating-point-instructions-",
      "mixed-precision-floating-point-instructions-",
      "comparison-and-selection-instructions-",
      "logic-and-shift-instructions-",
      "data-movement-and-conversion-instructions-",
      "texture-instructions-",
      "surface-instructions-",
      "control-flow-instructions-",
      "miscellaneous-instructions-",
      "parallel-synchronization-and-communication-instructions-",
      "warp-level-matrix-",
      "asynchronous-warpgroup-level-matrix-",
      "stack-manipulation-instructions-"};
  for (const InstructionRow& row : instruction_rows()) {
    bool known = false;
    for (const char* chapter : kChapters) known |= row.anchor.starts_with(chapter);
    EXPECT_TRUE(known) << row.form << ": " << row.anchor;
    EXPECT_NE(row.anchor.back(), '-') << row.form;
  }
}

TEST(Instructions, AnInstructionIsFoundByItsWholeTextOrItsBeginning) {
  struct Case {
    std::string_view form;
    std::string_view found;
    Pipe pipe;
  };
  const Case kCases[] = {
      {"fma.rn.f32", "fma.rn.f32", Pipe::kFma},
      {"add.s32", "add.s32", Pipe::kAlu},
      {"add.rn.f64", "add.rn.f64", Pipe::kFp64},
      {"div.rn.f32", "div.rn.f32", Pipe::kSoftware},
      {"ex2.approx.ftz.f32", "ex2.approx.ftz.f32", Pipe::kXu},
      {"ld.global.nc.v4.f32", "ld", Pipe::kLsu},
      {"mov.u32", "mov.u32", Pipe::kAlu},
      {"bra.uni", "bra", Pipe::kBranch},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma", Pipe::kTensor},
  };
  for (const Case& c : kCases) {
    const InstructionRow* row = find_row(c.form);
    ASSERT_NE(row, nullptr) << c.form;
    EXPECT_EQ(row->form, c.found);
    EXPECT_EQ(row->pipe, c.pipe) << c.form;
  }
  EXPECT_EQ(find_row("frobnicate.u32"), nullptr);
  EXPECT_EQ(find_row(""), nullptr);
  EXPECT_EQ(url_of(*find_row("add.s32")),
            "https://docs.nvidia.com/cuda/parallel-thread-execution/"
            "#integer-arithmetic-instructions-add");
  EXPECT_EQ(name_of(Pipe::kXu), "xu");
}

}  // namespace
}  // namespace warpshop::ptx

// PTX from other tools, intact and damaged in every way: from NVRTC 13.0 (tests/ptx/data, compiled
// from the .cu files there or in tests/hardware), and the single-instruction kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "describe.h"
#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  auto text = read_file(fs::path(WARPSHOP_TESTS_DIR) / path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? *text : std::string();
}

Module parsed_file(const std::string& text) {
  ParseOutput output = parse(text, "real.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  for (const Function& function : output.module.functions) {
    EXPECT_TRUE(function.problems.empty()) << render(function.problems, text);
  }
  return std::move(output.module);
}

std::vector<std::string> kernels_of(const Module& module) {
  std::vector<std::string> names;
  for (const Function& function : module.functions) {
    if (function.is_entry) names.push_back(function.name);
  }
  return names;
}

TEST(RealText, FeaturesOfNvrtc) {
  const Module module = parsed_file(text_of("ptx/data/features.ptx"));
  EXPECT_EQ(module.version_major, 9);
  EXPECT_EQ(module.files.at(1), "features.cu");
  std::vector<std::string> kernels = kernels_of(module);
  std::sort(kernels.begin(), kernels.end());
  EXPECT_EQ(kernels, (std::vector<std::string>{"k_assembly", "k_local_and_print",
                                               "k_nested_inlining", "k_pointer_call", "k_recursion",
                                               "k_struct", "k_switch", "k_warp"}));

  const Function& with_struct = *module.find_function("k_struct");
  EXPECT_EQ(with_struct.maxntid[0], 128);
  EXPECT_EQ(with_struct.minnctapersm, 2);
  EXPECT_EQ(with_struct.params[0].size_bytes, 24u);  // char, double, short[3]: aligned to 8

  // features.cu: `return x * weights[3]` is on line 9, and is inlined twice from line 15.
  const Function& inlining = *module.find_function("k_nested_inlining");
  bool found = false;
  for (const Instruction& instruction : inlining.body) {
    if (instruction.opcode != "ld" || instruction.modifiers[0] != "const") continue;
    found = true;
    EXPECT_EQ(instruction.source.line, 9);
    EXPECT_EQ(instruction.source.call_line, 15);
    EXPECT_EQ(describe(instruction.operands[1], module, inlining), "[var weights+12]");
  }
  EXPECT_TRUE(found);

  // The initial values given in features.cu.
  for (const Variable& variable : module.variables) {
    if (variable.name == "weights") {
      EXPECT_EQ(variable.space, Space::kConst);
      const std::array<float, 5> expected = {0.25f, -1.5f, 3e20f, 1.0f / 3.0f, 0.0f};
      ASSERT_EQ(variable.initial.size(), sizeof expected);
      std::array<float, 5> weights = {};
      std::memcpy(weights.data(), variable.initial.data(), sizeof weights);
      EXPECT_EQ(weights, expected);
    } else if (variable.name == "pointers") {
      ASSERT_EQ(variable.relocations.size(), 2u);
      EXPECT_EQ(variable.relocations[1].symbol, "table");
      EXPECT_EQ(variable.relocations[1].addend, 20);
      EXPECT_TRUE(variable.relocations[1].generic);
    } else if (variable.name == "operations") {
      ASSERT_EQ(variable.relocations.size(), 2u);
      EXPECT_EQ(variable.relocations[0].target.table, Symbol::Table::kFunction);
    }
  }
}

TEST(RealText, BugsOfTheHardwareTests) {
  const Module module = parsed_file(text_of("ptx/data/bugs.ptx"));
  const auto cases = nlohmann::json::parse(text_of("hardware/bugs/cases.json"));
  for (const auto& one : cases) {
    const std::string kernel = one["kernel"];
    const Function* function = module.find_function(kernel);
    ASSERT_NE(function, nullptr) << kernel;
    EXPECT_FALSE(function->body.empty()) << kernel;
  }
}

TEST(RealText, OneKernelForEachInstruction) {
  const Module module = parsed_file(text_of("hardware/instructions/instructions.ptx"));
  const auto cases = nlohmann::json::parse(text_of("hardware/instructions/cases.json"));
  ASSERT_EQ(cases.size(), 703u);
  EXPECT_EQ(module.functions.size(), 703u);
  for (const auto& one : cases) {
    const std::string kernel = one["kernel"];
    ASSERT_NE(module.find_function(kernel), nullptr) << kernel;
  }
}

// Every truncation and many random edits must still give some result, in reasonable time.
class Damage : public testing::TestWithParam<const char*> {};

uint32_t next(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

// For each length whether a text cut to it ends in a function's body: a cut between two functions
// leaves a whole text, and sections hold debug information, not code.
std::vector<bool> cuts_in_bodies(std::string_view text) {
  const size_t sections = text.find("\n\t.section");
  std::vector<bool> out(text.size() + 1);
  int depth = 0;
  bool comment = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') comment = false;
    if (text.substr(at, 2) == "//") comment = true;
    if (!comment) depth += (text[at] == '{') - (text[at] == '}');
    out[at + 1] = depth > 0 && at < sections;
  }
  return out;
}

TEST_P(Damage, ACutInABodyIsReported) {
  const std::string text = text_of(GetParam());
  const size_t step = std::max<size_t>(text.size() / 300, 97);
  const std::vector<bool> in_body = cuts_in_bodies(text);
  size_t in_bodies = 0;
  for (size_t size = 0; size + 200 < text.size(); size += step) {
    const std::string_view cut = std::string_view(text).substr(0, size);
    const ParseOutput output = parse(cut, "cut.ptx");
    if (!in_body[size]) continue;
    ++in_bodies;
    const bool reported =
        !output.diagnostics.empty() ||
        std::any_of(output.module.functions.begin(), output.module.functions.end(),
                    [](const Function& function) { return !function.problems.empty(); });
    EXPECT_TRUE(reported) << "cut after " << size << " characters";
  }
  EXPECT_GT(in_bodies, 100u);
}

TEST_P(Damage, EditsNeverHurt) {
  std::string original = text_of(GetParam());
  original.resize(std::min<size_t>(original.size(), 20000));
  constexpr std::string_view kPieces[] = {
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      ";",
      ",",
      ":",
      "@",
      "!",
      "|",
      "+",
      "-",
      "%",
      "%r<9>",
      "<",
      ">",
      ".reg .b32 ",
      ".param .b64 x;",
      "bra ",
      "call ",
      ".entry ",
      ".func ",
      "\"",
      "/*",
      "//",
      "\n",
      "0x",
      "0f",
      "1e",
      "999999999999999999999",
      "?",
      "~",
      "::",
      ".",
      ".global .b8 a[",
      "] = {",
      ".branchtargets ",
      ".callprototype ",
      ".loc 1 2 3",
      ".section",
      ".alias ",
      "_",
      "generic(",
      "\xff",
      "#",
      "WARP_SZ",
      "%tid.x",
      "-2147483648",
      ".align ",
      ".v4 ",
      "=",
  };
  uint32_t state = 2463534242u;
  for (int round = 0; round < 400; ++round) {
    std::string text = original;
    const uint32_t edits = 1 + next(state) % 30;
    for (uint32_t i = 0; i < edits; ++i) {
      const size_t at = next(state) % text.size();
      switch (next(state) % 4) {
        case 0:
          text[at] = static_cast<char>(next(state));
          break;
        case 1:
          text.erase(at, next(state) % 60);
          break;
        case 2:
          text.insert(at, kPieces[next(state) % std::size(kPieces)]);
          break;
        default:
          text.insert(at, text.substr(next(state) % text.size(), next(state) % 90));
          break;
      }
      if (text.empty()) text = " ";
    }
    (void)parse(text, "edited.ptx");
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, Damage,
                         testing::Values("ptx/data/features.ptx", "ptx/data/bugs.ptx",
                                         "hardware/instructions/instructions.ptx"));

}  // namespace
}  // namespace warpshop::ptx

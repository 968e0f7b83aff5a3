// Variable declarations: sizes, alignment, initial bytes and addresses. PTX ISA §5.4.
#include <gtest/gtest.h>

#include "describe.h"
#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

struct VariableCase {
  const char* name;
  const char* declaration;  // of `x`
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  uint32_t align_bytes = 1;
  uint64_t size_bytes = 0;
  const char* bytes = "";  // initial, in hexadecimal
  // "offset:size target+addend", " generic", " >>bits"
  std::vector<std::string> addresses = {};
};

class OneVariable : public testing::TestWithParam<VariableCase> {};

std::string describe(const Relocation& relocation, const Module& module) {
  std::string out = std::to_string(relocation.offset_bytes) + ":" +
                    std::to_string(relocation.size_bytes) + " " +
                    describe(relocation.target, module, Function()) + with_sign(relocation.addend);
  if (relocation.generic) out += " generic";
  if (relocation.shift_bits != 0) out += " >>" + std::to_string(relocation.shift_bits);
  return out;
}

// The expected initial bytes come from ptxas 13.0 (section .nv.global.init of its cubin).
TEST_P(OneVariable, HasItsLayout) {
  const VariableCase& expected = GetParam();
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".global .b32 a;\n.extern .func f();\n" +
      std::string(expected.declaration) + "\n.global .b64 later;\n";
  const ParseOutput output = parse(text, "test.ptx");
  ASSERT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  const Variable* x = nullptr;
  for (const Variable& variable : output.module.variables) {
    if (variable.name == "x") x = &variable;
  }
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->space, expected.space);
  EXPECT_EQ(x->type, expected.type) << name_of(x->type);
  EXPECT_EQ(x->align_bytes, expected.align_bytes);
  EXPECT_EQ(x->size_bytes, expected.size_bytes);
  std::string bytes;
  for (uint8_t byte : x->initial) bytes += hex(byte, 2);
  EXPECT_EQ(bytes, expected.bytes);
  std::vector<std::string> addresses;
  for (const Relocation& relocation : x->relocations) {
    addresses.push_back(describe(relocation, output.module));
  }
  EXPECT_EQ(addresses, expected.addresses);
}

const VariableCase kVariableCases[] = {
    {.name = "scalar",
     .declaration = ".global .b32 x;",
     .type = Type::kB32,
     .align_bytes = 4,
     .size_bytes = 4},
    {.name = "array",
     .declaration = ".visible .global .align 16 .b8 x[100];",
     .align_bytes = 16,
     .size_bytes = 100},
    {.name = "second_of_a_list",
     .declaration = ".global .u16 w, x[3], y;",
     .type = Type::kU16,
     .align_bytes = 2,
     .size_bytes = 6},
    {.name = "vector",
     .declaration = ".const .v4 .f32 x;",
     .space = Space::kConst,
     .type = Type::kF32,
     .align_bytes = 16,
     .size_bytes = 16},
    {.name = "array_of_vectors",
     .declaration = ".shared .v2 .b64 x[4];",
     .space = Space::kShared,
     .type = Type::kB64,
     .align_bytes = 16,
     .size_bytes = 64},
    {.name = "dynamic_shared",
     .declaration = ".extern .shared .align 16 .b8 x[];",
     .space = Space::kShared,
     .align_bytes = 16,
     .size_bytes = 0},
    {.name = "weak_common_managed",
     .declaration = ".common .global .attribute(.managed) .b64 x;",
     .type = Type::kB64,
     .align_bytes = 8,
     .size_bytes = 8},
    {.name = "constant_bank_of_old",
     .declaration = ".const[2] .b32 x;",
     .space = Space::kConst,
     .type = Type::kB32,
     .align_bytes = 4,
     .size_bytes = 4},
    {.name = "sizes_are_expressions", .declaration = ".global .b8 x[(1<<4)*2];", .size_bytes = 32},
    {.name = "texture",
     .declaration = ".global .texref x;",
     .type = Type::kTexref,
     .align_bytes = 8,
     .size_bytes = 8},
    {.name = "sampler_with_fields",
     .declaration =
         ".global .samplerref x = { addr_mode_0 = clamp_to_border, filter_mode = nearest };",
     .type = Type::kSamplerref,
     .align_bytes = 8,
     .size_bytes = 8},

    {.name = "value",
     .declaration = ".global .u32 x = 0x12345678;",
     .type = Type::kU32,
     .align_bytes = 4,
     .size_bytes = 4,
     .bytes = "78563412"},
    {.name = "rest_is_zero",
     .declaration = ".global .b8 x[6] = {1, 0x2, 0b11, 010};",
     .size_bytes = 6,
     .bytes = "010203080000"},
    {.name = "size_from_the_values",
     .declaration = ".global .b16 x[] = {1,2,3};",
     .type = Type::kB16,
     .align_bytes = 2,
     .size_bytes = 6,
     .bytes = "010002000300"},
    {.name = "no_values",
     .declaration = ".global .b8 x[2] = {};",
     .size_bytes = 2,
     .bytes = "0000"},
    {.name = "rows",
     .declaration = ".global .b8 x[2][3] = {{1,2,3},{4,5,6}};",
     .size_bytes = 6,
     .bytes = "010203040506"},
    // ptxas packs rows that have too few values.
    {.name = "short_rows",
     .declaration = ".global .b8 x[2][3] = {{1},{4,5}};",
     .size_bytes = 6,
     .bytes = "010405000000"},
    {.name = "rows_counted",
     .declaration = ".global .b8 x[][2] = {{1},{2,3},{4}};",
     .size_bytes = 6,
     .bytes = "010203040000"},
    {.name = "three_dimensions",
     .declaration = ".global .b8 x[2][2][2] = {{{1,2},{3}},{{5}}};",
     .size_bytes = 8,
     .bytes = "0102030500000000"},
    {.name = "vector_of_values",
     .declaration = ".global .v4 .f32 x = {1.0,2.0,3.0,4.0};",
     .type = Type::kF32,
     .align_bytes = 16,
     .size_bytes = 16,
     .bytes = "0000803f000000400000404000008040"},
    {.name = "vectors",
     .declaration = ".global .v2 .b8 x[2] = {{1,2},{3,0}};",
     .align_bytes = 2,
     .size_bytes = 4,
     .bytes = "01020300"},
    {.name = "too_large_a_value_is_cut",
     .declaration = ".global .b16 x[2] = {70000, -1};",
     .type = Type::kB16,
     .align_bytes = 2,
     .size_bytes = 4,
     .bytes = "7011ffff"},
    {.name = "b128_has_64_bits_of_value",
     .declaration = ".global .b128 x = -2;",
     .type = Type::kB128,
     .align_bytes = 16,
     .size_bytes = 16,
     .bytes = "feffffffffffffff0000000000000000"},
    {.name = "floats",
     .declaration = ".const .f32 x[3] = {0f3F800000, 1.5, 0d4008000000000000};",
     .space = Space::kConst,
     .type = Type::kF32,
     .align_bytes = 4,
     .size_bytes = 12,
     .bytes = "0000803f0000c03f00004040"},
    {.name = "doubles",
     .declaration = ".global .f64 x[2] = {0.1, 0f40000000};",
     .type = Type::kF64,
     .align_bytes = 8,
     .size_bytes = 16,
     .bytes = "9a9999999999b93f0000004000000000"},
    {.name = "floats_in_words",
     .declaration = ".global .b32 x[2] = {0f40490FDB, 1.5};",
     .type = Type::kB32,
     .align_bytes = 4,
     .size_bytes = 8,
     .bytes = "db0f49400000c03f"},
    {.name = "floats_in_double_words",
     .declaration = ".global .b64 x[2] = {1.5, 0f40490FDB};",
     .type = Type::kB64,
     .align_bytes = 8,
     .size_bytes = 16,
     .bytes = "000000000000f83fdb0f494000000000"},

    {.name = "address",
     .declaration = ".global .u64 x = a;",
     .type = Type::kU64,
     .align_bytes = 8,
     .size_bytes = 8,
     .bytes = "0000000000000000",
     .addresses = {"0:8 var a"}},
    {.name = "addresses",
     .declaration = ".global .u64 x[4] = {a+4, generic(a), generic(a)-8, generic(later)+16};",
     .type = Type::kU64,
     .align_bytes = 8,
     .size_bytes = 32,
     .bytes = "0000000000000000000000000000000000000000000000000000000000000000",
     .addresses = {"0:8 var a+4", "8:8 var a generic", "16:8 var a-8 generic",
                   "24:8 var later+16 generic"}},
    {.name = "address_of_a_function",
     .declaration = ".const .u64 x = f;",
     .space = Space::kConst,
     .type = Type::kU64,
     .align_bytes = 8,
     .size_bytes = 8,
     .bytes = "0000000000000000",
     .addresses = {"0:8 func f"}},
    {.name = "address_of_itself",
     .declaration = ".global .u64 x = x;",
     .type = Type::kU64,
     .align_bytes = 8,
     .size_bytes = 8,
     .bytes = "0000000000000000",
     .addresses = {"0:8 var x"}},
    {.name = "masks",
     .declaration = ".global .u8 x[3] = {0xFF(a), 0xFF00(generic(a)+1), 0xFF000000(a)};",
     .type = Type::kU8,
     .size_bytes = 3,
     .bytes = "000000",
     .addresses = {"0:1 var a", "1:1 var a+1 generic >>8", "2:1 var a >>24"}},
};

INSTANTIATE_TEST_SUITE_P(Table, OneVariable, testing::ValuesIn(kVariableCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Variables, ADefinitionReplacesTheExtern) {
  const ParseOutput output = parse(
      ".version 9.0\n.target sm_90\n.extern .global .b8 x[];\n.global .u64 y = x;\n"
      ".visible .global .b8 x[4] = {9};\n.extern .global .b8 x[4];\n",
      "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  ASSERT_EQ(output.module.variables.size(), 2u);
  EXPECT_FALSE(output.module.variables[0].is_extern);
  EXPECT_EQ(output.module.variables[0].initial, (std::vector<uint8_t>{9, 0, 0, 0}));
  EXPECT_EQ(output.module.variables[1].relocations[0].target.index, 0);
}

TEST(Variables, NumberedNamesAreSpelledOut) {
  const ParseOutput output =
      parse(".version 9.0\n.target sm_90\n.global .b16 x<3>;\n.global .u64 p = x2;\n", "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  ASSERT_EQ(output.module.variables.size(), 4u);
  EXPECT_EQ(output.module.variables[2].name, "x2");
  EXPECT_EQ(output.module.variables[3].relocations[0].target.index, 2);
}

TEST(Variables, NumberedNamesAreBounded) {
  const auto parsed = [](int count) {
    return parse(".version 9.0\n.target sm_90\n.address_size 64\n.global .b32 x<" +
                     std::to_string(count) + ">;\n.global .b32 y<2>;\n",
                 "test.ptx");
  };
  EXPECT_EQ(parsed(4094).module.variables.size(), 4096u);
  const ParseOutput refused = parsed(4095);
  ASSERT_EQ(refused.diagnostics.size(), 1u);
  EXPECT_EQ(refused.diagnostics[0].message, "more than 4096 numbered variables in one module");
  EXPECT_EQ(refused.diagnostics[0].place.line, 5) << "the sum counts";
}

TEST(Variables, FlexibleOnesSaySo) {
  const ParseOutput output =
      parse(".version 9.0\n.target sm_90\n.extern .shared .b8 d[];\n.global .b8 s[] = {1};\n",
            "test.ptx");
  ASSERT_EQ(output.module.variables.size(), 2u);
  EXPECT_TRUE(output.module.variables[0].is_flexible);
  EXPECT_TRUE(output.module.variables[0].is_extern);
  EXPECT_FALSE(output.module.variables[1].is_flexible);
}

}  // namespace
}  // namespace warpshop::ptx

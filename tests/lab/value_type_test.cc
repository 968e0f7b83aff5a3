// Values as written in specs and on the command line.
#include "lab/value_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/spec.h"

namespace warpshop::lab {
namespace {

struct ValueCase {
  const char* type;
  std::vector<std::string> numbers;
  std::vector<uint8_t> bytes;  // little-endian
};

// The bits of floats are IEEE 754 binary16, bfloat16 and binary32, worked out by hand.
TEST(ValueType, BytesAreThoseOfTheType) {
  const ValueCase kCases[] = {
      {"i8", {"-1"}, {0xff}},
      {"u8", {"0xff"}, {0xff}},
      {"short", {"-2"}, {0xfe, 0xff}},
      {"u64", {"18446744073709551615"}, std::vector<uint8_t>(8, 0xff)},
      {"i64", {"-9223372036854775808"}, {0, 0, 0, 0, 0, 0, 0, 0x80}},
      {"bool", {"true"}, {1}},
      {"f32", {"0.5"}, {0, 0, 0, 0x3f}},
      {"f16", {"1"}, {0, 0x3c}},
      {"f16", {"65504"}, {0xff, 0x7b}},
      {"f16", {"65520"}, {0, 0x7c}},  // halfway to the next: rounds to even, that is, infinity
      {"f16", {"5.9604644775390625e-08"}, {1, 0}},   // 2^-24, the smallest subnormal
      {"f16", {"2.98023223876953125e-08"}, {0, 0}},  // half of that: rounds to even
      {"f16", {"-2"}, {0, 0xc0}},
      {"bf16", {"1"}, {0x80, 0x3f}},
      {"bf16", {"1.00390625"}, {0x80, 0x3f}},  // 1 + 2^-8, halfway: rounds to even
      {"int2", {"1", "2"}, {1, 0, 0, 0, 2, 0, 0, 0}},
      {"u8x3", {"1", "2", "3"}, {1, 2, 3}},
  };
  for (const ValueCase& c : kCases) {
    const std::optional<ValueType> type = value_type_named(c.type);
    ASSERT_TRUE(type) << c.type;
    const Result<std::vector<uint8_t>> bytes = value_bytes(*type, c.numbers);
    ASSERT_TRUE(bytes.ok()) << c.type << " " << c.numbers[0];
    EXPECT_EQ(*bytes, c.bytes) << c.type << " " << c.numbers[0];
  }
}

TEST(ValueType, WhatDoesNotFitIsRefused) {
  for (const auto& [type, number] : {std::pair("u8", "256"),
                                     {"i8", "-129"},
                                     {"i8", "128"},
                                     {"u32", "-1"},
                                     {"bool", "2"},
                                     {"i32", "1.5"},
                                     {"f32", "x"},
                                     {"i32", ""}}) {
    EXPECT_FALSE(value_bytes(*value_type_named(type), {number}).ok()) << type << " " << number;
  }
  for (const char* name : {"", "i9", "float5", "x4", "f32x0", "f32x", "half3"})
    EXPECT_FALSE(value_type_named(name)) << name;
}

// CUDA C++ Programming Guide, table "Alignment Requirements".
TEST(ValueType, VectorsHaveCudasAlignment) {
  EXPECT_EQ(value_type_named("float4")->alignment_bytes, 16);
  EXPECT_EQ(value_type_named("float3")->alignment_bytes, 4);
  EXPECT_EQ(value_type_named("double2")->alignment_bytes, 16);
  EXPECT_EQ(value_type_named("uchar4")->alignment_bytes, 4);
}

// struct { char c; double d; short s; }
TEST(ValueType, StructsAreLaidOutAsInCpp) {
  std::vector<SpecArg> fields(3);
  fields[0].alignment_bytes = 1;
  fields[1].alignment_bytes = 8;
  fields[2].alignment_bytes = 2;
  const std::vector<uint8_t> bytes =
      struct_bytes({{1}, std::vector<uint8_t>(8, 2), {3, 3}}, fields);
  EXPECT_EQ(bytes, (std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2,
                                         2, 2, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace warpshop::lab

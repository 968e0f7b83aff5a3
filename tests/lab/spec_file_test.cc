#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/spec.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;

const char* const kSpec = R"([
  {
    "name": "first",
    "source": "k.cu",
    "kernel": "k",
    "options": ["-DA=1"],
    "grid": [4, 2, 1],
    "block": [64, 1, 1],
    "dynamic_shared": 128,
    "args": [
      {"buffer": 1024, "fill": "f32"},
      {"i32": -3},
      {"f32": 0.5},
      {"i64": 0}
    ],
    "exact": true, "buffers_start": 512
  }
]
)";

TEST(SpecFile, ACaseIsRead) {
  TemporaryFolder folder;
  folder.write("cases.json", kSpec);
  const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  ASSERT_EQ(cases->size(), 1U);
  const SpecCase& c = cases->front();
  EXPECT_EQ(c.name, "first");
  EXPECT_EQ(c.source, folder.path() / "k.cu");
  EXPECT_EQ(c.options, std::vector<std::string>{"-DA=1"});
  EXPECT_EQ(c.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(c.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(c.dynamic_shared_bytes, 128U);
  EXPECT_EQ(c.buffers_start, 512U);
  ASSERT_EQ(c.args.size(), 4U);
  EXPECT_TRUE(c.args[0].is_buffer);
  EXPECT_EQ(c.args[0].size_bytes, 1024U);
  EXPECT_EQ(c.args[1].scalar.bytes, (std::vector<uint8_t>{0xFD, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ(c.args[2].scalar.bytes, (std::vector<uint8_t>{0, 0, 0, 0x3F}));
  EXPECT_EQ(c.args[3].scalar.bytes, std::vector<uint8_t>(8, 0));
  EXPECT_EQ(c.place.line, 2);
}

struct SpecMistake {
  const char* name;
  const char* from;
  const char* to;
  int line;
  const char* message;
};

TEST(SpecFile, EveryMistakeIsNamedWithItsLine) {
  const SpecMistake kCases[] = {
      {"no_source", "\"source\": \"k.cu\",", "", 2,
       "there is no \"source\" here: expected a string"},
      {"other_source", "k.cu", "k.py", 4, "neither a .cu nor a .ptx"},
      {"name_is_number", "\"first\"", "5", 3, "\"name\" must be a string, not a whole number"},
      {"name_with_slash", "\"first\"", "\"a/b\"", 3, "has no '/'"},
      {"grid_of_two", "[4, 2, 1]", "[4, 2]", 7, "three numbers, not 2"},
      {"grid_of_text", "[4, 2, 1]", "[4, 2, \"1\"]", 7, "must be a whole number, not a string"},
      {"negative_grid", "[4, 2, 1]", "[4, 2, -1]", 7, "is -1, expected 0 to 4294967295"},
      {"fraction", "[64, 1, 1]", "[64.5, 1, 1]", 8, "must be a whole number, not a number"},
      {"shared", "128", "-128", 9, "\"dynamic_shared\" is -128"},
      {"cooperative", "\"exact\": true", "\"cooperative\": 1", 16,
       "\"cooperative\" must be true or false, not a whole number"},
      {"buffers_start", "\"buffers_start\": 512", "\"buffers_start\": 4096", 16,
       "\"buffers_start\" is 4096"},
      {"fill", "\"fill\": \"f32\"", "\"fill\": \"noise\"", 11, "no fill \"noise\""},
      {"no_fill", ", \"fill\": \"f32\"", "", 11, "there is no \"fill\" here"},
      {"empty_buffer", "1024", "0", 11, "\"buffer\" is 0, expected 1"},
      {"unknown_argument", "{\"i32\": -3}", "{\"i9\": -3}", 12,
       "expected an argument with \"buffer\""},
      {"number_at_the_end_of_a_line", "{\"i32\": -3}", "{\"i32\": 99999999999\n}", 12,
       "\"i32\" is 99999999999"},
      {"options", "[\"-DA=1\"]", "\"-DA=1\"", 6, "\"options\" must be a list, not a string"},
      {"not_json", "\"kernel\"", "kernel", 5, "this is not JSON"},
      {"repeated_key", "\"kernel\": \"k\",", "\"kernel\": \"k\", \"kernel\": \"l\",", 5,
       "stands twice"},
      {"no_list", "[\n", "{\"cases\": [\n", 0, ""},
  };
  for (const SpecMistake& c : kCases) {
    SCOPED_TRACE(c.name);
    TemporaryFolder folder;
    folder.write("cases.json", with(kSpec, c.from, c.to));
    const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
    ASSERT_FALSE(cases.ok());
    const Diagnostic& error = cases.errors().front();
    EXPECT_THAT(error.place.file, HasSubstr("cases.json"));
    if (c.line > 0) {
      EXPECT_EQ(error.place.line, c.line) << error.message;
    }
    EXPECT_THAT(error.message, HasSubstr(c.message));
  }
}

// Wherever the file is truncated, it is refused with a place; it never crashes and never passes.
TEST(SpecFile, ATruncatedFileIsRefusedWhereverItIsCut) {
  const std::string whole(kSpec);
  const size_t last = whole.rfind(']');
  for (size_t length = 0; length <= last; ++length) {
    TemporaryFolder folder;
    folder.write("cases.json", whole.substr(0, length));
    const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
    ASSERT_FALSE(cases.ok()) << length;
    EXPECT_GT(cases.errors().front().place.line, 0) << length;
  }
}

// As deep as hostile texts are; reading, or freeing what was read, would exhaust the stack.
TEST(SpecFile, ADeepFileIsRefused) {
  std::string open;
  std::string close;
  for (int i = 0; i < 200'000; ++i) {
    open += "{\"struct\": [";
    close += "]}";
  }
  for (const std::string& args : {std::string(200'000, '[') + std::string(200'000, ']'),
                                  "[\n" + open + "{\"i32\": 1}" + close + "]"}) {
    TemporaryFolder folder;
    folder.write("cases.json", "[{\"args\": " + args + "}]");
    const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
    ASSERT_FALSE(cases.ok());
    EXPECT_EQ(cases.errors().front().place.line, args[1] == '\n' ? 2 : 1);
    EXPECT_THAT(cases.errors().front().message, HasSubstr("nested more than 64 levels deep"));
  }
}

TEST(SpecFile, AMissingFileIsSaid) { EXPECT_FALSE(load_spec("/nowhere/cases.json").ok()); }

TEST(SpecFile, NamesAreUnique) {
  TemporaryFolder folder;
  const std::string one = R"({"name": "a", "source": "k.cu", "kernel": "k", )"
                          R"("grid": [1,1,1], "block": [1,1,1], "args": []})";
  folder.write("cases.json", "[" + one + ",\n" + one + "]");
  const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
  ASSERT_FALSE(cases.ok());
  EXPECT_EQ(cases.errors().front().place.line, 2);
  EXPECT_THAT(cases.errors().front().message, HasSubstr("two cases named \"a\""));
}

}  // namespace
}  // namespace warpshop::lab

#include "device/protocol.h"

#include <gtest/gtest.h>

#include <functional>

#include "job_answer.h"

namespace warpshop::device {
namespace {

TEST(WorkerProtocol, AJobComesBackAsItWas) {
  Job job;
  job.gpu = 3;
  job.student.source = "__global__ void k() {}\n// \"quotes\"";
  job.student.entry = "k";
  job.student.options = {"-DN=4"};
  job.student.grid = {7, 8, 9};
  job.reference = job.student;
  job.reference->source = "other";
  JobArg buffer;
  buffer.is_buffer = true;
  buffer.name = "in";
  buffer.size_bytes = 3;
  buffer.type = ElementType::kF64;
  buffer.fill.kind = FillKind::kFile;
  buffer.file_bytes = std::string("\0\xFF\n", 3);
  JobArg scalar;
  scalar.scalar = {1, 0, 255, 7};
  JobArg image;
  image.is_buffer = true;
  image.size_bytes = 2 * 5 * 3 * 4;
  image.type = ElementType::kF32;
  image.fill = {.kind = FillKind::kRandom,
                .type = ElementType::kF32,
                .seed = 3,
                .shift = 0,
                .file = {},
                .key = 0xfedcba9876543210};
  image.texture = JobTexture{.surface = false,
                             .channels = 2,
                             .width = 5,
                             .height = 3,
                             .address = {TextureAddress::kMirror, TextureAddress::kBorder},
                             .linear_filter = true,
                             .normalized_read = true,
                             .normalized_coordinates = true,
                             .border = {0.5F, 1, 2, 3}};
  JobArg surface = image;
  surface.texture = JobTexture{.surface = true, .channels = 1, .width = 30};
  JobArg each;
  each.is_buffer = true;
  each.size_bytes = 24;
  each.type = ElementType::kI64;
  each.fill.kind = FillKind::kFile;
  each.each = EachElement{.expression = "i * n + random % 3",
                          .variables = {{"n", int64_t{1} << 40}},
                          .type = each.type,
                          .seed = 7,
                          .key = 0xfedcba9876543210};
  JobArg map;
  map.is_buffer = true;
  map.size_bytes = 5 * 96 + 64;
  map.type = ElementType::kU32;
  map.tensor = JobTensor{.type = TensorType::kU32,
                         .extents = {16, 6},
                         .strides = {96},
                         .box = {8, 4},
                         .element_strides = {1, 2},
                         .swizzle_bytes = 32,
                         .nan_outside = true};
  job.args = {buffer, scalar, image, surface, each, map};
  job.tolerance = 1e-5;
  job.time = true;
  const std::string line = line_of(42, job);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const Result<Message> message = read_message(line);
  ASSERT_TRUE(message.ok()) << render(message.errors());
  EXPECT_EQ(message.value().id, 42U);
  const Job& got = message.value().job;
  EXPECT_EQ(got.gpu, 3);
  EXPECT_EQ(got.student.source, job.student.source);
  EXPECT_EQ(got.student.options, job.student.options);
  EXPECT_EQ(got.student.grid, job.student.grid);
  ASSERT_TRUE(got.reference.has_value());
  EXPECT_EQ(got.reference->source, "other");
  ASSERT_EQ(got.args.size(), 6U);
  EXPECT_FALSE(got.args[0].texture.has_value());
  ASSERT_TRUE(got.args[2].texture.has_value());
  const JobTexture& texture = *got.args[2].texture;
  EXPECT_FALSE(texture.surface);
  EXPECT_FALSE(texture.plain);
  EXPECT_EQ(texture.channels, 2);
  EXPECT_EQ(got.args[2].fill.seed, 3U);
  EXPECT_EQ(got.args[2].fill.key, 0xfedcba9876543210U);
  EXPECT_EQ(got.args[0].fill.key, 0U);
  EXPECT_EQ(texture.width, 5U);
  EXPECT_EQ(texture.height, 3U);
  EXPECT_EQ(texture.address, image.texture->address);
  EXPECT_TRUE(texture.linear_filter);
  EXPECT_TRUE(texture.normalized_read);
  EXPECT_TRUE(texture.normalized_coordinates);
  EXPECT_EQ(texture.border, image.texture->border);
  ASSERT_TRUE(got.args[3].texture.has_value());
  EXPECT_TRUE(got.args[3].texture->surface);
  EXPECT_FALSE(got.args[3].texture->linear_filter);
  EXPECT_EQ(got.args[0].file_bytes, buffer.file_bytes);
  EXPECT_EQ(got.args[0].type, ElementType::kF64);
  EXPECT_EQ(got.args[1].scalar, scalar.scalar);
  EXPECT_FALSE(got.args[0].each.has_value());
  ASSERT_TRUE(got.args[4].each.has_value());
  EXPECT_EQ(got.args[4].each->expression, each.each->expression);
  EXPECT_EQ(got.args[4].each->variables, each.each->variables);
  EXPECT_EQ(got.args[4].each->type, ElementType::kI64);
  EXPECT_EQ(got.args[4].each->seed, 7U);
  EXPECT_EQ(got.args[4].each->key, each.each->key);
  EXPECT_FALSE(got.args[4].tensor.has_value());
  ASSERT_TRUE(got.args[5].tensor.has_value());
  const JobTensor& tensor = *got.args[5].tensor;
  EXPECT_EQ(tensor.type, map.tensor->type);
  EXPECT_EQ(tensor.extents, map.tensor->extents);
  EXPECT_EQ(tensor.strides, map.tensor->strides);
  EXPECT_EQ(tensor.box, map.tensor->box);
  EXPECT_EQ(tensor.element_strides, map.tensor->element_strides);
  EXPECT_EQ(tensor.swizzle_bytes, 32);
  EXPECT_TRUE(tensor.nan_outside);
  EXPECT_EQ(got.tolerance, 1e-5);
  EXPECT_TRUE(got.time);
}

// Copies of a texture have the size of its extent, which must therefore match its buffer.
TEST(WorkerProtocol, ATextureMustFitItsBuffer) {
  struct Extent {
    const char* name;
    uint64_t buffer_bytes;
    JobTexture texture;
    bool fits;
  };
  const Extent kCases[] = {
      {"two dimensions", 24, {.width = 6, .height = 4}, true},
      {"one dimension", 24, {.plain = true, .width = 24}, true},
      {"two channels", 24, {.channels = 2, .width = 6, .height = 2}, true},
      {"too wide", 24, {.width = 7, .height = 4}, false},
      {"too small", 24, {.width = 5, .height = 4}, false},
      {"three channels", 24, {.channels = 3, .width = 8}, false},
      {"a product that comes round", 0, {.width = uint64_t{1} << 40, .height = 1 << 24}, false},
  };
  for (const Extent& c : kCases) {
    SCOPED_TRACE(c.name);
    Job job;
    JobArg image;
    image.is_buffer = true;
    image.size_bytes = c.buffer_bytes;
    image.texture = c.texture;
    job.args = {image};
    EXPECT_EQ(read_message(line_of(1, job)).ok(), c.fits);
  }
}

// The GPU reads whatever a map describes, so it must lie within its buffer.
TEST(WorkerProtocol, ATensorMapMustFitItsBuffer) {
  struct Extent {
    const char* name;
    uint64_t buffer_bytes;
    JobTensor tensor;
    bool fits;
  };
  const Extent kCases[] = {
      {"packed rows", 384, {.extents = {16, 6}, .strides = {64}, .box = {8, 4}}, true},
      {"a gap before the last row",
       5 * 96 + 64,
       {.extents = {16, 6}, .strides = {96}, .box = {8, 4}},
       true},
      {"a row too many", 384, {.extents = {16, 7}, .strides = {64}, .box = {8, 4}}, false},
      {"no stride", 384, {.extents = {16, 6}, .box = {8, 4}}, false},
      {"no dimension", 384, {}, false},
      {"a product that comes round",
       384,
       {.extents = {16, uint64_t{1} << 32}, .strides = {uint64_t{1} << 32}, .box = {8, 4}},
       false},
  };
  for (const Extent& c : kCases) {
    SCOPED_TRACE(c.name);
    Job job;
    JobArg map;
    map.is_buffer = true;
    map.size_bytes = c.buffer_bytes;
    map.tensor = c.tensor;
    map.tensor->element_strides.assign(c.tensor.extents.size(), 1);
    job.args = {map};
    EXPECT_EQ(read_message(line_of(1, job)).ok(), c.fits);
  }
}

TEST(WorkerProtocol, EverythingElseIsAnErrorAndNotACrash) {
  const char* const kLines[] = {
      "",
      "bash: warpshop: command not found",
      "{}",
      "[]",
      "{\"type\":7}",
      "{\"type\":\"dance\"}",
      "{\"type\":\"hello\"}",
      "{\"type\":\"job\",\"id\":1}",
      "{\"type\":\"job\",\"id\":-1,\"job\":{\"student\":[]}}",
      "{\"type\":\"error\",\"id\":1,\"errors\":[]}",
      "{\"type\":\"result\",\"id\":1,\"result\":{\"student\":null}}",
  };
  for (const char* line : kLines) {
    const Result<Message> message = read_message(line);
    ASSERT_FALSE(message.ok()) << line;
    EXPECT_EQ(message.errors().front().kind.name(), "gpu-protocol");
  }
}

// A language with translations for two sentences and its own number format.
class Shouting final : public Phrases {
 public:
  std::string_view text(std::string_view english) const override {
    return english == "{problem} ({doing})" ? "({doing}) {problem}!"
           : english == "loading {file}"    ? "LOADING {file}"
                                            : english;
  }
  std::string_view counted(uint64_t count, std::string_view one,
                           std::string_view more) const override {
    return count == 1 ? one : more == "{count} of {what}" ? "{what}: {count}" : more;
  }
  std::string number(std::string_view english) const override { return "#" + std::string(english); }
};

TEST(WorkerProtocol, WhatAnErrorSaysCanBeSaidInAnotherLanguageAtTheOtherEnd) {
  const struct {
    const char* what;
    Sentence sentence;
    const char* english;
    const char* shouted;
  } kCases[] = {
      {"a name", "column.cu {file}", "column.cu {file}", "column.cu {file}"},
      {"nothing", {}, "", ""},
      {"parts in parts",
       sentence("{problem} ({doing})", {{"problem", "the GPU is {lost}"},
                                        {"doing", sentence("loading {file}", {{"file", "a.cu"}})}}),
       "the GPU is {lost} (loading a.cu)", "(LOADING a.cu) the GPU is {lost}!"},
      {"a place that is not given", sentence("loading {file}"), "loading {file}", "LOADING {file}"},
      {"counted", counted(3, "one of {what}", "{count} of {what}", {{"what", "them"}}), "3 of them",
       "them: 3"},
      {"one", counted(1, "one of {what}", "{count} of {what}", {{"what", "them"}}), "one of them",
       "one of them"},
      {"a number", sentence("loading {file}", {{"file", decimal(1.25, 2)}}), "loading 1.25",
       "LOADING #1.25"},
      {"two, one after the other",
       Sentence(sentence("loading {file}", {{"file", "a"}}))
           .then(sentence("loading {file}", {{"file", "b"}}), "; "),
       "loading a; loading b", "LOADING a; LOADING b"},
      {"control characters", sentence("loading {file}", {{"file", "\x02t\x1f"}}),
       "loading \x02t\x1f", "LOADING \x02t\x1f"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.what);
    const Result<Message> message =
        read_message(error_line(1, {make_error("gpu", c.sentence, c.sentence)}, false));
    ASSERT_TRUE(message.ok());
    for (const Sentence& said : {message->errors.front().message, message->errors.front().help}) {
      EXPECT_EQ(said.english(), c.english);
      EXPECT_EQ(said.in(Shouting()), c.shouted);
    }
  }
}

// A sentence from another program: its text is shown, and parts that do not produce that text are
// ignored.
TEST(WorkerProtocol, PartsThatDoNotMakeTheTextAreLeftAlone) {
  const std::string kParts[] = {
      R"({"text": "something else", "with": {}})",
      R"({"text": "loading {file}", "with": {"file": 7}})",
      R"({"text": "loading {file}"})",
      R"({"one": "x", "more": "x", "count": -1, "with": {}})",
      R"({"number": {}})",
      "7",
      "null",
      "[]",
  };
  const auto with_parts = [](const std::string& parts) {
    return read_message(R"({"type":"error","id":1,"fatal":false,"errors":[)"
                        R"({"severity":"error","kind":"gpu","message":"x","message_parts":)" +
                        parts + "}]}");
  };
  for (const std::string& parts : kParts) {
    const Result<Message> message = with_parts(parts);
    ASSERT_TRUE(message.ok()) << parts.substr(0, 80);
    EXPECT_EQ(message->errors.front().message.english(), "x") << parts.substr(0, 80);
    EXPECT_EQ(message->errors.front().message.in(Shouting()), "x") << parts.substr(0, 80);
  }
  const std::string deep = std::string(100000, '[') + "\"x\"" + std::string(100000, ']');
  EXPECT_FALSE(with_parts(deep).ok()) << "no message of a worker is that deep";
}

// A result with 9 elements, two of them wrong. Tests then edit its line into something no worker
// would send.
JobResult result_of_nine() {
  JobResult result;
  result.reference = KernelFigures{};
  OutputComparison out;
  out.buffer = "out";
  out.type = ElementType::kF32;
  out.count = 9;
  out.wrong = 2;
  out.first_index = 1;
  out.first_expected = {0, 0, 0, 0};
  out.first_got = {1, 0, 0, 0};
  out.wrong_bits = {2, 1};
  result.outputs = {out};
  result.timing = Timing{};
  result.timing->student = {.median_us = 2,
                            .min_us = 1,
                            .spread_us = 0.5,
                            .warm_median_us = 2,
                            .launches = 2,
                            .samples_us = {2, 3}};
  result.timing->reference = result.timing->student;
  return result;
}

TEST(WorkerProtocol, NumbersOfAResultFitEachOther) {
  const std::string line = line_of(1, result_of_nine());
  ASSERT_TRUE(read_message(line).ok()) << render(read_message(line).errors());
  const struct {
    const char* what;
    const char* from;
    const char* to;
  } kCases[] = {
      {"a count whose bytes come round", "\"count\":9", "\"count\":18446744073709551615"},
      {"more elements than bits", "\"count\":9", "\"count\":17"},
      {"a bit beyond the last element", "\"wrong_bits\":\"AgE=\"", "\"wrong_bits\":\"AgI=\""},
      {"other elements counted than marked", "\"wrong\":2", "\"wrong\":3"},
      {"no bits", "\"wrong_bits\":\"AgE=\"", "\"wrong_bits\":\"\""},
      {"a time below nothing", "\"median_us\":2.0", "\"median_us\":-2.0"},
      {"a time without end", "\"median_us\":2.0", "\"median_us\":1e999"},
      {"more launches than times", "\"launches\":2", "\"launches\":3"},
      {"launches below nothing", "\"launches\":2", "\"launches\":-2"},
      {"a ceiling below nothing", "\"copy_ceiling_gb_s\":0.0", "\"copy_ceiling_gb_s\":-1.0"},
  };
  for (const auto& c : kCases) {
    std::string changed = line;
    const size_t at = changed.find(c.from);
    ASSERT_NE(at, std::string::npos) << c.what;
    changed.replace(at, std::string_view(c.from).size(), c.to);
    EXPECT_FALSE(read_message(changed).ok()) << c.what;
  }
  JobResult loud = result_of_nine();
  loud.printed = std::string(size_t{5} << 20, 'p');
  EXPECT_FALSE(read_message(line_of(1, loud)).ok());
  JobResult long_run = result_of_nine();
  long_run.timing->student.samples_us.assign(1002, 1.0);
  long_run.timing->student.launches = 1002;
  EXPECT_FALSE(read_message(line_of(1, long_run)).ok());
  EXPECT_FALSE(read_message(R"({"type":"error","id":1,"errors":[)"
                            R"({"severity":"note","kind":"gpu-fault","message":"x"}]})")
                   .ok());
}

TEST(WorkerProtocol, AnAnswerIsToWhatWasAsked) {
  Job job;
  JobArg out;
  out.is_buffer = true;
  out.name = "out";
  out.type = ElementType::kF32;
  out.size_bytes = 36;
  out.output = true;
  job.args = {out};
  job.reference = KernelSource{};
  job.time = true;
  EXPECT_TRUE(check_answer(job, result_of_nine()).ok());
  const struct {
    const char* what;
    std::function<void(JobResult&)> change;
  } kCases[] = {
      {"no outputs", [](JobResult& r) { r.outputs.clear(); }},
      {"one output too many", [](JobResult& r) { r.outputs.push_back(r.outputs.front()); }},
      {"another buffer", [](JobResult& r) { r.outputs.front().buffer = "in"; }},
      {"another type", [](JobResult& r) { r.outputs.front().type = ElementType::kU32; }},
      {"another count", [](JobResult& r) { r.outputs.front().count = 8; }},
      {"no figures for the reference", [](JobResult& r) { r.reference.reset(); }},
      {"no times", [](JobResult& r) { r.timing.reset(); }},
      {"no times of the reference", [](JobResult& r) { r.timing->reference.reset(); }},
      {"a store beside a buffer that there is not",
       [](JobResult& r) {
         r.guards = {{"x", -4, 4}};
       }},
  };
  for (const auto& c : kCases) {
    JobResult result = result_of_nine();
    c.change(result);
    const Status status = check_answer(job, result);
    ASSERT_FALSE(status.ok()) << c.what;
    EXPECT_EQ(status.errors().front().kind.name(), "gpu-protocol");
  }
  job.reference.reset();
  job.time = false;
  job.bytes = true;
  JobResult bytes;
  EXPECT_FALSE(check_answer(job, bytes).ok());
  bytes.bytes = {std::vector<uint8_t>(36)};
  EXPECT_TRUE(check_answer(job, bytes).ok());
  bytes.bytes = {std::vector<uint8_t>(35)};
  EXPECT_FALSE(check_answer(job, bytes).ok());
}

TEST(WorkerProtocol, AHelloOfAnotherVersionIsReadAsFarAsItsVersion) {
  const Result<Message> message =
      read_message(R"({"type":"hello","protocol":99,"version":"7.0","gpus":"elsewhere"})");
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message.value().hello.protocol, 99);
  EXPECT_EQ(message.value().hello.version, "7.0");
}

}  // namespace
}  // namespace warpshop::device

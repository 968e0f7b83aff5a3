#include "device/protocol.h"

#include <gtest/gtest.h>

namespace warpshop::device {
namespace {

TEST(WorkerProtocol, Base64IsThatOfRfc4648) {
  const std::pair<const char*, const char*> kCases[] = {
      // RFC 4648, section 10
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, coded] : kCases) {
    EXPECT_EQ(base64(plain), coded);
    EXPECT_EQ(from_base64(coded).value(), plain);
  }
  for (const char* bad : {"Zg=", "Zg=a", "Z===", "Zm9v!g==", "Zg==Zg=="}) {
    EXPECT_FALSE(from_base64(bad).ok()) << bad;
  }
}

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
  job.args = {buffer, scalar};
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
  ASSERT_EQ(got.args.size(), 2U);
  EXPECT_EQ(got.args[0].file_bytes, buffer.file_bytes);
  EXPECT_EQ(got.args[0].type, ElementType::kF64);
  EXPECT_EQ(got.args[1].scalar, scalar.scalar);
  EXPECT_EQ(got.tolerance, 1e-5);
  EXPECT_TRUE(got.time);
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
    EXPECT_EQ(message.errors().front().kind, "gpu-protocol");
  }
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

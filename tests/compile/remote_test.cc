// Requests to compile and their answers, between two machines that do not trust each other.
#include "compile/remote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/files.h"

namespace warpshop::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

// Shows what a sentence was made from: another language writes everything differently.
class Marked : public Phrases {
 public:
  std::string_view text(std::string_view english) const override {
    return keep("T:" + std::string(english));
  }
  std::string_view counted(uint64_t count, std::string_view one,
                           std::string_view more) const override {
    return keep("C" + std::to_string(count) + ":" + std::string(one) + "|" + std::string(more));
  }
  std::string number(std::string_view english) const override {
    return "N:" + std::string(english);
  }

 private:
  std::string_view keep(std::string text) const {
    kept_.push_back(std::make_unique<std::string>(std::move(text)));
    return *kept_.back();
  }
  mutable std::vector<std::unique_ptr<std::string>> kept_;
};

void expect_same(const Sentence& got, const Sentence& wanted) {
  EXPECT_EQ(got.english(), wanted.english());
  EXPECT_EQ(got.in(Marked()), wanted.in(Marked()));
}

void expect_same(const Diagnostic& got, const Diagnostic& wanted) {
  EXPECT_EQ(got.severity, wanted.severity);
  EXPECT_EQ(got.kind, wanted.kind);
  EXPECT_EQ(got.place, wanted.place);
  expect_same(got.message, wanted.message);
  expect_same(got.help, wanted.help);
}

Diagnostic every_field() {
  Sentence list = sentence("first {what}", {{"what", sentence("inner {n}", {{"n", 7}})}});
  list.then(counted(3, "{count} lane of {warp}", "{count} lanes of {warp}", {{"warp", "w\0x"}}));
  list.then(decimal(12345.5, 1), ", ").then("plain text");
  Diagnostic out;
  out.severity = Severity::kNote;
  out.kind = "left-out";
  out.place = {"a file \xc3\xa9.cu", 3, 14, 15};
  out.message = list;
  out.help = counted(1, "{count} thing", "{count} things");
  return out;
}

CompileInput full_input() {
  CompileInput input;
  input.source = "__global__ void k() {}\n\0 \xff end"s;
  input.file_name = "my kernel.cu";
  input.architecture = "sm_100a";
  input.options = {"-DTILE=16", "--use_fast_math", "-maxrregcount=32", "--device-debug"};
  input.trailer = "// launch\n";
  input.prelude = false;
  input.include_dirs = {(data_dir() / "kernels" / "tiling").string(), "/somewhere/else"};
  input.whole_program = true;
  input.instances = {"scale<16>", "detail::scale<float>"};
  input.most_seconds = 7.25;
  return input;
}

TEST(Remote, ARequestKeepsEveryFieldOfItsInput) {
  const CompileInput wanted = full_input();
  const Result<CompileInput> got = input_of(request_of(wanted));
  ASSERT_TRUE(got.ok()) << render(got.errors());
  EXPECT_EQ(got->source, wanted.source);
  EXPECT_EQ(got->file_name, wanted.file_name);
  EXPECT_EQ(got->architecture, wanted.architecture);
  EXPECT_EQ(got->options, wanted.options);
  EXPECT_EQ(got->trailer, wanted.trailer);
  EXPECT_EQ(got->prelude, wanted.prelude);
  EXPECT_EQ(got->whole_program, wanted.whole_program);
  EXPECT_EQ(got->instances, wanted.instances);
  EXPECT_EQ(got->most_seconds, wanted.most_seconds);
  EXPECT_EQ(got->stop, nullptr);
  // The folder that only this machine has is not sent.
  ASSERT_EQ(got->include_dirs.size(), 1U);
  EXPECT_TRUE(std::filesystem::equivalent(got->include_dirs[0], wanted.include_dirs[0]));
}

TEST(Remote, AnAnswerKeepsEveryFieldOfItsOutput) {
  CompileOutput wanted;
  wanted.ptx = ".version 8.0\n";
  wanted.cubin = {0x7f, 'E', 'L', 'F', 0, 0xff};
  wanted.warnings = {every_field(), make_error("compile", "x")};
  wanted.kernels["_Z1kv"] = {33, 1024, 16, 4, 256};
  wanted.kernels["other"] = {-1, 0, 0xffffffff, 1, 2};
  wanted.instances["scale<16>"] = "_Z5scaleILi16EEvv";
  wanted.left_out = {{LeftOut::Why::kNotForGpu, "main", {"f.cu", 1, 2, 3}, 44}};
  SourceKernel kernel;
  kernel.name = "scale";
  kernel.scope = "detail::";
  kernel.place = {"f.cu", 5, 6, 7};
  kernel.parameters = {{"const float*", "in", {"f.cu", 8, 9, 10}}};
  kernel.is_template = true;
  kernel.template_parameters = {"T", "TILE"};
  kernel.instances = {"scale<16>"};
  kernel.launches = {{"1, 256", {"f.cu", 11, 12, 13}}};
  wanted.source_kernels = {kernel};
  wanted.seconds = 0.125;

  const Result<CompileOutput> got = output_of(answer_of(wanted));
  ASSERT_TRUE(got.ok()) << render(got.errors());
  EXPECT_EQ(got->ptx, wanted.ptx);
  EXPECT_EQ(got->cubin, wanted.cubin);
  ASSERT_EQ(got->warnings.size(), 2U);
  expect_same(got->warnings[0], wanted.warnings[0]);
  expect_same(got->warnings[1], wanted.warnings[1]);
  ASSERT_EQ(got->kernels.size(), 2U);
  for (const auto& [name, resources] : wanted.kernels) {
    const KernelResources& other = got->kernels.at(name);
    EXPECT_EQ(other.registers, resources.registers);
    EXPECT_EQ(other.static_shared_bytes, resources.static_shared_bytes);
    EXPECT_EQ(other.local_bytes, resources.local_bytes);
    EXPECT_EQ(other.constant_bytes, resources.constant_bytes);
    EXPECT_EQ(other.max_threads_per_block, resources.max_threads_per_block);
  }
  EXPECT_EQ(got->instances, wanted.instances);
  ASSERT_EQ(got->left_out.size(), 1U);
  EXPECT_EQ(got->left_out[0].why, LeftOut::Why::kNotForGpu);
  EXPECT_EQ(got->left_out[0].name, "main");
  EXPECT_EQ(got->left_out[0].place, wanted.left_out[0].place);
  EXPECT_EQ(got->left_out[0].last_line, 44);
  ASSERT_EQ(got->source_kernels.size(), 1U);
  const SourceKernel& back = got->source_kernels[0];
  EXPECT_EQ(back.name, kernel.name);
  EXPECT_EQ(back.scope, kernel.scope);
  EXPECT_EQ(back.place, kernel.place);
  ASSERT_EQ(back.parameters.size(), 1U);
  EXPECT_EQ(back.parameters[0].type, "const float*");
  EXPECT_EQ(back.parameters[0].name, "in");
  EXPECT_EQ(back.parameters[0].place, kernel.parameters[0].place);
  EXPECT_TRUE(back.is_template);
  EXPECT_EQ(back.template_parameters, kernel.template_parameters);
  EXPECT_EQ(back.instances, kernel.instances);
  ASSERT_EQ(back.launches.size(), 1U);
  EXPECT_EQ(back.launches[0].configuration, "1, 256");
  EXPECT_EQ(back.launches[0].place, kernel.launches[0].place);
  EXPECT_EQ(got->seconds, wanted.seconds);
}

TEST(Remote, ErrorsKeepTheirSentencesForOtherLanguages) {
  const Diagnostics wanted = {
      every_field(), make_error_at({"k.cu", 2}, "compile", sentence("no {x}", {{"x", 1}}))};
  const Result<CompileOutput> got = output_of(answer_of(wanted));
  ASSERT_FALSE(got.ok());
  ASSERT_EQ(got.errors().size(), 2U);
  expect_same(got.errors()[0], wanted[0]);
  expect_same(got.errors()[1], wanted[1]);
  EXPECT_THAT(got.errors()[1].message.in(Marked()), HasSubstr("T:no 1"));
}

// A new member of a struct changes its size; remote.cc then needs it too.
TEST(Remote, NoFieldIsForgotten) {
  EXPECT_EQ(sizeof(KernelResources), 20U);
  struct Input {
    std::string a, b, c;
    std::vector<std::string> d;
    std::string e;
    bool f;
    std::vector<std::string> g;
    bool h;
    std::vector<std::string> i;
    double j;
    const void* k;
  };
  EXPECT_EQ(sizeof(CompileInput), sizeof(Input));
  struct Output {
    std::string a;
    std::vector<uint8_t> b;
    Diagnostics c;
    std::map<std::string, int> d, e;
    std::vector<int> f, g;
    double h;
  };
  EXPECT_EQ(sizeof(CompileOutput), sizeof(Output));
  struct Said {
    Severity a;
    DiagnosticKind b = "usage";
    SourcePlace c;
    Sentence d, e;
  };
  EXPECT_EQ(sizeof(Diagnostic), sizeof(Said));
}

struct OptionCase {
  const char* option;
  bool allowed;
};
constexpr OptionCase kOptions[] = {
    {"-DTILE=16", true},
    {"-DNAME", true},
    {"-UNAME", true},
    {"--define-macro=A=b c", true},
    {"--use_fast_math", true},
    {"-use_fast_math", true},
    {"-maxrregcount=64", true},
    {"--maxrregcount=64", true},
    {"--fmad=false", true},
    {"-std=c++20", true},
    {"--device-debug", true},
    {"-G", true},
    {"-I/etc", false},
    {"--include-path=/etc", false},
    {"-include=/etc/passwd", false},
    {"--pre-include=/etc/passwd", false},
    {"-D", false},
    {"-D=1", false},
    {"-D a", false},
    {"-maxrregcount=", false},
    {"-maxrregcount=1 -I/", false},
    {"--fmad=maybe", false},
    {"-std=c++", false},
    {"/etc/passwd", false},
    {"", false},
    {"-", false},
    {"--", false},
    {"@file", false},
    {"--time=/tmp/x", false},
    {"--fdevice-time-trace=/tmp/x", false},
    {"--pch-dir=/tmp", false},
    {"--create-pch=/tmp/x", false},
    {"--options-file=/x", false},
    {"-dlto", false},
};

TEST(Remote, OnlyOptionsThatReachNoFileAreAllowed) {
  for (const OptionCase& c : kOptions) {
    CompileInput input;
    input.options = {c.option};
    const Result<CompileInput> got = input_of(request_of(input));
    EXPECT_EQ(got.ok(), c.allowed) << c.option;
    if (got.ok()) continue;
    EXPECT_THAT(render(got.errors()), HasSubstr(c.option));
  }
}

// The bytes of a request that no client of ours sends: a folder is put in place of another one.
std::string with_folder(const std::string& folder) {
  CompileInput input;
  const std::string standin(folder.size(), 'x');
  input.include_dirs = {(data_dir() / standin).string()};
  std::string request = request_of(input);
  const size_t at = request.find(standin);
  EXPECT_NE(at, std::string::npos);
  return request.replace(at, standin.size(), folder);
}

TEST(Remote, FoldersOfHeadersAreThoseOfTheData) {
  EXPECT_TRUE(input_of(with_folder("kernels/tiling")).ok());
  for (const char* folder : {"/etc", "..", "kernels/../..", "../labs", "kernels/../../etc"}) {
    const Result<CompileInput> got = input_of(with_folder(folder));
    ASSERT_FALSE(got.ok()) << folder;
    EXPECT_THAT(render(got.errors()), HasSubstr("not allowed here: " + std::string(folder)));
  }
}

TEST(Remote, ArchitecturesAndNamesAreChecked) {
  for (const char* name : {"sm_75", "compute_90", "sm_100a", "sm_100f"}) {
    CompileInput input;
    input.architecture = name;
    EXPECT_TRUE(input_of(request_of(input)).ok()) << name;
  }
  for (const char* name : {"", "sm_", "sm_a", "sm_90 -I/etc", "native", "SM_90", "sm_12345"}) {
    CompileInput input;
    input.architecture = name;
    EXPECT_FALSE(input_of(request_of(input)).ok()) << name;
  }
  for (const std::string& name :
       {std::string("a\nb"), std::string("a\0b", 3), std::string(5000, 'x')}) {
    CompileInput input;
    input.file_name = name;
    EXPECT_FALSE(input_of(request_of(input)).ok()) << name;
  }
  CompileInput many;
  many.instances.assign(10'000, "k<1>");
  EXPECT_FALSE(input_of(request_of(many)).ok());
}

TEST(Remote, LimitsHold) {
  CompileInput input;
  input.source.assign((size_t{1} << 20) + 1, ' ');
  const Result<CompileInput> large = input_of(request_of(input));
  ASSERT_FALSE(large.ok());
  EXPECT_THAT(render(large.errors()), HasSubstr("more than 1048576 bytes"));

  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kForever = std::numeric_limits<double>::infinity();
  for (const double seconds : {kForever, -kForever, kNan, -1.0, 0.0, 1e9, 20.5}) {
    input = {};
    input.most_seconds = seconds;
    const Result<CompileInput> got = input_of(request_of(input), {1000, 20});
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->most_seconds, 20) << seconds;
  }
}

TEST(Remote, ATruncatedOrLongerMessageIsDamaged) {
  const std::string request = request_of(full_input());
  for (size_t size = 0; size < request.size(); ++size)
    EXPECT_FALSE(input_of(std::string_view(request).substr(0, size)).ok()) << size;
  EXPECT_FALSE(input_of(request + '\0').ok());

  const std::string answer = answer_of(Diagnostics{every_field()});
  for (size_t size = 0; size < answer.size(); ++size) {
    const Result<CompileOutput> got = output_of(std::string_view(answer).substr(0, size));
    ASSERT_FALSE(got.ok());
    EXPECT_THAT(render(got.errors()), HasSubstr("damaged")) << size;
  }
  EXPECT_THAT(render(output_of(answer + "x").errors()), HasSubstr("damaged"));
  // No value and no error is no answer either.
  EXPECT_THAT(render(output_of(std::string("warpshop compiled 1\n\0\0\0\0\0", 25)).errors()),
              HasSubstr("damaged"));
}

// Whatever the bytes are, reading them ends, and what was read can be used. Sanitized builds see
// more than this one.
TEST(Remote, AnyBytesAreReadWithoutHarm) {
  CompileOutput output;
  output.warnings = {every_field()};
  output.kernels["k"] = {};
  output.source_kernels.emplace_back();
  const std::vector<std::string> originals = {request_of(full_input()), answer_of(output),
                                              answer_of(Diagnostics{every_field()})};
  std::mt19937 random(7);
  size_t accepted = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string bytes = originals[random() % originals.size()];
    for (unsigned n = 0; n <= random() % 4; ++n) {
      const size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, random() % 9);
          break;
        default:
          bytes.insert(at, std::string(random() % 9, static_cast<char>(random())));
      }
      if (bytes.empty()) bytes = "w";
    }
    if (const Result<CompileInput> input = input_of(bytes); input.ok()) {
      ++accepted;
      EXPECT_TRUE(input_of(request_of(*input)).ok());
    }
    const Result<CompileOutput> got = output_of(bytes);
    if (got.ok()) {
      ++accepted;
      EXPECT_TRUE(output_of(answer_of(*got)).ok());
    } else {
      EXPECT_FALSE(render(got.errors()).empty());
    }
  }
  EXPECT_GT(accepted, 1000U);  // texts may hold anything
}

std::string u32(uint32_t value) {
  std::string out;
  for (int n = 0; n < 4; ++n) out += static_cast<char>(value >> (8 * n) & 0xff);
  return out;
}

// A sentence of few bytes whose text would fill the memory: ten levels, each ten times the next.
TEST(Remote, ASentenceCannotGrowWithoutLimit) {
  std::string nested = '\0' + u32(1000) + std::string(1000, 'x');
  std::string text;
  for (int n = 0; n < 10; ++n) text += "{a}";
  for (int level = 0; level < 10; ++level)
    nested = '\1' + u32(static_cast<uint32_t>(text.size())) + text + u32(1) + u32(1) + "a" + nested;
  const std::string help = '\0' + u32(0);
  const std::string answer = std::string("warpshop compiled 1\n") + '\0' + u32(1) + '\0' + u32(5) +
                             "usage" + u32(0) + u32(0) + u32(0) + u32(0) + nested + help;
  EXPECT_LT(answer.size(), 2000U);
  EXPECT_THAT(render(output_of(answer).errors()), HasSubstr("damaged"));
}

TEST(Remote, ACompilerElsewhereAnswersAsOneHere) {
  const Result<Compiler> here = Compiler::load();
  ASSERT_TRUE(here.ok()) << render(here.errors());
  int asked = 0;
  const Compiler there = Compiler::remote(
      [&](const std::string& request, const StopFlag*) -> Result<std::string> {
        ++asked;
        const Result<CompileInput> input = input_of(request);
        if (!input.ok()) return answer_of(input.errors());
        return answer_of(here->compile(*input));
      },
      {"the server's", here->version(), here->include_paths()});
  EXPECT_EQ(there.library_path(), "the server's");
  EXPECT_EQ(there.version(), here->version());
  EXPECT_EQ(there.include_path(), here->include_path());

  CompileInput input;
  input.file_name = "student.cu";
  input.source = "__global__ void k(float* p) { int unused; p[threadIdx.x] = 1; }\n";
  const Result<CompileOutput> one = here->compile(input);
  const Result<CompileOutput> other = there.compile(input);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(other->ptx, one->ptx);
  EXPECT_EQ(other->cubin, one->cubin);
  EXPECT_EQ(render(other->warnings), render(one->warnings));
  EXPECT_EQ(other->kernels.size(), one->kernels.size());

  input.source = "__global__ void k(float* p) { p[threadIdx.x] = y; }\n";
  EXPECT_EQ(render(there.compile(input).errors()), render(here->compile(input).errors()));

  input.whole_program = true;
  input.source = "#include <iostream>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
  const Result<CompileOutput> whole = there.compile(input);
  ASSERT_TRUE(whole.ok()) << render(whole.errors());
  ASSERT_EQ(whole->source_kernels.size(), 1U);
  EXPECT_THAT(whole->source_kernels[0].launches, testing::SizeIs(1));
  EXPECT_EQ(asked, 3);
}

TEST(Remote, WhyThereIsNoAnswerIsSaid) {
  const Compiler there = Compiler::remote(
      [](const std::string&, const StopFlag*) -> Result<std::string> {
        return make_error("nvrtc", "the server is away");
      },
      {});
  EXPECT_THAT(render(there.compile({}).errors()), HasSubstr("the server is away"));
  EXPECT_EQ(there.include_path(), "");
}

}  // namespace
}  // namespace warpshop::compile

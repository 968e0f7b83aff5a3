#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broken_lab.h"
#include "core/files.h"
#include "files/singular_unit.h"
#include "lab/fills.h"
#include "lab/lab.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kData = fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data";

// Units as they stand after "1": no lab needs to say so itself.
TEST(LabFile, UnitsHaveTheirSingular) {
  const std::pair<const char*, const char*> kUnits[] = {
      {"sectors per request", "sector per request"},
      {"branches per warp", "branch per warp"},
      {"passes", "pass"},
      {"multiply-adds per step", "multiply-add per step"},
      {"load requests for 32 elements", "load request for 32 elements"},
      {"special instructions per pair", "special instruction per pair"},
      {"loads in flight", "load in flight"},
      {"special functions per element", "special function per element"},
      {"KiB", "KiB"},
      {"Sektoren je Anfrage", "Sektor je Anfrage"},
      {"Bytes je Anfrage", "Byte je Anfrage"},
      {"times the ideal", ""},
      {"times the reference's requests", ""},
      {"of the instructions", ""},
      {"%", ""},
      {"", ""}};
  for (const auto& [many, one] : kUnits) EXPECT_EQ(singular_unit(many), one) << many;
}

TEST(LabFile, EveryNounThatAShippedCheckCountsIsKnown) {
  const LabLibrary library = load_labs(data_dir());
  ASSERT_FALSE(library.labs.empty());
  for (const Lab& lab : library.labs) {
    for (const Step& step : lab.steps) {
      if (!step.exercise) continue;
      for (const CheckRule& rule : step.exercise->checks) {
        const bool same = rule.unit.empty() || rule.unit.starts_with("%") ||
                          rule.unit.starts_with("times ") || rule.unit.starts_with("of ");
        EXPECT_EQ(rule.unit_one.empty(), same) << lab.id << "/" << step.id << ": " << rule.unit;
      }
    }
  }
}

TEST(LabFile, TheFixtureIsRead) {
  const Result<Lab> lab = load_lab(kData, "fixture");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  EXPECT_EQ(lab->title, "Fixture");
  EXPECT_EQ(lab->order, 1);
  ASSERT_EQ(lab->steps.size(), 3U);

  const Step& reading = lab->steps[0];
  EXPECT_FALSE(reading.exercise);
  EXPECT_THAT(reading.text, HasSubstr("32 bytes"));
  ASSERT_EQ(reading.questions.size(), 1U);
  EXPECT_EQ(reading.questions[0].answer, 1);

  const Step* scale = lab->find_step("scale");
  ASSERT_NE(scale, nullptr);
  ASSERT_TRUE(scale->exercise);
  const Exercise& exercise = *scale->exercise;
  EXPECT_EQ(exercise.kernel, "scale");
  EXPECT_EQ(exercise.launch, "launch(n)");
  EXPECT_THAT(exercise.solution, HasSubstr("blockIdx.x * blockDim.x + threadIdx.x"));
  EXPECT_THAT(exercise.skeleton, HasSubstr("int i = threadIdx.x * gridDim.x + blockIdx.x;"));
  EXPECT_THAT(exercise.skeleton, testing::Not(HasSubstr("//!")));
  ASSERT_EQ(exercise.args.size(), 3U);
  EXPECT_TRUE(exercise.args[1].output);
  ASSERT_EQ(exercise.sizes.size(), 2U);
  EXPECT_EQ(exercise.sizes[0].label, "n = 4,096");
  EXPECT_EQ(exercise.sizes[1].label, "1,000 elements");
  EXPECT_EQ(element_count(exercise.args[0], exercise.sizes[1]), 1000U);
  EXPECT_EQ(content_of(exercise.args[0], exercise.sizes[0])->fill.kind, FillKind::kRandom);
  ASSERT_EQ(exercise.checks.size(), 2U);
  EXPECT_EQ(exercise.checks[0].at_most, "4");
  EXPECT_TRUE(exercise.checks[1].all_sizes);
  ASSERT_EQ(exercise.wrong.size(), 2U);
  EXPECT_EQ(exercise.wrong[1].fails, "no-findings");
  EXPECT_EQ(exercise.hints.size(), 3U);
  EXPECT_EQ(exercise.wrong_result, "Which element does lane 0 take?");
  EXPECT_FALSE(exercise.warnings_fail);
}

// A link could point at any file of whoever runs the lab, and that file
// would end up in reports that are handed in.
TEST(LabFile, NothingIsReadThroughALink) {
  for (const char* name : {"labs/fixture/scale.md", "labs/fixture/lab.toml",
                           "kernels/fixture/scale.cu", "solutions/fixture/scale.cu"}) {
    SCOPED_TRACE(name);
    TemporaryFolder folder;
    fs::copy(kData, folder.path(), fs::copy_options::recursive);
    folder.write("elsewhere", folder.read(name));
    fs::remove(folder.path() / name);
    fs::create_symlink(folder.path() / "elsewhere", folder.path() / name);
    const Result<Lab> lab = load_lab(folder.path(), "fixture");
    ASSERT_FALSE(lab.ok());
    EXPECT_THAT(render(lab.errors()), HasSubstr("is a link"));
  }
  // A folder of labs that is itself a link is the user's own choice.
  TemporaryFolder folder;
  fs::create_directory_symlink(kData, folder.path() / "data");
  EXPECT_TRUE(load_lab(folder.path() / "data", "fixture").ok());
}

struct MistakeCase {
  const char* name;
  const char* from;
  const char* to;
  const char* at;  // text on the line of the error, in the changed file
  const char* message;
};

TEST(LabFile, EveryMistakeIsNamedWithItsLine) {
  std::string deep = "order = 1\n[a";
  for (int n = 0; n < 200'000; ++n) deep += ".a";
  deep += "]";
  const MistakeCase kCases[] = {
      {"unknown_key", "order = 1", "order = 1\ncolour = \"red\"", "colour", "unknown key 'colour'"},
      {"nested", "order = 1", deep.c_str(), "[a.a",
       "brackets or dotted keys are nested more than 64 levels deep"},
      {"unknown_key_in_step", "text = \"reading.md\"", "text = \"reading.md\"\ntxt = 1", "txt",
       "unknown key 'txt'"},
      {"unknown_key_in_argument", "value = \"n\" }", "value = \"n\", size = 4 }", "size = 4",
       "unknown key 'size'"},
      {"wrong_type", "title = \"Fixture\"", "title = 5", "title = 5",
       "'title' must be a string, not a whole number"},
      {"wrong_type_of_number", "order = 1", "order = \"first\"", "order = \"first\"",
       "'order' must be a whole number, not a string"},
      {"missing_key", "summary = ", "#summary = ", "#", "the lab has no 'summary'"},
      {"newer_format", "format = 1", "format = 2", "format = 2", "format 2 is unknown"},
      {"other_id", "id = \"fixture\"", "id = \"other\"", "id = \"other\"", "not the folder's name"},
      {"bad_step_id", "id = \"reading\"", "id = \"Reading 1\"", "Reading 1", "is not an id"},
      {"twice_the_same_step", "id = \"transpose\"\ntitle", "id = \"scale\"\ntitle",
       "id = \"scale\"\ntitle = \"Through", "two steps with the id 'scale'"},
      {"missing_text", "reading.md", "nothing.md", "nothing.md", "there is no file"},
      {"outside_text", "reading.md", "../../lab.toml", "../../lab.toml",
       "outside the lab's folder"},
      {"kernel_not_in_its_file", "kernel = \"scale\"", "kernel = \"thrice\"", "thrice",
       "no kernel 'thrice' is in scale.cu"},
      {"missing_solution", "solution = \"scale.cu\"", "solution = \"none.cu\"", "none.cu",
       "there is no file"},
      {"answer_is_no_choice", "answer = \"32\"", "answer = \"33\"", "answer = \"33\"",
       "none of the choices"},
      {"one_choice", "[\"4\", \"32\", \"128\"]", "[\"32\"]", "choices", "two choices or more"},
      {"repeated_choice", "[\"4\", \"32\", \"128\"]", "[\"32\", \"32\"]", "choices",
       "is there twice"},
      {"unknown_type", "buffer = \"f32\", count = \"n\", fill = \"random\"",
       "buffer = \"f8\", count = \"n\", fill = \"random\"", "f8", "no element type 'f8'"},
      {"unknown_fill", "fill = \"random\"", "fill = \"noise\"", "noise", "no fill 'noise'"},
      {"no_fill", ", fill = \"random\"", "", "{ name = \"in\"", "has no 'fill'"},
      {"buffer_and_scalar", "scalar = \"i32\"", "scalar = \"i32\", buffer = \"f32\"",
       "scalar = \"i32\", buffer", "one of buffer = TYPE"},
      {"repeated_argument", "{ name = \"out\"", "{ name = \"in\"", "fill = \"none\"",
       "two arguments named 'in'"},
      {"no_output", ", output = true", "", "args = [", "no buffer is an output"},
      {"bad_count", "count = \"n\", fill = \"random\"", "count = \"n +\", fill = \"random\"", "n +",
       "at the end"},
      {"unknown_variable", "count = \"n\", fill = \"random\"", "count = \"m\", fill = \"random\"",
       "\"m\"", "no name 'm'"},
      {"count_is_not_whole", "count = \"n\", fill = \"random\"",
       "count = \"n / 3\", fill = \"random\"", "n / 3", "must be a whole number"},
      {"count_is_zero", "count = \"n\", fill = \"random\"", "count = \"n - n\", fill = \"random\"",
       "n - n", "at least one element"},
      {"count_is_huge", "count = \"n\", fill = \"random\"",
       "count = \"n * n * n\", fill = \"random\"", "n * n * n", "at most 1 GiB"},
      {"sizes_differ", "{ n = 1000, label", "{ m = 1000, label", "{ m = 1000",
       "other variables than the first"},
      {"size_is_text", "{ n = 4096 }", "{ n = \"4096\" }", "\"4096\"",
       "'n' must be a whole number"},
      {"timed_differs", "sizes = [{ n = 4096 }", "timed = { m = 4096 }\nsizes = [{ n = 4096 }",
       "timed", "other variables than the first one"},
      {"timed_too_large", "sizes = [{ n = 4096 }",
       "timed = { n = 1000000000 }\nsizes = [{ n = 4096 }", "count = \"n\"",
       "a buffer has at most 1 GiB"},
      {"no_size", "sizes = [{ n = 4096 }, { n = 1000, label = \"1,000 elements\" }]", "sizes = []",
       "sizes = []", "has no size"},
      {"unknown_counter", "global_load_sectors / global_load_requests", "global_sectors / 2",
       "global_sectors", "no counter or size variable 'global_sectors'"},
      {"model_figure_without_gpu", "global_load_sectors / global_load_requests",
       "model.load_transactions / 2", "model.load_transactions", "needs a GPU"},
      {"unknown_model_gpu", "kernel = \"scale\"", "kernel = \"scale\"\nmodel_gpu = \"gtx-281\"",
       "gtx-281", "there is no GPU \"gtx-281\""},
      {"no_limit", "at_most = 4\n", "", "[[step.exercise.check]]",
       "neither 'at_most' nor 'at_least'"},
      {"reserved_check_id", "id = \"coalesced-loads\"", "id = \"correct\"", "id = \"correct\"",
       "is checked always"},
      {"reserved_whole_kernel", "id = \"coalesced-loads\"", "id = \"whole-kernel\"",
       "id = \"whole-kernel\"", "is checked always"},
      {"no_factor", "useful_bytes = ", "whole_kernel = { instructions = 0.5 }\nuseful_bytes = ",
       "whole_kernel", "'instructions' is a factor from 1 to 1,000"},
      {"no_bound_at_all", "useful_bytes = ", "whole_kernel = { ratios = 5000 }\nuseful_bytes = ",
       "whole_kernel", "'ratios' is a factor from 1 to 1,000"},
      {"unknown_factor",
       "useful_bytes = ", "whole_kernel = { time = 2 }\nuseful_bytes = ", "whole_kernel", "'time'"},
      {"repeated_check_id", "id = \"as-few-sectors\"", "id = \"coalesced-loads\"",
       "title = \"No more", "two checks with the id"},
      {"wrong_kernel_without_check", "fails = \"correct\"", "fails = \"slow\"", "fails = \"slow\"",
       "no check 'slow'"},
      {"launch_is_no_call", "launch = \"launch(n)\"", "launch = \"launch\"", "launch = \"launch\"",
       "a call of the launch function"},
      {"cooperative_is_a_number", "launch = \"launch(n)\"",
       "cooperative = 1\nlaunch = \"launch(n)\"", "cooperative = 1",
       "'cooperative' must be true or false"},
      {"tolerance", "useful_bytes = ", "tolerance = 2\nuseful_bytes = ", "tolerance",
       "from 0 to less than 1"},
      {"syntax", "order = 1", "order = = 1", "order = =", ""},
  };
  for (const MistakeCase& c : kCases) {
    SCOPED_TRACE(c.name);
    BrokenLab broken;
    broken.change(c.from, c.to);
    const Result<Lab> lab = broken.load();
    ASSERT_FALSE(lab.ok());
    bool found = false;
    for (const Diagnostic& error : lab.errors()) {
      const bool at_line =
          std::string(c.at) == "#" || error.place.line == line_of(broken.text(), c.at);
      // The id is repeated: the error is at its second occurrence.
      const bool repeated = std::string(c.name).find("repeat") != std::string::npos ||
                            std::string(c.name).starts_with("twice");
      found |= error.message.english().find(c.message) != std::string::npos &&
               (at_line || (repeated && error.place.line > 0));
      EXPECT_GT(error.place.line, 0) << error.message;
      // The window begins it with a capital letter, which would make it another command.
      EXPECT_FALSE(error.help.english().starts_with("warpshop ")) << error.help;
      EXPECT_THAT(error.place.file, HasSubstr("fixture"));
    }
    EXPECT_TRUE(found) << render(lab.errors());
  }
}

// Lists and headings show titles as plain text.
TEST(LabFile, BackticksOfATitleAreLeftOut) {
  BrokenLab lab;
  lab.change("title = \"Fixture\"", "title = \"The `if` of a warp\"");
  const Result<Lab> loaded = lab.load();
  ASSERT_TRUE(loaded.ok()) << render(loaded.errors());
  EXPECT_EQ(loaded->title, "The if of a warp");
}

TEST(LabFile, ATextWithoutQuotesIsToldToHaveThem) {
  BrokenLab broken;
  broken.change("title = \"Fixture\"", "title = Fixture");
  const Result<Lab> lab = broken.load();
  ASSERT_FALSE(lab.ok());
  EXPECT_EQ(lab.errors()[0].help.english(), "put the text in quotes");
}

TEST(LabFile, AFormulaThatIsNotUnderstoodHasItsPlaceInItsText) {
  BrokenLab broken;
  broken.folder().write(
      "labs/fixture/reading.md",
      "# Sectors\n\nOf `$x$` and $\\frac{a}{b}$ bytes, über $2 \\foo n$.\n\n$$\na\n= {b\n$$\n");
  broken.change("hints = [\"Look at the index.\"", "hints = [\"Look at $x^$.\"");
  broken.change("explanation = \"A line", "explanation = \"A line $*$");
  const Result<Lab> lab = broken.load();
  ASSERT_FALSE(lab.ok());
  ASSERT_EQ(lab.errors().size(), 4U) << render(lab.errors());
  const auto said = [&](const char* file, int line, int column, const char* message) {
    for (const Diagnostic& error : lab.errors()) {
      if (error.place.file.ends_with(file) && error.place.line == line &&
          error.place.column == column &&
          error.message.english().find(message) != std::string::npos) {
        return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(said("reading.md", 3, 43, "$2 \\foo n$: the command '\\foo' is not supported"))
      << render(lab.errors());
  EXPECT_TRUE(said("reading.md", 7, 3, "unclosed '{'")) << render(lab.errors());
  EXPECT_TRUE(said("lab.toml", line_of(broken.text(), "hints ="), 0, "'^' needs an argument"));
  EXPECT_TRUE(said("lab.toml", line_of(broken.text(), "explanation ="), 0, "the sign '*'"));
}

std::string from_hex(const std::string& hex) {
  std::string out;
  for (size_t n = 0; n < hex.size(); n += 2)
    out += static_cast<char>(std::stoi(hex.substr(n, 2), nullptr, 16));
  return out;
}

// PNG files made with Python's zlib: one of 1 × 1 pixels, RGB, and the start of one of 0 × 1.
std::string tiny_png() {
  return from_hex(
      "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6310d1"
      "b0010000cc"
      "0079bd15c3af0000000049454e44ae426082");
}
std::string empty_png() {
  return from_hex("89504e470d0a1a0a0000000d4948445200000000000000010806000000f0d7afb7");
}

TEST(LabFile, APictureThatIsMissingOrBrokenHasItsPlaceInItsText) {
  BrokenLab broken;
  broken.folder().write("labs/fixture/reading.md", "# Sectors\n\n![a dot](dot.png)\n");
  broken.folder().write("labs/fixture/dot.png", tiny_png());
  ASSERT_TRUE(broken.load().ok()) << render(broken.load().errors());
  std::string wrong = tiny_png();
  wrong[45] = static_cast<char>(wrong[45] ^ 1);
  const struct {
    const char* name;
    const char* file;
    std::string bytes;
    const char* message;
  } cases[] = {
      {"nothing.png", "", "", "there is no picture"},
      {"../dot.png", "", "", "is not in the lab's folder"},
      {"https://example.org/dot.png", "", "", "is not in the lab's folder"},
      {"cut.png", "cut.png", tiny_png().substr(0, 60), "the file is truncated"},
      {"wrong.png", "wrong.png", wrong, "the file has a wrong checksum"},
      {"text.png", "text.png", "PNG!", "not a PNG file"},
      {"empty.png", "empty.png", empty_png(), "unsupported image size: 0 × 1"},
      {"dot.png", "dot-dark.png", "PNG!", "not a PNG file"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    broken.folder().write("labs/fixture/reading.md",
                          std::string("# Sectors\n\nText\n![a dot](") + c.name + ")\n");
    if (*c.file) broken.folder().write(std::string("labs/fixture/") + c.file, c.bytes);
    const Result<Lab> lab = broken.load();
    ASSERT_FALSE(lab.ok());
    ASSERT_EQ(lab.errors().size(), 1U) << render(lab.errors());
    EXPECT_THAT(lab.errors()[0].message.english(), HasSubstr(c.message));
    EXPECT_THAT(lab.errors()[0].place.file, HasSubstr("reading.md"));
    EXPECT_EQ(lab.errors()[0].place.line, 4);
    EXPECT_EQ(lab.errors()[0].place.column, 10);
  }
}

TEST(LabFile, AllMistakesAreToldAtOnce) {
  BrokenLab broken;
  broken.change("order = 1", "order = \"x\"");
  broken.change("answer = \"32\"", "answer = \"33\"");
  broken.change("fill = \"random\"", "fill = \"noise\"");
  const Result<Lab> lab = broken.load();
  ASSERT_FALSE(lab.ok());
  EXPECT_EQ(lab.errors().size(), 3U) << render(lab.errors());
}

TEST(LabFile, BrokenMarksAreNamedInTheSolution) {
  BrokenLab broken;
  broken.folder().write("solutions/fixture/scale.cu", "//! begin\nx\n");
  const Result<Lab> lab = broken.load();
  ASSERT_FALSE(lab.ok());
  EXPECT_THAT(lab.errors().front().place.file, HasSubstr("scale.cu"));
  EXPECT_EQ(lab.errors().front().place.line, 1);
}

TEST(LabFile, ABrokenLabLeavesTheOthersUsable) {
  BrokenLab broken;
  broken.folder().write("labs/second/lab.toml", "format = 1\nid = ");
  const LabLibrary library = load_labs(broken.folder().path());
  ASSERT_EQ(library.labs.size(), 1U);
  EXPECT_EQ(library.labs[0].id, "fixture");
  ASSERT_FALSE(library.problems.empty());
  EXPECT_THAT(library.problems[0].place.file, HasSubstr("second"));
  EXPECT_EQ(library.problems[0].place.line, 2);
}

TEST(LabFile, AFolderWithoutLabsIsSaid) {
  const TemporaryFolder empty;
  const LabLibrary library = load_labs(empty.path());
  EXPECT_TRUE(library.labs.empty());
  ASSERT_EQ(library.problems.size(), 1U);
  EXPECT_THAT(library.problems[0].help, HasSubstr("WARPSHOP_DATA"));
}

TEST(LabFile, IdsCannotLeaveTheLabsFolder) {
  for (const char* id : {"", "..", "../fixture", "Fixture", "-x"}) {
    EXPECT_FALSE(load_lab(kData, id).ok()) << id;
  }
}

TEST(LabFile, OtherInputsAreOfTheSeedTheExerciseAndTheBuffer) {
  const std::filesystem::path data = std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data";
  const Lab lab = load_lab(data, "fixture").value();
  const auto key = [](const Lab& of, size_t step, size_t arg) {
    return of.steps[step].exercise->args[arg].key;
  };
  const Lab seven = with_inputs(lab, 7);
  EXPECT_EQ(key(lab, 1, 0), 0U);
  EXPECT_NE(key(seven, 1, 0), 0U);
  EXPECT_EQ(key(seven, 1, 1), 0U) << "nothing random";
  EXPECT_EQ(key(seven, 1, 0), key(with_inputs(lab, 7), 1, 0));
  EXPECT_NE(key(seven, 1, 0), key(with_inputs(lab, 8), 1, 0));
  EXPECT_NE(key(seven, 1, 0), key(seven, 2, 0)) << "another exercise";
  EXPECT_EQ(key(with_inputs(seven, 0), 1, 0), 0U);
  const Exercise& exercise = *seven.steps[1].exercise;
  EXPECT_EQ(content_of(exercise.args[0], exercise.sizes[0])->fill.key, key(seven, 1, 0));
}

}  // namespace
}  // namespace warpshop::lab

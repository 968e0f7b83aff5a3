// Moving through a film, its texts, and the thread that plays it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <semaphore>

#include "demo.h"
#include "maps/csv_tables.h"
#include "maps/film_steps.h"
#include "panels/ptx_panel.h"
#include "ptx/parser.h"
#include "text/film_text.h"
#include "window/png_file.h"
#include "work/film_worker.h"
#include "work/sass_worker.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayPath;
using emulator::ReplayStep;

// Line 3: two instructions, the second a load; line 4: a branch that splits; line 5: two stores in
// one step; line 3 again.
lab::FilmScript script() {
  lab::FilmScript film;
  film.functions = {{{3, 30, "mul"}, {3, 31, "ld"}, {4, 32, "bra"}, {5, 33, "st"}, {0, 34, "mov"}}};
  auto step = [&](int instruction, int flags, uint32_t first, uint8_t accesses) {
    ReplayStep s;
    s.instruction = instruction;
    s.flags = static_cast<uint8_t>(flags);
    s.first_access = first;
    s.accesses = accesses;
    film.steps.push_back(s);
  };
  step(0, 0, 0, 0);
  step(1, emulator::kStepAccess, 0, 1);
  step(2, emulator::kStepDiverges, 1, 0);
  step(3, emulator::kStepAccess | emulator::kStepFinding, 1, 2);
  step(4, 0, 3, 0);
  step(0, 0, 3, 0);
  return film;
}

TEST(FilmSteps, EachEventIsFoundForwardsAndBackwards) {
  const lab::FilmScript film = script();
  struct Case {
    FilmEvent event;
    size_t from;
    int by;
    std::optional<size_t> to;
  };
  for (const Case& c :
       {Case{FilmEvent::kStep, 0, 1, 1}, Case{FilmEvent::kStep, 5, 1, std::nullopt},
        Case{FilmEvent::kStep, 0, -1, std::nullopt}, Case{FilmEvent::kLine, 0, 1, 2},
        // Step 4 belongs to no line and is skipped.
        Case{FilmEvent::kLine, 3, 1, 5}, Case{FilmEvent::kLine, 5, -1, 3},
        Case{FilmEvent::kAccess, 1, 1, 3}, Case{FilmEvent::kAccess, 3, 1, std::nullopt},
        Case{FilmEvent::kAccess, 3, -1, 1}, Case{FilmEvent::kDivergence, 0, 1, 2},
        Case{FilmEvent::kDivergence, 2, 1, std::nullopt}, Case{FilmEvent::kFinding, 0, 1, 3}}) {
    EXPECT_EQ(next_in_film(film, c.from, c.event, c.by), c.to) << "from " << c.from;
  }
}

// Both lanes run line 3; then lane 0 runs line 4, lane 1 runs lines 5, 6, 5, and both run line 7.
TEST(FilmSteps, LinesAreThoseOfOneThread) {
  lab::FilmScript film;
  film.functions = {{{3, 1, "a"},
                     {3, 2, "b"},
                     {4, 3, "c"},
                     {5, 4, "d"},
                     {6, 5, "e"},
                     {5, 6, "f"},
                     {5, 7, "g"},
                     {7, 8, "h"},
                     {4, 9, "i"}}};
  auto step = [&](int instruction, uint32_t mask) {
    ReplayStep s;
    s.instruction = instruction;
    s.mask = mask;
    film.steps.push_back(s);
  };
  step(0, 3), step(1, 3), step(2, 1), step(3, 2), step(8, 1), step(4, 2), step(5, 2), step(6, 2),
      step(7, 3);
  struct Case {
    size_t from;
    int by, lane;
    std::optional<size_t> to;
  };
  for (const Case& c :
       {Case{0, 1, 0, 2}, Case{2, 1, 0, 8}, Case{8, 1, 0, std::nullopt}, Case{8, -1, 0, 2},
        Case{2, -1, 0, 0}, Case{0, -1, 0, std::nullopt}, Case{0, 1, 1, 3}, Case{3, 1, 1, 5},
        Case{5, 1, 1, 6}, Case{6, 1, 1, 8},
        // Back to where the thread reached the line, not to the line's last instruction.
        Case{8, -1, 1, 6}, Case{7, -1, 1, 6}}) {
    EXPECT_EQ(next_in_film(film, c.from, FilmEvent::kLine, c.by, c.lane), c.to)
        << c.from << " lane " << c.lane;
  }
  // To a line, whichever lanes reach it.
  struct Line {
    std::optional<size_t> from;
    int line, by;
    std::optional<size_t> to;
  };
  for (const Line& c : {Line{std::nullopt, 3, 1, 0}, Line{std::nullopt, 5, 1, 3}, Line{3, 5, 1, 6},
                        Line{6, 5, 1, std::nullopt}, Line{8, 5, -1, 6}, Line{6, 5, -1, 3},
                        Line{1, 3, -1, 0}, Line{std::nullopt, 9, 1, std::nullopt}}) {
    EXPECT_EQ(step_at_line(film, c.from, c.line, c.by), c.to) << c.line;
  }
}

// Line 1, then the instructions `order` of line 2 as one thread runs them, then line 3. Returns the
// steps at which "next line" stops.
std::vector<size_t> stops_on_line_2(const std::vector<lab::FilmInstruction>& line_2,
                                    const std::vector<size_t>& order) {
  lab::FilmScript film;
  film.functions = {line_2};
  film.functions[0].push_back({1, 1, "mov.u32 %r1, 0", "mov.u32 3"});
  film.functions[0].push_back({3, 9, "ret", "ret 1"});
  auto step = [&](size_t instruction) {
    const std::string& text = film.functions[0][instruction].text;
    ReplayStep s;
    s.instruction = static_cast<int>(instruction);
    s.mask = 1;
    s.flags = text.starts_with("ld.") || text.starts_with("st.") ? emulator::kStepAccess : 0;
    film.steps.push_back(s);
  };
  step(line_2.size());
  for (const size_t instruction : order) step(instruction);
  step(line_2.size() + 1);
  std::vector<size_t> stops, back;
  for (std::optional<size_t> at = next_in_film(film, 0, FilmEvent::kLine, 1, 0); at;
       at = next_in_film(film, *at, FilmEvent::kLine, 1, 0))
    stops.push_back(*at);
  stops.pop_back();  // line 3
  for (std::optional<size_t> at = film.steps.size() - 1; at; at = step_at_line(film, at, 2, -1))
    back.insert(back.begin(), *at);
  back.pop_back();
  EXPECT_EQ(back, stops);
  return stops;
}

std::vector<size_t> in_order(const std::vector<lab::FilmInstruction>& instructions) {
  std::vector<size_t> out(instructions.size());
  for (size_t n = 0; n < out.size(); ++n) out[n] = n;
  return out;
}

// sum += as[ty][k] * bs[k][tx], unrolled: each copy loads twice, from the same place in the source.
TEST(FilmSteps, AnUnrolledStatementWithTwoLoadsIsStoppedAtOncePerIteration) {
  std::vector<lab::FilmInstruction> line;
  for (int k = 0; k < 3; ++k) {
    const std::string a = "%f" + std::to_string(10 * k + 1), b = "%f" + std::to_string(10 * k + 2),
                      sum = "%f" + std::to_string(10 * k + 3);
    line.push_back({2, 2, "ld.shared.f32 " + a + ", [%rd4+" + std::to_string(64 * k) + "]",
                    "ld.shared.f32 5"});
    line.push_back(
        {2, 3, "ld.shared.f32 " + b + ", [%rd3+" + std::to_string(4 * k) + "]", "ld.shared.f32 5"});
    line.push_back({2, 4, "fma.rn.f32 " + sum + ", " + a + ", " + b + ", %f0", "fma.rn.f32 5"});
  }
  EXPECT_EQ(stops_on_line_2(line, in_order(line)), (std::vector<size_t>{1, 4, 7}));
  // Index arithmetic that only some copies need hides nothing.
  line.insert(line.begin() + 3, {2, 5, "add.s64 %rd5, %rd4, %rd9", "add.s64 5"});
  EXPECT_EQ(stops_on_line_2(line, in_order(line)), (std::vector<size_t>{1, 5, 8}));
}

TEST(FilmSteps, AStatementWithSeveralLoadsIsStoppedAtOnce) {
  const std::vector<lab::FilmInstruction> line = {
      {2, 2, "ld.global.f32 %f1, [%rd1]", "ld.global.f32 5"},
      {2, 3, "ld.global.f32 %f2, [%rd1+4]", "ld.global.f32 5"},
      {2, 4, "add.f32 %f3, %f1, %f2", "add.f32 5"},
      {2, 5, "ld.global.f32 %f4, [%rd1+8]", "ld.global.f32 5"},
      {2, 6, "add.f32 %f5, %f3, %f4", "add.f32 5"},
      {2, 7, "st.global.f32 [%rd2], %f5", "st.global.f32 5"}};
  EXPECT_EQ(stops_on_line_2(line, in_order(line)), (std::vector<size_t>{1}));
}

TEST(FilmSteps, ALoopOnOneLineIsStoppedAtInEachIteration) {
  const std::vector<lab::FilmInstruction> line = {
      {2, 2, "mov.u32 %r1, 0", "mov.u32 5"},
      {2, 3, "ld.global.u32 %r2, [%rd1]", "ld.global.u32 5"},
      {2, 4, "ld.global.u32 %r3, [%rd2]", "ld.global.u32 5"},
      {2, 5, "mad.lo.s32 %r4, %r2, %r3, %r4", "mad.lo.s32 5"},
      {2, 6, "@%p1 bra $L", "bra 5"}};
  EXPECT_EQ(stops_on_line_2(line, {0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}),
            (std::vector<size_t>{1, 6, 10}));
}

// The compiler has moved the additions behind the loads of all iterations.
TEST(FilmSteps, LoadsOfAllIterationsInARowAreStoppedAtEach) {
  std::vector<lab::FilmInstruction> line;
  for (int k = 0; k < 8; ++k) {
    line.push_back({2, 2, "ld.shared.u32 %r" + std::to_string(k) + ", [%rd1]", "ld.shared.u32 5"});
  }
  line.push_back({2, 3, "add.s32 %r9, %r0, %r1", "add.s32 5"});
  EXPECT_EQ(stops_on_line_2(line, in_order(line)), (std::vector<size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(FilmSteps, AccessesLeadToTheStepThatMadeThem) {
  const lab::FilmScript film = script();
  EXPECT_EQ(step_of_access(film, 0), std::optional<size_t>(1));
  EXPECT_EQ(step_of_access(film, 1), std::optional<size_t>(3));
  EXPECT_EQ(step_of_access(film, 2), std::optional<size_t>(3));
  EXPECT_EQ(step_of_access(film, 3), std::nullopt);
}

TEST(FilmSteps, TheMapsShowTheAccessOfTheStep) {
  demo::RunBuilder builder;
  const uint32_t load = builder.site(3, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  const uint32_t local = builder.site(4, ptx::Space::kLocal, emulator::AccessKind::kLoad);
  const uint32_t store = builder.site(5, ptx::Space::kGlobal, emulator::AccessKind::kStore);
  auto words = [](int lane) { return demo::kIn + 4 * static_cast<uint64_t>(lane); };
  for (uint32_t warp = 0; warp < 2; ++warp) {
    builder.access(load, warp, words);
    builder.access(local, warp, words);  // omitted from the maps
    builder.access(store, warp, words);
  }
  const AccessIndex index = index_accesses(builder.run());
  ASSERT_EQ(index.entries.size(), 4u);
  lab::FilmScript film = script();
  film.warp = 1;
  // Warp 1 has the entries 2 (record 3) and 3 (record 5).
  EXPECT_EQ(first_record_of_warp(builder.run(), 5), 3u);
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 1), std::optional<size_t>(2));
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 3), std::optional<size_t>(3));
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 2), std::nullopt);
  EXPECT_EQ(entry_at_step(builder.run(), index, 0, film, 1),
            std::nullopt);  // another warp is selected
}

TEST(FilmText, LanesAreWrittenAsRuns) {
  EXPECT_EQ(lanes_text(0xffffffffu), "all lanes");
  EXPECT_EQ(lanes_text(0), "no lane");
  EXPECT_EQ(lanes_text(8), "lane 3");
  EXPECT_EQ(lanes_text(0x3ff), "lanes 0–9");
  EXPECT_EQ(lanes_text(0x8000010f), "lanes 0–3, 8, 31");
  EXPECT_EQ(lanes_text(0x55555555), "16 lanes");
}

TEST(FilmText, ValuesReadAsTheirType) {
  EXPECT_EQ(value_text(ptx::Type::kF32, 0x3fc00000), "1.5");
  EXPECT_EQ(value_text(ptx::Type::kF64, 0xc000000000000000), "-2");
  EXPECT_EQ(value_text(ptx::Type::kF16, 0x3e00), "1.5");
  EXPECT_EQ(value_text(ptx::Type::kF16, 0x0001), "5.96046e-08");  // 2^-24
  EXPECT_EQ(value_text(ptx::Type::kF16, 0xfc00), "-inf");
  EXPECT_EQ(value_text(ptx::Type::kBf16, 0x4040), "3");
  EXPECT_EQ(value_text(ptx::Type::kPred, 1), "true");
  EXPECT_EQ(value_text(ptx::Type::kS32, 0xfffffffd), "-3");
  EXPECT_EQ(value_text(ptx::Type::kU32, 0xfffffffd), "4294967293");
  EXPECT_EQ(value_text(ptx::Type::kB64, 0x70000002f400), "0x70000002f400");
  EXPECT_EQ(value_text(ptx::Type::kB64, 17), "17");
}

TEST(FilmText, AMemberIsNamedWithItsVariable) {
  const std::string_view line = "int i = blockIdx.x + p[k].x - q->x * size;";
  EXPECT_EQ(name_at(line, line.find("i =")), "i");
  EXPECT_EQ(name_at(line, line.find("blockIdx") + 3), "blockIdx");
  EXPECT_EQ(name_at(line, line.find(".x +") + 1), "blockIdx.x");
  EXPECT_EQ(name_at(line, line.find("k]")), "k");
  EXPECT_EQ(name_at(line, line.find(".x -") + 1), "") << "of an element, not of a variable";
  EXPECT_EQ(name_at(line, line.find("q->")), "q");
  EXPECT_EQ(name_at(line, line.find(">x") + 1), "");
  EXPECT_EQ(name_at(line, line.find("size") + 4), "size");
  EXPECT_EQ(name_at(line, line.size()), "");
  EXPECT_EQ(name_at("", 0), "");
  EXPECT_EQ(name_at(".x", 1), "");
}

TEST(FilmText, ValuesAreToldOncePerValueOrInLinesOfEightLanes) {
  lab::NamedValue value;
  value.name = "i";
  value.scalar = ptx::Type::kS32;
  EXPECT_EQ(values_text(value), "not yet assigned");
  value.lanes = 0xffffffffu;
  value.bits.fill(5);
  EXPECT_EQ(values_text(value), "5 in all lanes");
  value.lanes = 0xffff;
  value.bits[20] = 7;  // of a lane without a value
  EXPECT_EQ(values_text(value), "5 in lanes 0–15");
  value.lanes = 0xfeff;  // lane 8 has none
  value.bits[3] = static_cast<uint64_t>(-1);
  EXPECT_EQ(values_text(value),
            "lanes 0–7:  5  5  5  -1  5  5  5  5\nlanes 8–15:  –  5  5  5  5  5  5  5");
}

TEST(FilmText, VariablesSayWhyTheyHaveNoValue) {
  lab::NamedValue value;
  value.scalar = ptx::Type::kF32;
  value.absent = lab::NamedValue::Absent::kNotAssigned;
  EXPECT_EQ(value_text(value, 0), "not yet assigned");
  value.absent = lab::NamedValue::Absent::kNoPlace;
  EXPECT_EQ(value_text(value, 0), "not stored");
  value.lanes = 2;
  value.bits[1] = 0x3fc00000;
  EXPECT_EQ(value_text(value, 0), "–");
  EXPECT_EQ(value_text(value, 1), "1.5");
  value.is_bool = true;
  EXPECT_EQ(value_text(value, 1), "true");
  using Kind = lab::DebugPosition::Kind;
  EXPECT_EQ(position_text({Kind::kBefore, 12}), "line 12 runs next");
  EXPECT_EQ(position_text({Kind::kAfter, 12}), "line 12 is running");
  EXPECT_EQ(position_text({Kind::kMoved, 12}),
            "still at line 12: the compiler moved this instruction");
  EXPECT_EQ(position_text({Kind::kNotBegun, 0}), "before the kernel's first line");
}

TEST(FilmText, PathsSayWhoWaitsWhere) {
  const lab::FilmScript film = script();
  ReplayPath path;
  path.next = 2;
  path.reconverges_at = 3;
  EXPECT_EQ(path_text(film, path), "running line 4, to meet at line 5");
  path.waits = ReplayPath::Waits::kForChildren;
  EXPECT_EQ(path_text(film, path), "to meet at line 4");
  path.waits = ReplayPath::Waits::kForBlock;
  path.next = 4;
  EXPECT_EQ(path_text(film, path), "waiting for the block, then PTX line 34");
  path.waits = ReplayPath::Waits::kForTurn;
  path.next = -1;
  EXPECT_EQ(path_text(film, path), "waiting for a turn at the end");
}

// Counts to 200 in %r1, without a store.
class Counting final : public lab::FilmSource {
 public:
  Result<lab::Film> open(uint64_t block, uint32_t warp, const StopFlag*) const override {
    ptx::ParseOutput parsed = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<2>; "
        ".reg .pred %p<1>;\n"
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 200;\n@%p0 bra "
        "L;\nret;\n}\n",
        "k.ptx");
    Result<emulator::Program> program =
        emulator::Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    if (!program.ok()) return program.errors();
    emulator::LaunchConfig config;
    config.block = {64, 1, 1};
    emulator::ReplayOptions options;
    options.block = block;
    options.warp = warp;
    Result<emulator::Replay> replay =
        emulator::Replay::open(*program, emulator::DeviceMemory(), config, options);
    if (!replay.ok()) return replay.errors();
    auto script = std::make_shared<lab::FilmScript>();
    script->steps = replay->steps();
    script->warp = warp;
    class Steps final : public lab::VariableFilm {
      lab::VariableState at(const emulator::ReplayState& state) override {
        lab::VariableState out;
        out.step = state.step;
        out.values.emplace_back().name = "sum";
        out.values[0].bits[0] = state.step;
        return out;
      }
    };
    return lab::Film(script, std::move(*replay),
                     [](const lab::FilmScript&, const emulator::Replay&, const StopFlag*) {
                       return std::make_unique<Steps>();
                     });
  }
  // Reports the first access of warp 1's lane 3 for every element except 9, which nobody writes.
  Result<std::optional<lab::ElementWriter>> writer_of(const std::string&, uint64_t element,
                                                      const StopFlag*) const override {
    if (element == 9) return std::optional<lab::ElementWriter>();
    return std::optional(lab::ElementWriter{.block = 0, .warp = 1, .lane = 3, .access = 0});
  }
};

class FilmWorkerTest : public ::testing::Test {
 protected:
  FilmWorker::News news_that(const std::function<bool(const FilmWorker::News&)>& wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      if (auto news = worker_.take(); news && wanted(*news)) return *news;
      (void)woken_.try_acquire_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "it never came";
    return {};
  }
  std::counting_semaphore<> woken_{0};
  FilmWorker worker_{[this] { woken_.release(); }};
};

TEST_F(FilmWorkerTest, OpensAFilmAndShowsTheStepSoughtLast) {
  worker_.open(std::make_shared<Counting>(), 0, 1);
  const auto opened = news_that([](const FilmWorker::News& n) { return n.script != nullptr; });
  EXPECT_EQ(opened.script->warp, 1u);
  EXPECT_EQ(opened.script->steps.size(), 602u);  // mov, 200 × (add, setp, bra), ret
  for (size_t step : {1u, 400u, 301u}) worker_.seek(step);
  const auto at =
      news_that([](const FilmWorker::News& n) { return n.state && n.state->step == 301; });
  EXPECT_EQ(at.state->registers.front().bits[0], 101u);
}

TEST_F(FilmWorkerTest, VariablesComeAfterTheStateOfTheirStep) {
  worker_.open(std::make_shared<Counting>(), 0, 1);
  (void)news_that([](const FilmWorker::News& n) { return n.script != nullptr; });
  worker_.seek(40);
  const auto news =
      news_that([](const FilmWorker::News& n) { return n.variables && n.variables->step == 40; });
  EXPECT_EQ(news.state->step, 40u);
  // In this source, `sum` counts the steps.
  ASSERT_EQ(news.variables->values.size(), 1u);
  EXPECT_EQ(news.variables->values[0].bits[0], 40u);
}

TEST_F(FilmWorkerTest, SaysWhenAFilmCannotBeOpened) {
  worker_.open(std::make_shared<Counting>(), 7, 0);
  const auto news = news_that([](const FilmWorker::News&) { return true; });
  EXPECT_EQ(news.script, nullptr);
  // The next film opens nevertheless.
  worker_.open(std::make_shared<Counting>(), 0, 0);
  EXPECT_NE(news_that([](const FilmWorker::News& n) { return n.script != nullptr; }).script,
            nullptr);
}

TEST(PtxLines, ShowTheKernelsBodyWithItsCudaLinesAndCosts) {
  lab::KernelRun run;
  run.ptx =
      ".version 8.0\n\t// a comment\n.visible .entry k(\n\t.param .u64 a\n)\n{\n\t.reg .b32 "
      "\t%r<2>;\n\n\t.loc 1 3 5\n"
      "\tmov.u32 \t%r1, 0;\n$L__BB0_1:\n\tret;\n\n}\n\t.file\t1 \"x.cu\"\n";
  run.ptx_lines = {{10, 3, 8, 256}, {12, 4, 8, 128}};
  const std::vector<PtxLine> lines = ptx_lines_of(run);
  std::vector<std::string> text;
  for (const PtxLine& line : lines) text.push_back(line.text);
  EXPECT_EQ(text, (std::vector<std::string>{".visible .entry k(", "  .param .u64 a", ")", "{",
                                            "  .reg .b32  %r<2>;", "  mov.u32  %r1, 0;",
                                            "$L__BB0_1:", "  ret;", "}"}));
  EXPECT_EQ(lines[5].line, 3);
  EXPECT_EQ(lines[7].line, 4);
  EXPECT_EQ(lines[7].lane_instructions, 128u);
  EXPECT_EQ(lines[6].line, 0);
}

TEST(PtxLines, MachineCodeHasTheCudaLinesOfItsPtx) {
  lab::KernelRun run;
  run.ptx_lines = {{10, 3, 8, 256}, {12, 4, 8, 128}};
  const std::vector<compile::SassKernel> kernels = {{"other", {{"RET ;", 0, 40}}},
                                                    {"k",
                                                     {{"LDC R1, c[0x0][0x28] ;", 0, 8},
                                                      {"MOV R0, RZ ;", 16, 10},
                                                      {"L_x_0:", -1, 0},
                                                      {"EXIT ;", 32, 12}}}};
  const std::vector<PtxLine> lines = sass_lines_of(run, kernels);
  ASSERT_EQ(lines.size(), 4u);
  struct Line {
    std::string text;
    int line;
  };
  const Line expected[] = {
      {"  LDC R1, c[0x0][0x28] ;", 0}, {"  MOV R0, RZ ;", 3}, {"L_x_0:", 0}, {"  EXIT ;", 4}};
  for (size_t n = 0; n < lines.size(); ++n) {
    EXPECT_EQ(lines[n].text, expected[n].text);
    EXPECT_EQ(lines[n].line, expected[n].line) << n;
    EXPECT_FALSE(lines[n].counted);
  }
  EXPECT_TRUE(sass_lines_of(run, {kernels[0]}).empty());
}

// A shell script in nvdisasm's place. It is run once per cubin, on its own thread.
TEST(SassWorker, DisassemblesEachCubinOnce) {
  namespace fs = std::filesystem;
  const fs::path program =
      fs::temp_directory_path() / ("warpshop-sass-worker-" + std::to_string(getpid()));
  const fs::path calls = program.string() + ".calls";
  std::ofstream(program) << "#!/bin/sh\necho call >> " << calls
                         << "\necho '//--------------------- .text.k ---'\n"
                         << "echo \"/*0000*/ $(cat \"$3\") ;\"\n";
  fs::permissions(program, fs::perms::owner_all);
  setenv("WARPSHOP_NVDISASM", program.c_str(), 1);
  {
    std::counting_semaphore<> woken{0};
    SassWorker worker([&] { woken.release(); });
    const auto text_of = [&](const Cubin& cubin) {
      std::shared_ptr<const Disassembly> made;
      for (int n = 0; n < 500 && !made; ++n) {
        made = worker.of(cubin);
        if (!made) (void)woken.try_acquire_for(std::chrono::milliseconds(20));
      }
      return made && made->ok() ? (**made)[0].lines[0].text : std::string("none");
    };
    const Cubin first =
        std::make_shared<const std::vector<uint8_t>>(std::vector<uint8_t>{'N', 'O', 'P'});
    const Cubin second =
        std::make_shared<const std::vector<uint8_t>>(std::vector<uint8_t>{'R', 'E', 'T'});
    EXPECT_EQ(worker.of(first), nullptr);
    EXPECT_EQ(text_of(first), "NOP ;");
    EXPECT_TRUE(worker.take_news());
    EXPECT_FALSE(worker.take_news());
    EXPECT_EQ(text_of(first), "NOP ;");
    EXPECT_EQ(text_of(second), "RET ;");
  }
  unsetenv("WARPSHOP_NVDISASM");
  std::string line;
  int count = 0;
  for (std::ifstream in(calls); std::getline(in, line);) ++count;
  EXPECT_EQ(count, 2);
  fs::remove(program);
  fs::remove(calls);
}

TEST(Csv, FieldsThatNeedItAreQuoted) {
  CsvTable table({"a", "b"});
  table.row({"1,5", "say \"x\""});
  EXPECT_EQ(table.text(), "a,b\n\"1,5\",\"say \"\"x\"\"\"\n");
}

TEST(Csv, AFilmHasARowForEachStep) {
  lab::FilmScript film = script();
  film.steps[3].mask = 0xff;
  const std::string csv = film_csv(film);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_NE(csv.find("\n4,5,33,st,8,0xff,access finding\n"), std::string::npos) << csv;
}

TEST(Csv, BanksHaveARowForEachWordOfALane) {
  models::WarpRequest request;
  request.active_mask = 5;
  request.width_bytes = 8;
  request.address[2] = 256;
  const auto banks = models::explain_bank_generation(models::BankRule::kMulticast32, request);
  EXPECT_EQ(banks_csv(request, banks),
            "lane,byte,bank,pass\n0,0,0,1\n0,4,1,1\n2,256,0,2\n2,260,1,2\n");
}

TEST(Pictures, AreCutToWhatLiesInside) {
  Picture picture;
  picture.width = 3;
  picture.height = 2;
  for (uint8_t n = 0; n < 24; ++n) picture.rgba.push_back(n);
  const Picture part = crop(picture, 1, -1, 9, 2);
  EXPECT_EQ(part.width, 2);
  EXPECT_EQ(part.height, 1);  // nothing exists above the picture or right of it
  EXPECT_EQ(part.rgba, (std::vector<uint8_t>{4, 5, 6, 7, 8, 9, 10, 11}));
}

}  // namespace
}  // namespace warpshop::ui

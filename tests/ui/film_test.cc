// Moving through a film, its words, and the thread that plays it.
#include "maps/film_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <semaphore>

#include "demo.h"
#include "maps/csv_tables.h"
#include "panels/ptx_panel.h"
#include "ptx/parser.h"
#include "text/film_text.h"
#include "window/png_file.h"
#include "work/film_worker.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayPath;
using emulator::ReplayStep;

// Line 3: two instructions, the second a load; line 4: a branch that splits; line 5: two stores in one step; line 3 again.
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
  struct Case { FilmEvent event; size_t from; int by; std::optional<size_t> to; };
  for (const Case& c : {Case{FilmEvent::kStep, 0, 1, 1}, Case{FilmEvent::kStep, 5, 1, std::nullopt},
                        Case{FilmEvent::kStep, 0, -1, std::nullopt}, Case{FilmEvent::kLine, 0, 1, 2},
                        // Step 4 belongs to no line and is passed over.
                        Case{FilmEvent::kLine, 3, 1, 5}, Case{FilmEvent::kLine, 5, -1, 3},
                        Case{FilmEvent::kAccess, 1, 1, 3}, Case{FilmEvent::kAccess, 3, 1, std::nullopt},
                        Case{FilmEvent::kAccess, 3, -1, 1}, Case{FilmEvent::kDivergence, 0, 1, 2},
                        Case{FilmEvent::kDivergence, 2, 1, std::nullopt}, Case{FilmEvent::kFinding, 0, 1, 3}}) {
    EXPECT_EQ(next_in_film(film, c.from, c.event, c.by), c.to) << "from " << c.from;
  }
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
    builder.access(local, warp, words);     // the maps leave it out
    builder.access(store, warp, words);
  }
  const AccessIndex index = index_accesses(builder.run());
  ASSERT_EQ(index.entries.size(), 4u);
  lab::FilmScript film = script();
  film.warp = 1;
  // Of warp 1 the entries are 2 (record 3) and 3 (record 5).
  EXPECT_EQ(first_record_of_warp(builder.run(), 5), 3u);
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 1), std::optional<size_t>(2));
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 3), std::optional<size_t>(3));
  EXPECT_EQ(entry_at_step(builder.run(), index, 2, film, 2), std::nullopt);
  EXPECT_EQ(entry_at_step(builder.run(), index, 0, film, 1), std::nullopt);   // another warp is shown
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
  EXPECT_EQ(value_text(ptx::Type::kF16, 0x0001), "5.96046e-08");   // 2^-24
  EXPECT_EQ(value_text(ptx::Type::kF16, 0xfc00), "-inf");
  EXPECT_EQ(value_text(ptx::Type::kBf16, 0x4040), "3");
  EXPECT_EQ(value_text(ptx::Type::kPred, 1), "true");
  EXPECT_EQ(value_text(ptx::Type::kS32, 0xfffffffd), "-3");
  EXPECT_EQ(value_text(ptx::Type::kU32, 0xfffffffd), "4294967293");
  EXPECT_EQ(value_text(ptx::Type::kB64, 0x70000002f400), "0x70000002f400");
  EXPECT_EQ(value_text(ptx::Type::kB64, 17), "17");
}

TEST(FilmText, PathsSayWhoWaitsWhere) {
  const lab::FilmScript film = script();
  ReplayPath path;
  path.next = 2;
  path.meets = 3;
  EXPECT_EQ(path_text(film, path), "runs line 4, then meets at line 5");
  path.waits = ReplayPath::Waits::kForChildren;
  EXPECT_EQ(path_text(film, path), "meets at line 4");
  path.waits = ReplayPath::Waits::kForBlock;
  path.next = 4;
  EXPECT_EQ(path_text(film, path), "waits for the block, then PTX line 34");
  path.waits = ReplayPath::Waits::kForTurn;
  path.next = -1;
  EXPECT_EQ(path_text(film, path), "waits for its turn at the end");
}

// Counts to 200 in %r1, then stores nothing.
class Counting final : public lab::FilmSource {
 public:
  Result<lab::Film> open(uint64_t block, uint32_t warp, const StopFlag*) const override {
    ptx::ParseOutput parsed = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<2>; .reg .pred %p<1>;\n"
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 200;\n@%p0 bra L;\nret;\n}\n", "k.ptx");
    Result<emulator::Program> program =
        emulator::Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    if (!program.ok()) return program.errors();
    emulator::LaunchConfig config;
    config.block = {64, 1, 1};
    emulator::ReplayOptions options;
    options.block = block;
    options.warp = warp;
    Result<emulator::Replay> replay = emulator::Replay::open(*program, emulator::DeviceMemory(), config, options);
    if (!replay.ok()) return replay.errors();
    auto script = std::make_shared<lab::FilmScript>();
    script->steps = replay->steps();
    script->warp = warp;
    return lab::Film(script, std::move(*replay));
  }
  // Warp 1's lane 3 with the first of its accesses; element 9 by nobody.
  Result<std::optional<lab::ElementWriter>> writer_of(const std::string&, uint64_t element, const StopFlag*) const override {
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
  EXPECT_EQ(opened.script->steps.size(), 602u);   // mov, 200 × (add, setp, bra), ret
  for (size_t step : {1u, 400u, 301u}) worker_.seek(step);
  const auto at = news_that([](const FilmWorker::News& n) { return n.state && n.state->step == 301; });
  EXPECT_EQ(at.state->registers.front().bits[0], 101u);
}

TEST_F(FilmWorkerTest, SaysWhenAFilmCannotBeOpened) {
  worker_.open(std::make_shared<Counting>(), 7, 0);
  const auto news = news_that([](const FilmWorker::News&) { return true; });
  EXPECT_EQ(news.script, nullptr);
  // And goes on with the next.
  worker_.open(std::make_shared<Counting>(), 0, 0);
  EXPECT_NE(news_that([](const FilmWorker::News& n) { return n.script != nullptr; }).script, nullptr);
}

TEST(PtxLines, ShowTheKernelsBodyWithItsCudaLinesAndCosts) {
  lab::KernelRun run;
  run.ptx =
      ".version 8.0\n\t// a comment\n.visible .entry k(\n\t.param .u64 a\n)\n{\n\t.reg .b32 \t%r<2>;\n\n\t.loc 1 3 5\n"
      "\tmov.u32 \t%r1, 0;\n$L__BB0_1:\n\tret;\n\n}\n\t.file\t1 \"x.cu\"\n";
  run.ptx_lines = {{10, 3, 8, 256}, {12, 4, 8, 128}};
  const std::vector<PtxLine> lines = ptx_lines_of(run);
  std::vector<std::string> text;
  for (const PtxLine& line : lines) text.push_back(line.text);
  EXPECT_EQ(text, (std::vector<std::string>{".visible .entry k(", "  .param .u64 a", ")", "{", "  .reg .b32  %r<2>;",
                                            "  mov.u32  %r1, 0;", "$L__BB0_1:", "  ret;", "}"}));
  EXPECT_EQ(lines[5].line, 3);
  EXPECT_EQ(lines[7].line, 4);
  EXPECT_EQ(lines[7].lane_instructions, 128u);
  EXPECT_EQ(lines[6].line, 0);
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
  EXPECT_EQ(banks_csv(request, banks), "lane,byte,bank,pass\n0,0,0,1\n0,4,1,1\n2,256,0,2\n2,260,1,2\n");
}

TEST(Pictures, AreCutToWhatLiesInside) {
  Picture picture;
  picture.width = 3;
  picture.height = 2;
  for (uint8_t n = 0; n < 24; ++n) picture.rgba.push_back(n);
  const Picture part = crop(picture, 1, -1, 9, 2);
  EXPECT_EQ(part.width, 2);
  EXPECT_EQ(part.height, 1);   // the row above the picture is not there, nor is anything right of it
  EXPECT_EQ(part.rgba, (std::vector<uint8_t>{4, 5, 6, 7, 8, 9, 10, 11}));
}

}  // namespace
}  // namespace warpshop::ui

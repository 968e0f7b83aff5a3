// Replay of a warp: which instructions ran when, with which lanes,
// and the state at any step, in any order.
#include "emulator/replay.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct Launched {
  std::shared_ptr<const ptx::Module> module;
  std::optional<Program> program;
  DeviceMemory memory;
  LaunchConfig config;
  std::vector<DevicePointer> buffers;
};

// A launch that has not started.
Launched prepare(const std::string& text, Dim3 grid, Dim3 block,
                 const std::vector<Words>& buffers) {
  Launched out;
  ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics);
  out.module = std::make_shared<ptx::Module>(std::move(parsed.module));
  Result<Program> program = Program::decode(out.module, "k");
  EXPECT_TRUE(program.ok()) << render(program.errors());
  out.program = *program;
  out.config.grid = grid;
  out.config.block = block;
  for (const Words& words : buffers) {
    const DevicePointer p = *out.memory.allocate(words.size() * 4, "buffer");
    std::memcpy(out.memory.bytes(p).data(), words.data(), words.size() * 4);
    out.memory.mark_written(p);
    out.buffers.push_back(p);
    out.config.args.push_back(Argument::pointer(p));
  }
  return out;
}

Replay replay_of(const std::string& text, Dim3 grid, Dim3 block, const std::vector<Words>& buffers,
                 const ReplayOptions& options = {}) {
  Launched l = prepare(text, grid, block, buffers);
  Result<Replay> replay =
      Replay::open(*l.program, std::move(l.memory), std::move(l.config), options);
  EXPECT_TRUE(replay.ok()) << render(replay.errors());
  return std::move(replay).value();
}

const ReplayRegister& reg(const ReplayState& state, const std::string& name) {
  for (const ReplayRegister& r : state.registers) {
    if (r.name == name) return r;
  }
  ADD_FAILURE() << "no register " << name;
  static const ReplayRegister none;
  return none;
}

std::string opcode(const Replay& replay, const ReplayStep& step) {
  const ptx::Function& f = replay.program().module().functions[step.function];
  return f.body[static_cast<size_t>(step.instruction)].opcode;
}

// Lanes below 10 take the branch, the others fall through; all reconverge at JOIN.
const std::string kIfElse =
    "mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 10; @%q0 bra LOW; mov.u32 %r0, 200; bra.uni JOIN;"
    "LOW: mov.u32 %r0, 100; JOIN: add.u32 %r0, %r0, 1;" +
    kStoreR0;

TEST(Replay, TheFilmShowsWhichLanesRanEachInstruction) {
  const Replay replay = replay_of(kernel_text(kIfElse, 1), {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  constexpr uint32_t kAll = 0xffffffffu, kLow = 0x3ffu, kHigh = ~0x3ffu;
  int low = 0, high = 0;
  for (const ReplayStep& s : replay.steps()) {
    low += s.mask == kLow;
    high += s.mask == kHigh;
    EXPECT_EQ(s.live, kAll);
  }
  EXPECT_EQ(low, 1);   // mov
  EXPECT_EQ(high, 2);  // mov, bra.uni
  std::vector<std::string> names;
  std::vector<uint32_t> diverged, met;
  for (const ReplayStep& s : replay.steps()) {
    names.push_back(opcode(replay, s));
    if (s.flags & kStepDiverges) diverged.push_back(static_cast<uint32_t>(s.instruction));
    if (s.flags & kStepReconverges) met.push_back(static_cast<uint32_t>(s.instruction));
  }
  // 0 ld.param, 1 mov, 2 setp, 3 bra, 4 mov, 5 bra.uni, 6 mov (LOW), 7 add (JOIN), …
  EXPECT_EQ(diverged, std::vector<uint32_t>{3});
  EXPECT_EQ(met, std::vector<uint32_t>{7});
  EXPECT_EQ(names.back(), "ret");
  EXPECT_EQ(replay.steps().size(), 13u);
  for (const ReplayStep& s : replay.steps()) {
    EXPECT_EQ(s.paths, s.mask == kAll ? 1 : 2) << s.instruction;
    const bool store = opcode(replay, s) == "st";
    EXPECT_EQ((s.flags & kStepAccess) != 0, store) << s.instruction;
  }
}

TEST(Replay, GuardedInstructionsShowTheLanesWhoseGuardHolds) {
  const Replay replay = replay_of(
      kernel_text(
          "mov.u32 %r1, %tid.x; mov.u32 %r0, 5; setp.gt.u32 %q0, %r1, 15; @!%q0 mov.u32 %r0, 9;"
          "setp.gt.u32 %q1, %r1, 99; @%q1 mov.u32 %r0, 7; mov.u32 %r2, 1;" +
              kStoreR0,
          1),
      {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  EXPECT_EQ(replay.steps()[4].mask, 0xffffu);
  EXPECT_EQ(replay.steps()[6].mask, 0u);
  EXPECT_EQ(replay.steps()[7].mask, 0xffffffffu);
  for (const ReplayStep& s : replay.steps())
    EXPECT_EQ(s.flags & (kStepDiverges | kStepReconverges), 0) << s.instruction;
}

// Lanes 0 to 15 store 3 × lane in words 0 to 15 of `cells`, which has 32;
// every lane stores its number in local memory.
TEST(Replay, AStateHasSharedAndLocalMemoryAndWhatWasNeverWritten) {
  ReplayOptions options;
  options.max_trace = 100;
  Replay replay = replay_of(
      kernel_text(".shared .align 4 .b8 cells[128]; .local .align 8 .b8 own[8]; mov.u32 %r1, "
                  "%tid.x; mov.u32 %r2, own;"
                  "st.local.u32 [%r2+4], %r1; mov.u32 %r3, cells; shl.b32 %r4, %r1, 2; add.u32 "
                  "%r3, %r3, %r4; mul.lo.u32 %r5, %r1, 3;"
                  "setp.lt.u32 %q0, %r1, 16; @%q0 st.shared.u32 [%r3], %r5; mov.u32 %r0, %r5;" +
                      kStoreR0,
                  1),
      {1, 1, 1}, {32, 1, 1}, {Words(32, 0)}, options);
  const ReplayState begin = replay.at(0);
  EXPECT_EQ(std::count(begin.shared_written.begin(), begin.shared_written.end(), true), 0);
  EXPECT_EQ(std::count(begin.local_written.begin(), begin.local_written.end(), 0),
            32 * begin.local_bytes);
  const ReplayState end = replay.at(replay.steps().size() - 1);
  ASSERT_EQ(end.shared_written.size(), 32u);
  ASSERT_GE(end.local_bytes, 8u);
  for (size_t n = 0; n < 32; ++n) {
    uint32_t word = 0, own = 0;
    std::memcpy(&word, end.shared.data() + 4 * n, 4);
    std::memcpy(&own, end.local.data() + n * end.local_bytes + 4, 4);
    EXPECT_EQ(end.shared_written[n], n < 16) << n;
    EXPECT_TRUE(n >= 16 || word == 3 * n) << n;
    EXPECT_EQ(own, n);
    EXPECT_EQ(end.local_written[n * end.local_bytes], 0);
    EXPECT_NE(end.local_written[n * end.local_bytes + 4], 0);
  }
  // The trace has the accesses to shared and global memory.
  ASSERT_EQ(replay.trace().size(), 2u);
  EXPECT_EQ(replay.trace()[0].space, ptx::Space::kShared);
  EXPECT_EQ(replay.trace()[0].mask, 0xffffu);
  EXPECT_EQ(replay.trace()[0].address[5], 20u);
  EXPECT_EQ(opcode(replay, replay.steps()[replay.trace()[0].step]), "st");
  EXPECT_EQ(replay.trace()[1].space, ptx::Space::kGlobal);
  const std::vector<Program::SharedArray> arrays = replay.program().shared_arrays();
  EXPECT_EQ(arrays, (std::vector<Program::SharedArray>{{"cells", 0, 128}}));
}

TEST(Replay, TheReconvergenceStackNamesWhoWaitsWhereForWhom) {
  Replay replay = replay_of(kernel_text(kIfElse, 1), {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  const auto& steps = replay.steps();
  const auto low =
      static_cast<uint64_t>(std::find_if(steps.begin(), steps.end(),
                                         [](const ReplayStep& s) { return s.mask == 0x3ffu; }) -
                            steps.begin());
  const ReplayState state = replay.at(low);
  ASSERT_GE(state.paths.size(), 2u);
  EXPECT_EQ(state.paths[0].mask, 0xffffffffu);
  EXPECT_EQ(state.paths[0].depth, 0);
  EXPECT_EQ(state.paths[0].waits, ReplayPath::Waits::kForChildren);
  EXPECT_EQ(state.paths[0].next, 7);  // JOIN
  EXPECT_EQ(state.paths.back().mask, 0x3ffu);
  EXPECT_EQ(state.paths.back().depth, 1);
  EXPECT_EQ(state.paths.back().waits, ReplayPath::Waits::kNothing);
  EXPECT_EQ(state.paths.back().next, 6);
  EXPECT_EQ(state.paths.back().reconverges_at, 7);
}

TEST(Replay, RegistersAreThoseAfterTheStep) {
  // Lane l loops l times.
  Replay replay = replay_of(kernel_text("mov.u32 %r1, %tid.x; mov.u32 %r0, 0; LOOP: setp.ge.u32 "
                                        "%q0, %r0, %r1; @%q0 bra DONE; add.u32 %r0, %r0, 1;"
                                        "bra LOOP; DONE: shl.b32 %r0, %r0, 1;" +
                                            kStoreR0,
                                        1),
                            {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  int rounds = 0;
  for (uint64_t n = 0; n < replay.steps().size(); ++n) {
    if (opcode(replay, replay.steps()[n]) != "add" || replay.steps()[n].instruction != 5) continue;
    ++rounds;
    const ReplayState state = replay.at(n);
    const ReplayRegister& r0 = reg(state, "%r0");
    // In iteration k, lanes k … 31 are still running and have counted to k.
    const uint32_t running = ~uint32_t{0} << rounds;
    EXPECT_EQ(state.what.mask, running) << rounds;
    EXPECT_EQ(r0.changed, running) << rounds;
    EXPECT_TRUE(r0.written);
    EXPECT_EQ(r0.defined_by, 2);
    EXPECT_FALSE(reg(state, "%r31").written);
    for (uint64_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(r0.bits[lane], std::min<uint64_t>(lane, static_cast<uint64_t>(rounds)))
          << rounds << " lane " << lane;
    }
  }
  EXPECT_EQ(rounds, 31);
}

TEST(Replay, AStoreShowsWhatWasThereAndWhatIsThereNow) {
  Words before(32);
  for (uint32_t n = 0; n < 32; ++n) before[n] = 1000 + n;
  Replay replay = replay_of(kernel_text("mov.u32 %r0, %tid.x; add.u32 %r0, %r0, 7;" + kStoreR0, 1),
                            {1, 1, 1}, {32, 1, 1}, {before});
  const auto& steps = replay.steps();
  for (int round = 0; round < 2; ++round) {  // the second time, memory has already been written
    for (uint64_t n = 0; n < steps.size(); ++n) {
      if (!(steps[n].flags & kStepAccess)) continue;
      const ReplayState state = replay.at(n);
      ASSERT_EQ(state.accesses.size(), 1u);
      const ReplayAccess& access = state.accesses[0];
      EXPECT_EQ(access.bytes, 4);
      for (uint32_t lane = 0; lane < 32; ++lane) {
        uint32_t was = 0, is = 0;
        std::memcpy(&was, access.before[lane].data(), 4);
        std::memcpy(&is, access.after[lane].data(), 4);
        EXPECT_EQ(was, 1000 + lane);
        EXPECT_EQ(is, lane + 7);
      }
    }
  }
}

// 128 threads mirror 128 words of shared memory sixty times, then add to global memory.
const std::string kShared = ".shared .align 4 .b8 tile[512];";
const std::string kRounds =
    "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.u32 %r4, %r3, %r2; xor.b32 "
    "%r5, %r2, 508;"
    "add.u32 %r5, %r3, %r5; st.shared.u32 [%r4], %r1; mov.u32 %r6, 0;"
    "LOOP: bar.sync 0; ld.shared.u32 %r0, [%r5]; bar.sync 0; add.u32 %r0, %r0, 3; st.shared.u32 "
    "[%r4], %r0;"
    "add.u32 %r6, %r6, 1; setp.lt.u32 %q0, %r6, 60; @%q0 bra LOOP;"
    "mul.wide.u32 %l15, %r1, 4; add.s64 %l15, %p0, %l15; ld.global.u32 %r7, [%l15]; add.u32 %r7, "
    "%r7, %r0;"
    "st.global.u32 [%l15], %r7; ret;";

bool same_state(const ReplayState& a, const ReplayState& b) {
  if (a.shared != b.shared || a.registers.size() != b.registers.size() ||
      a.accesses.size() != b.accesses.size())
    return false;
  for (size_t n = 0; n < a.registers.size(); ++n) {
    if (a.registers[n].bits != b.registers[n].bits ||
        a.registers[n].written != b.registers[n].written)
      return false;
  }
  for (size_t n = 0; n < a.accesses.size(); ++n) {
    if (a.accesses[n].before != b.accesses[n].before || a.accesses[n].after != b.accesses[n].after)
      return false;
  }
  return true;
}

TEST(Replay, AnyOrderOfStepsGivesTheSameStatesWhateverTheCheckpoints) {
  ReplayOptions dense, sparse;
  dense.warp = sparse.warp = 2;
  sparse.checkpoint_bytes = 1;
  const std::string text = kernel_text(kRounds, 1, {}, kShared);
  Replay a = replay_of(text, {1, 1, 1}, {128, 1, 1}, {Words(128, 5)}, dense);
  Replay b = replay_of(text, {1, 1, 1}, {128, 1, 1}, {Words(128, 5)}, sparse);
  ASSERT_EQ(a.steps().size(), b.steps().size());
  ASSERT_GT(a.steps().size(), 480u);
  std::vector<uint64_t> order(a.steps().size());
  for (size_t n = 0; n < order.size(); ++n) order[n] = n;
  std::mt19937 random(1);
  std::shuffle(order.begin(), order.end(), random);
  for (uint64_t n : order) ASSERT_TRUE(same_state(a.at(n), b.at(n))) << n;
  // Each round mirrors the words and adds 3. 60 is even, so thread t holds t + 180.
  const ReplayState last = a.at(a.steps().size() - 2);  // the store
  ASSERT_EQ(last.accesses.size(), 1u);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t was = 0, is = 0;
    std::memcpy(&was, last.accesses[0].before[lane].data(), 4);
    std::memcpy(&is, last.accesses[0].after[lane].data(), 4);
    EXPECT_EQ(was, 5u);
    EXPECT_EQ(is, 5 + 64 + lane + 180);
  }
  // Going back to the first load restores shared memory as it was then: each lane reads its mirror.
  const auto& steps = a.steps();
  for (uint64_t n = 0; n < steps.size(); ++n) {
    if (opcode(a, steps[n]) != "ld" || !(steps[n].flags & kStepAccess)) continue;
    const ReplayState first = a.at(n);
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(reg(first, "%r0").bits[lane], 127 - (64 + lane));
    break;
  }
}

TEST(Replay, CheckpointsStayWithinTheirMemory) {
  ReplayOptions options;
  options.checkpoint_bytes = 100'000;
  const std::string text = kernel_text(
      "mov.u32 %r1, 0; LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %q0, %r1, 100000; @%q0 bra LOOP; "
      "mov.u32 %r0, %r1;" +
          kStoreR0,
      1);
  Replay replay = replay_of(text, {1, 1, 1}, {32, 1, 1}, {Words(32, 0)}, options);
  EXPECT_GT(replay.checkpoints(), 3u);
  EXPECT_LE(replay.checkpoint_bytes(), 100'000u);
  EXPECT_FALSE(replay.truncated());
  ASSERT_GT(replay.steps().size(), 300'000u);
  // Step 2 + 3 k is the k-th addition.
  for (uint64_t k : {99'999ull, 0ull, 50'000ull, 49'999ull}) {
    const ReplayState state = replay.at(2 + 3 * k);
    EXPECT_EQ(reg(state, "%r1").bits[0], k + 1);
  }
  options.max_steps = 1000;
  EXPECT_TRUE(replay_of(text, {1, 1, 1}, {32, 1, 1}, {Words(32, 0)}, options).truncated());
}

// Counts the accesses of one warp that the launch reports.
class Records final : public AccessSinkFactory, public AccessSink {
 public:
  AccessSink* make_sink(const std::vector<AccessSite>&, int) override { return this; }
  void on_access(const WarpIdentity& who, const AccessSite&, const WarpAccess& access) override {
    if (who.linear_block == 1 && who.warp == 3) records.push_back(access);
  }
  std::vector<WarpAccess> records;
};

TEST(Replay, AccessesAreNumberedAsTheLaunchTellsThem) {
  const std::string text = kernel_text(kRounds, 1, {}, kShared);
  Launched l = prepare(text, {2, 1, 1}, {128, 1, 1}, {Words(128, 5)});
  Records records;
  LaunchOptions options;
  options.threads = 1;
  options.accesses = &records;
  ASSERT_TRUE(launch(*l.program, l.memory, l.config, options).ok());
  ReplayOptions which;
  which.block = 1;
  which.warp = 3;
  Replay replay = replay_of(text, {2, 1, 1}, {128, 1, 1}, {Words(128, 5)}, which);
  size_t number = 0;
  for (uint64_t n = 0; n < replay.steps().size(); ++n) {
    const ReplayStep& step = replay.steps()[n];
    EXPECT_EQ(step.first_access, number);
    if (step.accesses == 0) continue;
    const ReplayState state = replay.at(n);
    ASSERT_EQ(state.accesses.size(), step.accesses);
    for (const ReplayAccess& access : state.accesses) {
      ASSERT_LT(number, records.records.size());
      EXPECT_EQ(access.site, records.records[number].site);
      EXPECT_EQ(access.address, records.records[number].address);
      ++number;
    }
  }
  EXPECT_EQ(number, records.records.size());
}

TEST(Replay, ALockBetweenLanesOfAWarpIsFollowedThroughEveryTurn) {
  // Each lane takes the lock, adds one, and releases it.
  const std::string text = kernel_text(
      "TRY: atom.global.cas.b32 %r1, [%p0], 0, 1; setp.ne.u32 %q0, %r1, 0; @%q0 bra TRY;"
      "ld.volatile.global.u32 %r2, [%p0+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%p0+4], "
      "%r2;"
      "membar.gl; atom.global.exch.b32 %r3, [%p0], 0; ret;",
      1);
  ReplayOptions dense, sparse;
  sparse.checkpoint_bytes = 1;
  Replay a = replay_of(text, {1, 1, 1}, {32, 1, 1}, {Words(2, 0)}, dense);
  Replay b = replay_of(text, {1, 1, 1}, {32, 1, 1}, {Words(2, 0)}, sparse);
  EXPECT_FALSE(a.truncated());
  ASSERT_EQ(a.steps().size(), b.steps().size());
  uint32_t turns = 0;
  for (uint64_t n = 0; n < a.steps().size(); ++n) {
    if (opcode(a, a.steps()[n]) != "add") continue;
    turns += static_cast<uint32_t>(std::popcount(a.steps()[n].mask));
    const ReplayState state = a.at(n);
    ASSERT_TRUE(same_state(state, b.at(n)));
    EXPECT_EQ(reg(state, "%r2").bits[static_cast<size_t>(std::countr_zero(state.what.mask))],
              turns);
  }
  EXPECT_EQ(turns, 32u);
}

TEST(Replay, AStepInWhichSomethingIsWrongIsMarked) {
  // The last lane writes past the end of the buffer.
  const Replay replay =
      replay_of(kernel_text("mov.u32 %r0, %tid.x; mul.wide.u32 %l15, %r0, 4; add.s64 %l15, %p0, "
                            "%l15; st.global.u32 [%l15+4], %r0; ret;",
                            1),
                {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  int marked = 0;
  for (const ReplayStep& s : replay.steps()) {
    if (!(s.flags & kStepFinding)) continue;
    ++marked;
    EXPECT_EQ(opcode(replay, s), "st");
  }
  EXPECT_EQ(marked, 1);
}

TEST(Replay, OtherBlocksAndWarpsThanTheLaunchHasAreRefused) {
  const std::string text = kernel_text(kIfElse, 1);
  for (const auto& [block, warp] : {std::pair{2, 0}, std::pair{0, 1}}) {
    Launched l = prepare(text, {2, 1, 1}, {32, 1, 1}, {Words(32, 0)});
    ReplayOptions options;
    options.block = static_cast<uint64_t>(block);
    options.warp = static_cast<uint32_t>(warp);
    EXPECT_FALSE(Replay::open(*l.program, std::move(l.memory), std::move(l.config), options).ok());
  }
}

// Checkpoints do not include memory from malloc.
TEST(Replay, KernelsWithAHeapAreRefused) {
  Launched l = prepare(
      kernel_text(
          "{ .param .b64 p; .param .b64 q; st.param.b64 [p], 8; call.uni (q), malloc, (p); } ret;",
          1, ".extern .func (.param .b64 r) malloc(.param .b64 a);"),
      {1, 1, 1}, {32, 1, 1}, {Words(32)});
  const Result<Replay> replay =
      Replay::open(*l.program, std::move(l.memory), std::move(l.config), {});
  ASSERT_FALSE(replay.ok());
  EXPECT_NE(render(replay.errors()).find("malloc"), std::string::npos);
}

}  // namespace
}  // namespace warpshop::emulator::testing

// Random kernels: compares the emulator, which runs 32 lanes at a time, with an executor that runs
// one lane after another and knows nothing of warps.
#include "kernel_fixture.h"
#include "random_program.h"

namespace warpshop::emulator::testing {
namespace {

constexpr uint32_t kRandomBlocks = 2;
constexpr uint32_t kRandomThreads = 80;  // two full warps and half of one

// Variations of a launch that must not change its results.
struct LaunchWay {
  const char* name;
  bool independent_threads;
  uint64_t order_seed;
  int threads;
};
const LaunchWay kWays[] = {
    {"ascending", true, 0, 1},
    {"old_gpu", false, 0, 1},
    {"shuffled_on_two_threads", true, 77, 2},
};

uint32_t random_word(Random& random) {
  constexpr uint32_t kOdd[] = {0,          1,          2,          7,          31,
                               32,         0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000,
                               0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                               0x80000001, 0x00800000};
  switch (random() % 4) {
    case 0:
      return kOdd[random() % std::size(kOdd)];
    case 1:
      return static_cast<uint32_t>(random() % 64);
    case 2:
      return 0x3f000000 + static_cast<uint32_t>(random() % 0x02000000);  // floats near 1
    default:
      return static_cast<uint32_t>(random());
  }
}

bool same_bits(char register_class, Bits a, Bits b) {
  if (register_class == 'f') {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(a)),
               y = std::bit_cast<float>(static_cast<uint32_t>(b));
    if (x != x && y != y) return true;  // all NaNs are equal
  }
  if (register_class == 'd') {
    const auto x = std::bit_cast<double>(a), y = std::bit_cast<double>(b);
    if (x != x && y != y) return true;
  }
  return a == b;
}

// One class of a thread's registers; each takes `words` words in the kernel's inputs and outputs.
struct Layout {
  char register_class;
  int count;
  int words;
};
constexpr Layout kLayout[] = {{'r', kR, 1}, {'f', kF, 1}, {'l', kL, 2}, {'d', kD, 2}};

template <typename Visit>
void each_register(const Visit& visit) {
  size_t word = 0;
  for (const Layout& part : kLayout) {
    for (int n = 0; n < part.count; ++n, word += static_cast<size_t>(part.words))
      visit(part, n, word);
  }
}

Bits read(const uint32_t* words, const Layout& part, size_t word) {
  return part.words == 1 ? words[word] : Bits{words[word + 1]} << 32 | words[word];
}

// Empty if the kernel generated from this seed gives the same results as the executor.
std::string difference(uint64_t seed, const Shape& shape, const LaunchWay& way) {
  Random random(seed);
  const RandomProgram program = random_program(random, shape);
  const std::string text = ptx_of(program, kRandomThreads);
  const uint32_t threads = kRandomBlocks * kRandomThreads;
  std::vector<Words> buffers{Words(threads * kInputWords), Words(threads * kOutputWords),
                             Words(threads * kMemoryWords), Words(kSumWords)};
  for (uint32_t& word : buffers[0]) word = random_word(random);
  const Words inputs = buffers[0];

  LaunchOptions options;
  options.limits.independent_threads = way.independent_threads;
  options.order_seed = way.order_seed;
  options.threads = way.threads;
  const KernelRun run =
      run_ptx(text, {kRandomBlocks, 1, 1}, {kRandomThreads, 1, 1}, std::move(buffers), options);
  const std::string story = "seed " + std::to_string(seed) + "\n" + text;
  if (!run.errors.empty()) return errors_of(run) + story;
  if (!run.result.findings.empty()) return run.result.findings[0].message + "\n" + story;

  std::array<uint32_t, kSumWords> sums{};
  for (uint32_t t = 0; t < threads; ++t) {
    LaneState lane;
    each_register([&](const Layout& part, int n, size_t word) {
      lane.at(part.register_class, n) = read(inputs.data() + t * kInputWords, part, word);
    });
    execute(program, lane, sums);
    const uint32_t* out = run.buffers[1].data() + t * kOutputWords;
    std::string wrong;
    each_register([&](const Layout& part, int n, size_t word) {
      const Bits got = read(out, part, word), expected = lane.at(part.register_class, n);
      if (wrong.empty() && !same_bits(part.register_class, got, expected)) {
        wrong = std::string(1, part.register_class) + std::to_string(n) + " is " +
                std::to_string(got) + ", not " + std::to_string(expected);
      }
    });
    for (size_t w = 0; w < kMemoryWords && wrong.empty(); ++w) {
      if (out[kInputWords + w] != lane.memory[w])
        wrong = "word " + std::to_string(w) + " of its memory";
    }
    if (!wrong.empty()) return "thread " + std::to_string(t) + ": " + wrong + "\n" + story;
  }
  for (size_t w = 0; w < kSumWords; ++w) {
    if (run.buffers[3][w] != sums[w]) return "sum " + std::to_string(w) + "\n" + story;
  }
  return {};
}

class DifferentialTest : public ::testing::TestWithParam<LaunchWay> {};

TEST_P(DifferentialTest, AThousandKernelsWithDivergence) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string wrong = difference(seed, {.statements = 40, .control = true}, GetParam());
    if (!wrong.empty()) FAIL() << wrong;
  }
}

TEST_P(DifferentialTest, FiveHundredKernelsOfExpressions) {
  for (uint64_t seed = 5000; seed < 5500; ++seed) {
    const std::string wrong = difference(seed, {.statements = 120, .control = false}, GetParam());
    if (!wrong.empty()) FAIL() << wrong;
  }
}
INSTANTIATE_TEST_SUITE_P(Ways, DifferentialTest, ::testing::ValuesIn(kWays),
                         [](const auto& test) { return std::string(test.param.name); });

// Shows that the comparison can fail: a different program gives different results.
TEST(Differential, SeesADifference) {
  Random random(3);
  const RandomProgram program = random_program(random, {.statements = 40, .control = true});
  LaneState one, two;
  std::array<uint32_t, kSumWords> sums{};
  one.r.fill(1);
  two.r.fill(2);
  execute(program, one, sums);
  execute(program, two, sums);
  EXPECT_NE(one.r, two.r);
}

}  // namespace
}  // namespace warpshop::emulator::testing

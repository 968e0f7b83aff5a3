// cuRAND's generators in kernels, against implementations made here from the papers:
//   Philox4x32-10: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
//   XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003); the state of a
//   seed and the distance of 2^67 between subsequences are cuRAND's (cuRAND manual, "Bit Generation
//   with XORWOW").
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cstring>
#include <vector>

#include "program.h"

namespace warpshop::cli {
namespace {

using Block = std::array<uint32_t, 4>;

Block philox(Block counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xD2511F53} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
        static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

struct Xorwow {
  std::array<uint32_t, 5> v;
  uint32_t d;

  explicit Xorwow(uint64_t seed) {
    const uint32_t low = (static_cast<uint32_t>(seed) ^ 0xaad26b49u) * 1099087573u;
    const uint32_t high = (static_cast<uint32_t>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    d = 6615241u + high + low;
    v = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low};
  }
  static std::array<uint32_t, 5> step(std::array<uint32_t, 5> v) {
    const uint32_t t = v[0] ^ (v[0] >> 2);
    return {v[1], v[2], v[3], v[4], v[4] ^ (v[4] << 4) ^ t ^ (t << 1)};
  }
  uint32_t next() {
    v = step(v);
    d += 362437;
    return v[4] + d;
  }
};

// The step is linear over bits: 2^67 steps are its matrix, squared 67 times. d returns to its
// start.
class FarStep {
 public:
  FarStep() {
    for (size_t bit = 0; bit < kBits; ++bit) {
      std::array<uint32_t, 5> v{};
      v[bit / 32] = 1u << bit % 32;
      columns_[bit] = bits_of(Xorwow::step(v));
    }
    for (int n = 0; n < 67; ++n) {
      std::array<Bits, kBits> squared;
      for (size_t bit = 0; bit < kBits; ++bit) squared[bit] = times(columns_[bit]);
      columns_ = squared;
    }
  }
  void apply(Xorwow& generator) const {
    const Bits bits = times(bits_of(generator.v));
    for (size_t bit = 0; bit < kBits; ++bit) {
      if (bit % 32 == 0) generator.v[bit / 32] = 0;
      generator.v[bit / 32] |= static_cast<uint32_t>(bits[bit]) << bit % 32;
    }
  }

 private:
  static constexpr size_t kBits = 160;
  using Bits = std::bitset<kBits>;
  static Bits bits_of(const std::array<uint32_t, 5>& v) {
    Bits bits;
    for (size_t bit = 0; bit < kBits; ++bit) bits[bit] = ((v[bit / 32] >> bit % 32) & 1u) != 0;
    return bits;
  }
  Bits times(const Bits& vector) const {
    Bits product;
    for (size_t bit = 0; bit < kBits; ++bit) {
      if (vector[bit]) product ^= columns_[bit];
    }
    return product;
  }
  std::array<Bits, kBits> columns_;
};

// In (0, 1]: the midpoints of 2^32 intervals, rounded to float.
float uniform(uint32_t x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }

template <typename T>
std::vector<T> values_of(const Program& program, const std::string& file) {
  const std::string bytes = program.folder().read(file);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// Random123's known answers (kat_vectors).
TEST(RandomNumbers, TheTestsOwnPhiloxIsThePapers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomNumbers, PhiloxAndXorwowAreThePapers) {
  const Program program;
  program.folder().write("k.cu", R"(#include <curand_kernel.h>
__global__ void k(uint4* blocks, unsigned* words, float* uniforms, unsigned* xorwow,
                  float* xorwow_uniforms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long seed = 0x123456789abcdefull;
  curandStatePhilox4_32_10_t philox;
  curand_init(seed, i, 8, &philox);
  blocks[i] = curand4(&philox);
  curand_init(seed, i, 3, &philox);
  words[2 * i] = curand(&philox);
  words[2 * i + 1] = curand(&philox);
  uniforms[i] = curand_uniform(&philox);
  curandState state;
  curand_init(seed, i, 5, &state);
  xorwow[2 * i] = curand(&state);
  xorwow[2 * i + 1] = curand(&state);
  xorwow_uniforms[i] = curand_uniform(&state);
}
)");
  const Outcome outcome = program.run(
      "run k.cu --kernel k --grid 2 --block 32 --arg u32[256]=none --arg u32[128]=none --arg "
      "f32[64]=none --arg u32[128]=none --arg f32[64]=none --dump d");
  if (outcome.err.find("curand_kernel.h") != std::string::npos)
    GTEST_SKIP() << "cuRAND's headers were not fetched";
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  const auto blocks = values_of<uint32_t>(program, "d/k.0.bin");
  const auto words = values_of<uint32_t>(program, "d/k.1.bin");
  const auto uniforms = values_of<float>(program, "d/k.2.bin");
  const auto xorwow = values_of<uint32_t>(program, "d/k.3.bin");
  const auto xorwow_uniforms = values_of<float>(program, "d/k.4.bin");
  ASSERT_EQ(xorwow_uniforms.size(), 64U);
  const std::array<uint32_t, 2> key = {0x89abcdef, 0x01234567};
  const FarStep far;
  Xorwow first(0x123456789abcdef);
  for (uint32_t i = 0; i < 64; ++i) {
    SCOPED_TRACE(i);
    const Block third = philox({2, 0, i, 0}, key);
    EXPECT_EQ((Block{blocks[4 * i], blocks[4 * i + 1], blocks[4 * i + 2], blocks[4 * i + 3]}),
              third);
    const Block second = philox({1, 0, i, 0}, key);
    EXPECT_EQ(words[2 * i], philox({0, 0, i, 0}, key)[3]);
    EXPECT_EQ(words[2 * i + 1], second[0]);
    EXPECT_EQ(uniforms[i], uniform(second[1]));
    Xorwow mine = first;
    for (int skipped = 0; skipped < 5; ++skipped) mine.next();
    EXPECT_EQ(xorwow[2 * i], mine.next());
    EXPECT_EQ(xorwow[2 * i + 1], mine.next());
    EXPECT_EQ(xorwow_uniforms[i], uniform(mine.next()));
    far.apply(first);
  }
}

}  // namespace
}  // namespace warpshop::cli

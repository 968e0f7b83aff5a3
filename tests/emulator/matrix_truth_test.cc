// Every form of mma.sync, compared bit for bit with an H200's results. matrix_truth/README.md
// explains how the data was made.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernel_fixture.h"
#include "matrix_truth/elements.h"

namespace warpshop::emulator::testing {
namespace {

struct MatrixRow {
  uint64_t hash = 0;
  uint32_t registers[4] = {};  // A, B, C, D
  int bits[3] = {};
  int exponent_bits[3] = {};
  uint32_t rounds = 0;
  std::string form;
  uint32_t words() const { return bits[0] == 64 ? 2 : 1; }  // per register
};

std::vector<MatrixRow> read_rows() {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/matrix_truth/h200.txt");
  std::vector<MatrixRow> rows;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream s(line);
    MatrixRow r;
    s >> std::hex >> r.hash >> std::dec;
    for (uint32_t& n : r.registers) s >> n;
    for (int n = 0; n < 3; ++n) s >> r.bits[n] >> r.exponent_bits[n];
    std::string bar;
    s >> r.rounds >> bar >> r.form;
    rows.push_back(r);
  }
  return rows;
}

Words input_of(const MatrixRow& row) {
  Words in;
  for (uint32_t round = 0; round < row.rounds; ++round) {
    for (uint32_t operand = 0; operand < 3; ++operand) {
      for (uint32_t reg = 0; reg < row.registers[operand]; ++reg) {
        for (uint32_t lane = 0; lane < 32; ++lane) {
          const int bits = row.bits[operand];
          if (bits == 64) {
            const uint64_t value = matrix_truth::double_element(round, operand, reg, lane);
            in.push_back(static_cast<uint32_t>(value));
            in.push_back(static_cast<uint32_t>(value >> 32));
            continue;
          }
          const auto each = static_cast<uint32_t>(32 / bits);
          uint32_t word = 0;
          for (uint32_t j = 0; j < each; ++j) {
            word |= matrix_truth::matrix_element(round, operand, (reg * 32 + lane) * each + j, bits,
                                                 row.exponent_bits[operand])
                    << (static_cast<uint32_t>(bits) * j % 32);
          }
          in.push_back(word);
        }
      }
    }
  }
  return in;
}

std::string kernel_of(const MatrixRow& row) {
  const std::string type = row.words() == 2 ? ".b64" : ".b32";
  const uint32_t bytes = 4 * row.words();
  const uint32_t inputs = row.registers[0] + row.registers[1] + row.registers[2];
  std::string body =
      ".reg " + type +
      " %v<32>; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mul.wide.u32 %l1, %r1, " +
      std::to_string(bytes) + "; mul.wide.u32 %l2, %r0, " + std::to_string(inputs * 32 * bytes) +
      "; add.u64 %p0, %p0, %l1; add.u64 %p0, %p0, %l2; mul.wide.u32 %l2, %r0, " +
      std::to_string(row.registers[3] * 32 * bytes) +
      "; add.u64 %p1, %p1, %l1; add.u64 %p1, %p1, %l2;\n";
  for (uint32_t n = 0; n < inputs; ++n) {
    body += "ld.global" + type + " %v" + std::to_string(n) + ", [%p0+" +
            std::to_string(n * 32 * bytes) + "];\n";
  }
  auto list = [](uint32_t first, uint32_t count) {
    std::string text = "{";
    for (uint32_t n = 0; n < count; ++n) text += (n ? ", %v" : "%v") + std::to_string(first + n);
    return text + "}";
  };
  const uint32_t b = row.registers[0];
  const uint32_t c = b + row.registers[1];
  body += row.form + " " + list(inputs, row.registers[3]) + ", " + list(0, b) + ", " +
          list(b, c - b) + ", " + list(c, inputs - c) + ";\n";
  for (uint32_t n = 0; n < row.registers[3]; ++n) {
    body += "st.global" + type + " [%p1+" + std::to_string(n * 32 * bytes) + "], %v" +
            std::to_string(inputs + n) + ";\n";
  }
  return kernel_text(body + "ret;", 2);
}

uint64_t matrix_hash(const Words& words) {
  uint64_t hash = 1469598103934665603u;
  for (uint32_t word : words) {
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xffu)) * 1099511628211u;
  }
  return hash;
}

TEST(MatrixTruth, EveryProductIsWhatTheHardwareGave) {
  const std::vector<MatrixRow> rows = read_rows();
  ASSERT_EQ(rows.size(), 82u);
  for (const MatrixRow& row : rows) {
    SCOPED_TRACE(row.form);
    const KernelRun run =
        run_ptx(kernel_of(row), {row.rounds, 1, 1}, {32, 1, 1},
                {input_of(row), Words(row.rounds * row.registers[3] * 32 * row.words())});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.findings.empty());
    EXPECT_EQ(matrix_hash(run.buffers[1]), row.hash);
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing

// Random kernels with branches, loops, calls and private memory: as PTX, and executed lane by lane.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "host_operations.h"

namespace warpshop::emulator::testing {

using Random = std::mt19937_64;

constexpr int kR = 8, kL = 4, kF = 4, kD = 4;  // registers of each class
constexpr int kMemoryWords = 16;               // per lane
constexpr int kSumWords = 8;                   // every lane adds to these
constexpr int kInputWords = kR + 2 * kL + kF + 2 * kD;
constexpr int kOutputWords = kInputWords + kMemoryWords;

struct LaneState {
  std::array<Bits, kR> r{};
  std::array<Bits, kL> l{};
  std::array<Bits, kF> f{};
  std::array<Bits, kD> d{};
  std::array<uint32_t, kMemoryWords> memory{};
  Bits& at(char register_class, int index);
};

struct Source {
  bool is_immediate = false;
  uint32_t value = 0;  // register number, or the immediate
};

struct Condition {
  const Comparison* comparison = nullptr;
  int a = 0, b = 0;
};

struct Statement {
  enum class Kind {
    kAssign,
    kIf,
    kLoop,
    kBreak,
    kContinue,
    kReturn,
    kExit,
    kSwitch,
    kCall,
    kLoad,
    kStore,
    kSum
  };
  Kind kind = Kind::kAssign;
  const Operation* operation = nullptr;
  std::vector<Source> sources;
  int destination = 0;
  int index = 0;  // register with the loop count, switch selector, address or call argument
  int function = 0;
  Condition condition;
  std::vector<std::vector<Statement>> bodies;
};

enum class PrivateSpace { kGlobal, kShared, kLocal };

struct RandomProgram {
  PrivateSpace space = PrivateSpace::kGlobal;
  std::vector<std::vector<Statement>> functions;  // each with one argument and one result, in r0
  std::vector<Statement> body;
};

struct Shape {
  int statements = 40;
  bool control = true;  // false: expressions only
};

RandomProgram random_program(Random& random, const Shape& shape);

// A kernel `k` with the parameters inputs, outputs, memory (kGlobal) and
// sums. The words of a thread are contiguous.
std::string ptx_of(const RandomProgram& program, int threads_of_a_block);

// Runs the kernel for one lane; adds to `sums`.
void execute(const RandomProgram& program, LaneState& lane, std::array<uint32_t, kSumWords>& sums);

}  // namespace warpshop::emulator::testing

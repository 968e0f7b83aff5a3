// Which registers each kind of instruction writes and reads.
#include "ptx/operand_registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Registers {
  std::vector<std::string> written, read;
};

Registers registers_of(const std::string& instruction) {
  const std::string text = R"(.version 9.0
.target sm_90a
.address_size 64
.func (.param .b32 result) f (.param .b32 a) { ret; }
.entry k () {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>;
  .param .b32 x; .param .b32 y;
  )" + instruction + "\n  ret;\n}\n";
  const ParseOutput output = parse(text, "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  const Function& function = *output.module.find_function("k");
  EXPECT_TRUE(function.problems.empty()) << render(function.problems, text);
  const auto names = [&](const std::vector<int>& indices) {
    std::vector<std::string> out;
    for (const int r : indices) out.push_back(function.registers[static_cast<size_t>(r)].name);
    return out;
  };
  const Instruction& i = function.body.front();
  return {names(written_registers(i)), names(read_registers(i))};
}

TEST(OperandRegisters, ArithmeticWritesItsFirstOperandAndReadsTheOthersAndTheGuard) {
  const Registers found = registers_of("@%p1 fma.rn.f32 %f0, %f1, %f2, %f0;");
  EXPECT_THAT(found.written, ElementsAre("%f0"));
  EXPECT_THAT(found.read, ElementsAre("%f1", "%f2", "%f0", "%p1"));
}

TEST(OperandRegisters, VectorLoadsWriteEachElement) {
  const Registers found = registers_of("ld.global.v2.f32 {%f1, %f2}, [%rd3+8];");
  EXPECT_THAT(found.written, ElementsAre("%f1", "%f2"));
  EXPECT_THAT(found.read, ElementsAre("%rd3"));
}

TEST(OperandRegisters, StoresReductionsAndCopiesOnlyRead) {
  for (const char* text : {"st.global.b32 [%rd1], %r2;", "red.global.add.u32 [%rd1], %r2;"}) {
    const Registers found = registers_of(text);
    EXPECT_THAT(found.written, IsEmpty()) << text;
    EXPECT_THAT(found.read, ElementsAre("%rd1", "%r2")) << text;
  }
  const Registers copy = registers_of("cp.async.ca.shared.global [%r1], [%rd2], 4;");
  EXPECT_THAT(copy.written, IsEmpty());
  EXPECT_THAT(copy.read, ElementsAre("%r1", "%rd2"));
}

TEST(OperandRegisters, OnlyABarrierThatReducesHasAResult) {
  EXPECT_THAT(registers_of("barrier.sync %r1, %r2;").written, IsEmpty());
  EXPECT_THAT(registers_of("barrier.sync %r1, %r2;").read, ElementsAre("%r1", "%r2"));
  const Registers found = registers_of("barrier.red.popc.u32 %r0, %r1, %p2;");
  EXPECT_THAT(found.written, ElementsAre("%r0"));
  EXPECT_THAT(found.read, ElementsAre("%r1", "%p2"));
}

TEST(OperandRegisters, ASleepReadsItsTime) {
  EXPECT_THAT(registers_of("nanosleep.u32 %r3;").written, IsEmpty());
  EXPECT_THAT(registers_of("nanosleep.u32 %r3;").read, ElementsAre("%r3"));
}

TEST(OperandRegisters, AShuffleWritesItsPredicateToo) {
  const Registers found = registers_of("shfl.sync.idx.b32 %r0|%p1, %r2, %r3, 31, -1;");
  EXPECT_THAT(found.written, ElementsAre("%r0", "%p1"));
}

TEST(OperandRegisters, ACallWithoutAResultWritesNothing) {
  EXPECT_THAT(registers_of("call (x), f, (y);").written, IsEmpty());
  EXPECT_THAT(registers_of("call (%r1), f, (%r2);").written, ElementsAre("%r1"));
}

}  // namespace
}  // namespace warpshop::ptx

// A kernel's machine code with the PTX line of each instruction.
#include "compile/kernel_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "compile/compiler.h"

namespace warpshop::compile {
namespace {

CompileOutput compiled(const std::string& source, const std::string& architecture = "sm_90") {
  const auto compiler = Compiler::load();
  EXPECT_TRUE(compiler.ok());
  CompileInput input;
  input.source = source;
  input.file_name = "code.cu";
  input.prelude = false;
  input.architecture = architecture;
  auto output = compiler->compile(input);
  EXPECT_TRUE(output.ok()) << render(output.errors(), source);
  return *output;
}

const char* const kSource = R"(
extern "C" __global__ void scale(float* p, float f) { p[threadIdx.x] *= f; }
extern "C" __global__ void copy(const double* in, double* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
)";

struct OpcodeCase {
  const char* kernel;
  unsigned opcode;      // bits 0 to 8 of the instruction
  const char* in_line;  // text of its PTX line
};

// Opcodes as nvdisasm 13.0 shows them: LDG 0x181, STG 0x186, FMUL 0x020.
const OpcodeCase kOpcodes[] = {
    {"scale", 0x181, "ld.global.f32"}, {"scale", 0x186, "st.global.f32"},
    {"scale", 0x020, "mul.f32"},       {"copy", 0x181, "ld.global"},
    {"copy", 0x186, "st.global"},
};

class KernelCodeOf : public testing::TestWithParam<const char*> {};

TEST_P(KernelCodeOf, EachInstructionKnowsItsPtxLine) {
  const CompileOutput output = compiled(kSource, GetParam());
  std::vector<std::string> lines(1);
  std::istringstream text(output.ptx);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  for (const OpcodeCase& c : kOpcodes) {
    const Result<std::vector<MachineInstruction>> code = read_kernel_code(output.cubin, c.kernel);
    ASSERT_TRUE(code.ok());
    const auto found = std::find_if(code->begin(), code->end(),
                                    [&](const auto& i) { return (i.low & 0x1ff) == c.opcode; });
    ASSERT_NE(found, code->end()) << c.kernel << " " << c.opcode;
    ASSERT_GT(found->ptx_line, 0);
    ASSERT_LT(static_cast<size_t>(found->ptx_line), lines.size());
    EXPECT_NE(lines[static_cast<size_t>(found->ptx_line)].find(c.in_line), std::string::npos)
        << lines[static_cast<size_t>(found->ptx_line)];
  }
}

// Those of the GPU profiles; cubins before 9.0 have another kind of relocations.
INSTANTIATE_TEST_SUITE_P(Architectures, KernelCodeOf,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90",
                                         "sm_100", "sm_120"));

TEST(KernelCode, AMissingKernelIsNamed) {
  const Result<std::vector<MachineInstruction>> code =
      read_kernel_code(compiled(kSource).cubin, "absent");
  ASSERT_FALSE(code.ok());
  EXPECT_NE(render(code.errors()).find("\"absent\""), std::string::npos);
}

TEST(KernelCode, ATruncatedCubinIsAnError) {
  std::vector<uint8_t> cubin = compiled(kSource).cubin;
  for (const size_t size : {size_t{0}, size_t{40}, cubin.size() / 2, cubin.size() - 100}) {
    const std::vector<uint8_t> part(cubin.begin(), cubin.begin() + static_cast<ptrdiff_t>(size));
    const Result<std::vector<MachineInstruction>> code = read_kernel_code(part, "scale");
    if (code.ok()) {
      for (const auto& i : *code) EXPECT_GE(i.ptx_line, 0);
    }
  }
}

}  // namespace
}  // namespace warpshop::compile

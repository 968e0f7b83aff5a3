// Machine code as text: parsing nvdisasm's output, and running nvdisasm.
#include "compile/sass.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compile/compiler.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

// Output of nvdisasm 13.2 `-c -gp`, shortened.
constexpr std::string_view kDisassembly = R"(	.target	sm_90

//--------------------- .text._Z5scalePKfPfi   --------------------------
	.section	.text._Z5scalePKfPfi,"ax",@progbits
	.align	128
        .global         _Z5scalePKfPfi
_Z5scalePKfPfi:
.text._Z5scalePKfPfi:
	//## File ".nv_debug_ptx_txt", line 23
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File ".nv_debug_ptx_txt", line 51
        /*0010*/                   ISETP.GT.AND P0, PT, R0, RZ, PT ;
        /*0020*/              @!P0 BRA `(.L_x_0) ;
.L_x_0:
	//## File ".nv_debug_ptx_txt", line 60
        /*0030*/                   EXIT ;
.L_x_1:

//--------------------- .nv.shared._Z5scalePKfPfi   --------------------------
	.section	.nv.shared._Z5scalePKfPfi,"aw",@nobits
        /*0040*/                   NOP ;
//--------------------- .text.other   --------------------------
        /*0000*/                   RET.REL.NODEC R2 ;
)";

TEST(Sass, LinesHaveTheirAddressesAndPtxLines) {
  const std::vector<SassKernel> kernels = read_disassembly(kDisassembly);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "_Z5scalePKfPfi");
  struct Line {
    std::string text;
    int64_t address;
    int ptx_line;
  };
  const Line expected[] = {{"LDC R1, c[0x0][0x28] ;", 0, 23},
                           {"ISETP.GT.AND P0, PT, R0, RZ, PT ;", 16, 51},
                           {"@!P0 BRA L_x_0 ;", 32, 51},
                           {"L_x_0:", -1, 0},
                           {"EXIT ;", 48, 60},
                           {"L_x_1:", -1, 0}};
  ASSERT_EQ(kernels[0].lines.size(), std::size(expected));
  for (size_t n = 0; n < std::size(expected); ++n) {
    EXPECT_EQ(kernels[0].lines[n].text, expected[n].text);
    EXPECT_EQ(kernels[0].lines[n].address, expected[n].address);
    EXPECT_EQ(kernels[0].lines[n].ptx_line, expected[n].ptx_line);
  }
  ASSERT_EQ(kernels[1].lines.size(), 1u);
  EXPECT_EQ(kernels[1].lines[0].ptx_line, 0);  // a line of the previous kernel does not carry over
}

TEST(Sass, WhateverTheTextItIsReadToItsEnd) {
  for (const char* text : {"", "/*0000*/", "//--------------------- .text.", "//## File", "/*00",
                           "//--------------------- .text.k\n/*zz*/ X ;\n/*0*/"}) {
    for (const SassKernel& kernel : read_disassembly(text))
      EXPECT_TRUE(kernel.lines.empty()) << text;
  }
}

// A stand-in for nvdisasm; restores WARPSHOP_NVDISASM afterwards.
class SassProgram : public testing::Test {
 protected:
  SassProgram() {
    if (const char* before = std::getenv("WARPSHOP_NVDISASM")) before_ = before;
    folder_ = fs::temp_directory_path() / ("warpshop-sass-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  ~SassProgram() override {
    before_.empty() ? unsetenv("WARPSHOP_NVDISASM")
                    : setenv("WARPSHOP_NVDISASM", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void put(const std::string& script) {
    const fs::path file = folder_ / "nvdisasm";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
    setenv("WARPSHOP_NVDISASM", file.c_str(), 1);
  }
  std::string before_;
  fs::path folder_;
};

TEST_F(SassProgram, GetsTheCubinInAFileThatIsGoneAfterwards) {
  put("[ \"$1 $2\" = '-c -gp' ] || exit 9\n"
      "echo '//--------------------- .text.k   ---'\n"
      "echo \"/*0000*/ $(cat \"$3\") ;\"\n"
      "echo \"/*0010*/ $3 ;\"\n");
  const Result<std::vector<SassKernel>> read = disassemble({'N', 'O', 'P'}, nullptr);
  ASSERT_TRUE(read.ok()) << render(read.errors());
  ASSERT_EQ(read->size(), 1u);
  ASSERT_EQ(read->front().lines.size(), 2u);
  EXPECT_EQ(read->front().lines[0].text, "NOP ;");
  const std::string file = read->front().lines[1].text;
  EXPECT_FALSE(fs::exists(file.substr(0, file.size() - 2)));
}

TEST_F(SassProgram, SaysWhyItFailed) {
  put("echo 'nvdisasm fatal: not a cubin' >&2; exit 1\n");
  const Result<std::vector<SassKernel>> read = disassemble({1, 2, 3}, nullptr);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(render(read.errors()).find("not a cubin"), std::string::npos) << render(read.errors());
}

TEST_F(SassProgram, OneThatCannotBeStartedIsPassedOver) {
  setenv("WARPSHOP_NVDISASM", (folder_ / "none").c_str(), 1);
  const Result<fs::path> found = find_nvdisasm();
  if (found.ok()) {
    EXPECT_NE(*found, folder_ / "none");
  } else {
    EXPECT_NE(render(found.errors()).find((folder_ / "none").string()), std::string::npos);
    EXPECT_NE(render(found.errors()).find("./start"), std::string::npos);
  }
}

// With the real nvdisasm, if installed: every instruction of one of our kernels has its PTX line.
TEST(Sass, TheRealOneReadsWhatTheCompilerMade) {
  if (!find_nvdisasm().ok()) GTEST_SKIP() << "nvdisasm is not there";
  const Result<Compiler> compiler = Compiler::load();
  ASSERT_TRUE(compiler.ok());
  CompileInput input;
  input.source = "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] *= 3; }";
  input.file_name = "k.cu";
  input.prelude = false;
  const Result<CompileOutput> output = compiler->compile(input);
  ASSERT_TRUE(output.ok());
  const Result<std::vector<SassKernel>> read = disassemble(output->cubin, nullptr);
  ASSERT_TRUE(read.ok()) << render(read.errors());
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().name, "k");
  const auto has = [&](std::string_view text) {
    for (const SassLine& l : read->front().lines) {
      if (l.text.find(text) != std::string::npos && l.ptx_line > 0) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("LDG"));
  EXPECT_TRUE(has("STG"));
  EXPECT_TRUE(has("FMUL"));
}

}  // namespace
}  // namespace warpshop::compile

// Every form of PTX, one by one: the emulator either runs it or reports it as unsupported.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "emulator/program.h"
#include "ptx/parser.h"

namespace warpshop::emulator {
namespace {

struct Form {
  std::string text;
  bool known = false;
};

std::vector<Form> forms() {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/ptx_forms/forms.txt");
  std::vector<Form> list;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    list.push_back({line.substr(2), line[0] == '+'});
  }
  return list;
}

// One kernel per form; the form is on line 7 of the student's file.
std::string kernel_of(size_t n, const std::string& form) {
  return ".visible .entry k" + std::to_string(n) +
         "(.param .align 16 .b8 a0[64], .param .u64 a1)\n{ .reg .b16 %h<16>; .reg .b32 %r<16>; "
         ".reg .f32 %f<16>; .reg .b64 %l<16>;"
         ".reg .f64 %d<16>; .reg .b128 %x<8>; .reg .pred %q<8>; .reg .b64 %p<4>; .reg .b8 %z<8>; "
         ".shared .align 16 .b8 s[1024];"
         ".shared .align 8 .b64 bar; .local .align 16 .b8 loc[64]; ld.param.u64 %p1, [a1]; mov.u64 "
         "%l8, %p1;\n.loc 1 7 3\n" +
         form + "\n.loc 1 8 1\nDONE: ret; }\n";
}

TEST(PtxForms, EachIsRunOrRefusedWithBothLines) {
  const std::vector<Form> all = forms();
  ASSERT_GT(all.size(), 4500u);
  std::string text =
      ".version 8.8\n.target sm_90a\n.address_size 64\n.const .align 16 .b8 con[64];\n"
      ".func (.reg .b32 o) fr (.reg .b32 i) { mov.u32 o, i; ret; }\n";
  std::vector<int> line_of;
  auto line = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (size_t n = 0; n < all.size(); ++n) {
    const std::string kernel = kernel_of(n, all[n].text);
    line_of.push_back(line + 3);
    line += static_cast<int>(std::count(kernel.begin(), kernel.end(), '\n'));
    text += kernel;
  }
  text += ".file 1 \"kernel.cu\"\n";
  ptx::ParseOutput parsed = ptx::parse(text, "forms.ptx");
  EXPECT_TRUE(parsed.diagnostics.empty());
  auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  size_t refused = 0;
  for (size_t n = 0; n < all.size(); ++n) {
    const Result<Program> program = Program::decode(module, "k" + std::to_string(n));
    EXPECT_EQ(program.ok(), all[n].known)
        << all[n].text << (program.ok() ? std::string() : render(program.errors()));
    if (program.ok()) continue;
    ++refused;
    const Diagnostic& d = program.errors()[0];
    EXPECT_EQ(d.kind.name(), "unsupported") << all[n].text;
    EXPECT_EQ(d.place.line, 7) << all[n].text;
    EXPECT_NE(d.message.english().find("(PTX line " + std::to_string(line_of[n]) +
                                       ", line 7 of the kernel)"),
              std::string::npos)
        << all[n].text << ": " << d.message;
  }
  EXPECT_LT(refused, all.size() / 30);
}

}  // namespace
}  // namespace warpshop::emulator

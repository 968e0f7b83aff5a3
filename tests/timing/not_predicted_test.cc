// Which kernels get a reason instead of a time.
#include "predict/not_predicted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

// Empty: it is predicted.
std::string why(const std::string& body, const std::string& functions = {}) {
  const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n" + functions +
                           ".visible .entry k(.param .u64 p)\n{\n"
                           ".reg .pred %p<9>; .reg .b32 %r<29>; .reg .b64 %rd<19>;\n"
                           ".shared .align 4 .b32 own;\n"
                           "ld.param.u64 %rd1,[p]; mov.u32 %r1,%tid.x; mov.u32 %r2,0;\n" +
                           body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  EXPECT_TRUE(program.ok()) << render(program.errors());
  const auto reason = why_not_predicted(*program);
  return reason ? render({*reason}) : "";
}

TEST(NotPredicted, ASwapThatIsRepeatedUntilItSucceeds) {
  struct Case {
    const char* what;
    const char* body;
    bool predicted;
  };
  const Case cases[] = {
      {"a loop around it",
       "again: add.u32 %r3,%r2,1; atom.global.cas.b32 %r4,[%rd1],%r2,%r3;"
       "setp.ne.u32 %p1,%r4,%r2; mov.u32 %r2,%r4; @%p1 bra again;",
       false},
      {"at a generic address",
       "again: atom.cas.b32 %r4,[%rd1],%r2,1; setp.ne.u32 %p1,%r4,0; @%p1 bra again;", false},
      {"in one of several blocks of the loop",
       "again: ld.global.u32 %r3,[%rd1]; setp.ne.u32 %p1,%r3,0; @%p1 bra more; bar.sync 0;"
       "atom.global.cas.b32 %r4,[%rd1],0,1; more: add.u32 %r2,%r2,1; setp.lt.u32 %p2,%r2,9;"
       "@%p2 bra again;",
       false},
      {"once",
       "atom.global.cas.b32 %r4,[%rd1],0,1; setp.eq.u32 %p1,%r4,0; @%p1 bra done; done:", true},
      {"a loop before it",
       "again: add.u32 %r2,%r2,1; setp.lt.u32 %p1,%r2,9; @%p1 bra again;"
       "atom.global.cas.b32 %r4,[%rd1],0,1;",
       true},
      {"another atomic in a loop",
       "again: atom.global.add.u32 %r4,[%rd1],1; setp.lt.u32 %p1,%r4,9; @%p1 bra again;", true},
      {"in shared memory",
       "mov.u32 %r5,own; again: atom.shared.cas.b32 %r4,[%r5],0,1; setp.ne.u32 %p1,%r4,0;"
       "@%p1 bra again;",
       true},
  };
  for (const Case& c : cases) {
    const std::string reason = why(c.body);
    EXPECT_EQ(reason.empty(), c.predicted) << c.what << ": " << reason;
    if (!c.predicted) {
      EXPECT_THAT(reason, testing::HasSubstr("repeats atomicCAS")) << c.what;
    }
  }
}

TEST(NotPredicted, AFunctionThatCallsItself) {
  const std::string down =
      ".func (.reg .b32 %out) down(.reg .b32 %n)\n{\n.reg .pred %p<3>; .reg .b32 %r<9>;\n"
      "mov.u32 %out,%n; setp.lt.u32 %p1,%n,2; @%p1 bra done;\n"
      "sub.u32 %r1,%n,1; call (%out), NAME, (%r1);\ndone: ret;\n}\n";
  const auto named = [&](const char* callee) {
    std::string text = down;
    return text.replace(text.find("NAME"), 4, callee);
  };
  const std::string leaf =
      ".func (.reg .b32 %out) leaf(.reg .b32 %n)\n{\nadd.u32 %out,%n,1; ret;\n}\n";
  const std::string calls = "call (%r3), down, (%r1); st.global.u32 [%rd1],%r3;";
  EXPECT_THAT(why(calls, named("down")), testing::HasSubstr("recursive"));
  EXPECT_EQ(why(calls, leaf + named("leaf")), "");
  EXPECT_EQ(why("st.global.u32 [%rd1],%r1;", named("down")), "") << "it is not called";
}

}  // namespace
}  // namespace warpshop::timing

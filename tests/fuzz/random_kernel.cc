// Builds what surrounds the instructions: branches, loops with and without an end, switches, jumps
// to anywhere.
#include "random_kernel.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::fuzz {
namespace {

constexpr const char* kHead = R"(.version 8.8
.target sm_90
.address_size 64
)";

// Functions that a body may call. Most bodies call none, and parsing these would take half of a
// short kernel's time.
struct Callee {
  std::string_view name;
  std::string_view text;
};
constexpr Callee kCallees[] = {
    {"vprintf", ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"},
    {"malloc", ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"},
    {"free", ".extern .func free (.param .b64 p);\n"},
    {"f0", R"(.func (.param .b32 out) f0 (.param .b32 in)
{
.reg .b32 %r<4>; .reg .pred %q<2>;
ld.param.b32 %r0, [in];
mad.lo.u32 %r1, %r0, 3, 1;
st.param.b32 [out], %r1;
ret;
}
)"},
    {"f1", R"(.func (.param .b32 out) f1 (.param .b32 in)
{
.reg .b32 %r<4>; .reg .pred %q<2>; .reg .b64 %l<2>; .local .align 8 .b8 mine[24];
ld.param.b32 %r0, [in];
and.b32 %r0, %r0, 15;
setp.eq.u32 %q0, %r0, 0;
@%q0 bra END;
sub.u32 %r1, %r0, 1;
st.local.u32 [mine+8], %r1;
{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f1, (x); ld.param.b32 %r2, [y]; }
ld.local.u32 %r1, [mine+8];
add.u32 %r0, %r2, %r1;
END:
st.param.b32 [out], %r0;
ret;
}
)"},
};

constexpr const char* kBegin = R"(.global .align 16 .b8 g[256];
.global .align 1 .b8 fmt[16] = {37, 100, 32, 37, 115, 32, 37, 102, 32, 37, 42, 108, 120, 10, 0};
.const .align 16 .b8 con[64] = {1, 2, 3, 4};
.extern .shared .align 16 .b8 dyn[];
.visible .entry k (.param .u64 a0, .param .u64 a1, .param .u64 a2, .param .u64 a3,
                  .param .u64 a4, .param .u64 a5, .param .u32 a6)
{
.reg .b16 %h<8>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %l<12>; .reg .f64 %d<8>;
.reg .b128 %x<4>; .reg .pred %q<8>; .reg .b64 %p<8>;
.reg .b32 %n<8>; .reg .pred %m;
.shared .align 16 .b8 s[512]; .shared .align 8 .b64 bar; .local .align 16 .b8 loc[64];
ld.param.u64 %p0, [a0]; ld.param.u64 %p1, [a1]; ld.param.u64 %p2, [a2]; ld.param.u64 %p3, [a3];
ld.param.u64 %l10, [a4]; ld.param.u64 %l11, [a5];
mov.u64 %l0, s; cvta.shared.u64 %p4, %l0; mov.u64 %l1, loc; cvta.local.u64 %p5, %l1;
mov.u64 %l2, con; cvta.const.u64 %p6, %l2;
mov.u64 %l9, fmt;
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %laneid; shl.b32 %r15, %r0, 2;
mov.u32 %r14, 0x40; mul.lo.u32 %r3, %r0, 40503;
mul.wide.u32 %l3, %r0, 4; add.u64 %p7, %p0, %l3; cvt.rn.f32.u32 %f0, %r0; cvt.rn.f64.u32 %d0, %r3;
setp.lt.u32 %q0, %r0, 20; setp.eq.u32 %q1, %r1, 0;
proto: .callprototype (.param .b32 _) _ (.param .b32 _);
)";

class Writer {
 public:
  explicit Writer(Choices& choices) : c_(choices) {}

  std::string text() {
    if (c_.one_in(2))
      line(
          "st.shared.u32 [%r15+0], %r0; mov.u32 %r4, 2; mbarrier.init.shared.b64 [bar], %r4; "
          "bar.sync 0;");
    while (!c_.used_up() && lines_ < 120) statement(0);
    std::string text = kHead;
    for (const Callee& callee : kCallees) {
      if (out_.find(callee.name) != std::string::npos) text += callee.text;
    }
    return text + kBegin + out_ + "DONE:\nret;\n}\n";
  }

 private:
  void line(const std::string& text) {
    ++lines_;
    out_ += text + "\n";
  }
  void place(const std::string& label) {
    placed_.push_back(label);
    line(label + ":");
  }
  std::string label() { return "L" + std::to_string(labels_++); }
  void body(int depth) {
    const uint32_t count = 1 + c_.below(4);
    for (uint32_t n = 0; n < count; ++n) statement(depth);
  }

  void statement(int depth) {
    if (depth > 3 || lines_ > 140) return line(random_instruction(c_));
    const std::string q = (c_.one_in(2) ? "!%q" : "%q") + std::to_string(c_.below(8));
    switch (c_.below(16)) {
      case 10: {
        const std::string other = label(), join = label();
        line("@" + q + " bra" + (c_.one_in(8) ? ".uni " : " ") + other + ";");
        body(depth + 1);
        if (c_.one_in(2)) {
          line("bra " + join + ";");
          place(other);
          body(depth + 1);
          place(join);
        } else {
          place(other);
        }
        break;
      }
      case 11: {
        const std::string counter = "%n" + std::to_string(depth), head = label();
        line("mov.u32 " + counter + ", " + (c_.one_in(3) ? "%r2" : std::to_string(c_.below(6))) +
             ";");
        place(head);
        body(depth + 1);
        line("sub.u32 " + counter + ", " + counter + ", 1;\nsetp.gt.s32 %m, " + counter +
             ", 0;\n@%m bra " + head + ";");
        break;
      }
      case 12: {
        const std::string table = "T" + label(), join = label(), a = label(), b = label();
        line(table + ": .branchtargets " + a + ", " + b + ", " + join + ";\nand.b32 %n7, %r" +
             std::to_string(c_.below(16)) + ", 3;\n" + (c_.one_in(4) ? "@" + q + " " : "") +
             "brx.idx %n7, " + table + ";");
        place(a);
        body(depth + 1);
        place(b);
        body(depth + 1);
        place(join);
        break;
      }
      case 13: {
        // Jumps anywhere: to an existing label or to the end.
        const bool end = placed_.empty() || c_.one_in(3);
        line("@" + q + " bra " +
             (end ? "DONE" : placed_[c_.below(static_cast<uint32_t>(placed_.size()))]) + ";");
        break;
      }
      case 14: {
        const std::string head = label();
        place(head);
        line("atom.global.cas.b32 %n6, [g+128], 0, 1;\nsetp.ne.u32 %m, %n6, 0;\n@%m bra " + head +
             ";");
        body(depth + 1);
        line("atom.global.exch.b32 %n6, [g+128], 0;");
        break;
      }
      case 15:
        c_.one_in(2) ? bulk_copy(depth) : heap(depth);
        break;
      default:
        line(random_instruction(c_));
        break;
    }
  }

  // A heap block that is used and usually freed: by its owner, by everybody who has its address,
  // twice, or too early.
  void heap(int depth) {
    const std::string none = label();
    const std::string place = "[%l8+" + std::to_string(4 * c_.below(20)) + "]";
    line("{ .param .b64 x; .param .b64 y; st.param.b64 [x], " +
         std::string(c_.of({"64", "%l3", "1", "24", "4096", "0", "%l5"})) +
         "; call (y), malloc, (x); ld.param.b64 %l8, [y]; }\nsetp.eq.u64 %m, %l8, 0;\n@%m bra " +
         none + ";");
    line("st" + std::string(c_.of({"", ".global"})) + ".u32 " + place + ", %r0;");
    if (c_.one_in(3)) line("st.global.u64 [g+200], %l8;\nbar.sync 0;\nld.global.u64 %l8, [g+200];");
    body(depth + 1);
    line("ld.u32 %r5, " + place + ";");
    const std::string release = "{ .param .b64 x; st.param.b64 [x], %l8; call free, (x); }";
    if (!c_.one_in(4)) line(release);
    if (c_.one_in(6)) line(release);
    if (c_.one_in(6)) line("ld.global.u32 %r6, " + place + ";");
    this->place(none);
  }

  // One thread starts a copy that an mbarrier object counts, and all wait for it, possibly after
  // other work.
  void bulk_copy(int depth) {
    const std::string others = label(), wait = label();
    const std::string bytes(c_.of({"64", "16", "256", "%r14", "%r3", "0"}));
    line("setp.ne.u32 %m, %r0, 0;\n@%m bra " + others +
         ";\nmbarrier.init.shared.b64 [bar], 1;\nfence.proxy.async;");
    line("mbarrier.arrive.expect_tx.shared.b64 %l7, [bar], " + bytes + ";");
    line("cp.async.bulk.shared::" + std::string(c_.of({"cluster", "cta"})) +
         ".global.mbarrier::complete_tx::bytes [s+" + std::to_string(16 * c_.below(20)) + "], [" +
         std::string(c_.of({"%p0", "g", "%p7", "%p3", "%l8"})) + "], " + bytes + ", [bar];");
    place(others);
    line("bar.sync 0;");
    if (c_.one_in(2)) body(depth + 1);
    place(wait);
    line("mbarrier.try_wait.parity.shared.b64 %m, [bar], 0;\n@!%m bra " + wait + ";");
    line("ld.shared.u32 %r5, [%r15];");
  }

  Choices& c_;
  std::string out_;
  std::vector<std::string> placed_;  // labels already in the text
  int labels_ = 0;
  int lines_ = 0;
};

}  // namespace

std::string random_kernel(Choices& choices) { return Writer(choices).text(); }

}  // namespace warpshop::fuzz

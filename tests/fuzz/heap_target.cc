// malloc and free. Each thread keeps blocks in four slots; groups of threads, by their number
// modulo 4, take, fill, check, pass round and free them. What a correct kernel reads from its
// blocks is known, so that a block that two threads share, a stale one and a lost store all show. A
// last operation may be a mistake, after which only this program itself must be unharmed.
#include <array>
#include <string>

#include "checked_launch.h"
#include "choices.h"
#include "fuzz_targets.h"

namespace warpshop::fuzz {
namespace {

constexpr uint32_t kHeapSlots = 4;
constexpr uint32_t kHeapClasses = 4;
constexpr uint32_t kHeapSizes[] = {4, 24, 64, 200, 1024, 8, 16, 4000};

constexpr const char* kHeapHead = R"(.version 8.8
.target sm_90
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .entry k (.param .u64 a0, .param .u64 a1, .param .u64 a2)
{
.reg .b64 %p<4>; .reg .b64 %out, %post, %mine, %other, %b; .reg .b32 %t, %id, %key, %v, %e, %c;
.reg .pred %m;
ld.param.u64 %out, [a0]; ld.param.u64 %post, [a2];
mov.u64 %p0, 0; mov.u64 %p1, 0; mov.u64 %p2, 0; mov.u64 %p3, 0;
mov.u32 %t, %tid.x; mov.u32 %id, %ctaid.x; mov.u32 %v, %ntid.x; mad.lo.u32 %id, %id, %v, %t;
mad.wide.u32 %mine, %id, 8, %post; xor.b32 %v, %id, 4; mad.wide.u32 %other, %v, 8, %post;
and.b32 %c, %t, 3; mov.u32 %v, 1; shl.b32 %c, %v, %c; mul.lo.u32 %key, %id, 65599;
)";

struct HeapBlock {
  uint32_t bytes = 0;               // 0: none
  std::array<uint32_t, 4> value{};  // of its words 0 to 3; 0: never written
};

class HeapKernel {
 public:
  explicit HeapKernel(Choices& choices) : c_(choices) {}

  std::string text() {
    for (int n = 0; !c_.used_up() && n < 60; ++n) operation();
    return kHeapHead + out_ + "ret;\n}\n";
  }
  bool is_correct() const { return correct_; }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  std::string next_label() { return "L" + std::to_string(labels_++); }

  // Threads of these classes whose slot is not empty do `body`.
  void guarded(uint32_t classes, const std::string& slot, const std::string& body) {
    const std::string end = next_label();
    line("and.b32 %v, %c, " + std::to_string(classes) + "; setp.eq.u32 %m, %v, 0; @%m bra " + end +
         ";");
    if (!slot.empty()) line("setp.eq.u64 %m, " + slot + ", 0; @%m bra " + end + ";");
    line(body);
    line(end + ":");
  }

  // A thread's value is its own: the operation's number, and the thread's.
  static std::string check(const std::string& address, const std::string& key, uint32_t value) {
    return "ld.u32 %v, [" + address + "]; add.u32 %e, " + key + ", " + std::to_string(value) +
           "; setp.ne.u32 %m, %v, %e; @%m red.global.add.u32 [%out], 1;";
  }
  static std::string at(const std::string& slot, uint32_t word) {
    return slot + "+" + std::to_string(4 * word);
  }

  void operation() {
    const uint32_t n = c_.below(kHeapSlots);
    const std::string slot = "%p" + std::to_string(n);
    uint32_t classes = c_.one_in(2) ? 15u : 1u + c_.below(15);
    const uint32_t word = c_.below(4);
    const auto keep = [&](auto holds) {
      for (uint32_t k = 0; k < kHeapClasses; ++k) {
        if (!holds(blocks_[k][n])) classes &= ~(1u << k);
      }
      return classes != 0;
    };
    const auto each = [&](auto change) {
      for (uint32_t k = 0; k < kHeapClasses; ++k) {
        if ((classes >> k & 1u) != 0) change(blocks_[k][n]);
      }
    };
    switch (c_.below(8)) {
      case 0:
      case 1: {
        if (!keep([](const HeapBlock& b) { return b.bytes == 0; })) return;
        const uint32_t bytes = kHeapSizes[c_.below(8)];
        guarded(classes, "",
                "{ .param .b64 x; .param .b64 y; st.param.b64 [x], " + std::to_string(bytes) +
                    "; call (y), malloc, (x); ld.param.b64 " + slot + ", [y]; }");
        each([&](HeapBlock& b) { b = {bytes, {}}; });
        break;
      }
      case 2:
      case 3: {
        if (!keep([&](const HeapBlock& b) { return b.bytes >= 4 * word + 4; })) return;
        const uint32_t value = ++values_ * 2654435761u | 1u;
        guarded(classes, slot,
                "add.u32 %e, %key, " + std::to_string(value) + "; st" +
                    std::string(c_.of({"", ".global", ".volatile"})) + ".u32 [" + at(slot, word) +
                    "], %e;");
        each([&](HeapBlock& b) { b.value[word] = value; });
        break;
      }
      case 4:
        for (uint32_t k = 0; k < kHeapClasses; ++k) {
          const uint32_t value = blocks_[k][n].value[word];
          if (value != 0) guarded(1u << k, slot, check(at(slot, word), "%key", value));
        }
        break;
      case 5: {
        if (!keep([](const HeapBlock& b) { return b.bytes != 0; })) return;
        guarded(classes, slot,
                "{ .param .b64 x; st.param.b64 [x], " + slot + "; call free, (x); } mov.u64 " +
                    slot + ", 0;");
        each([](HeapBlock& b) { b = {}; });
        break;
      }
      case 6: {  // a look into the block of a thread of the same class
        line("st.global.u64 [%mine], " + slot + "; bar.sync 0; ld.global.u64 %b, [%other];");
        for (uint32_t k = 0; k < kHeapClasses; ++k) {
          const uint32_t value = blocks_[k][n].value[word];
          if (value == 0) continue;
          guarded(1u << k, "%b",
                  "xor.b32 %v, %id, 4; mul.lo.u32 %e, %v, 65599; mov.u32 %v, %e;" +
                      std::string("{ .reg .b32 %o; mov.u32 %o, %v; ") +
                      check(at("%b", word), "%o", value) + " }");
        }
        line("bar.sync 0;");
        break;
      }
      default: {
        if (!c_.one_in(6)) {  // taken and given back at once, many times
          const std::string head = next_label();
          guarded(classes, "",
                  "mov.u32 %e, " + std::to_string(1 + c_.below(6)) + ";\n" + head +
                      ":\n{ .param .b64 x; .param .b64 y; st.param.b64 [x], " +
                      std::to_string(kHeapSizes[c_.below(8)]) +
                      "; call (y), malloc, (x); ld.param.b64 %b, [y]; }\n"
                      "setp.ne.u64 %m, %b, 0; @%m st.u32 [%b], %key;\n"
                      "{ .param .b64 x; st.param.b64 [x], %b; call free, (x); }\n"
                      "sub.u32 %e, %e, 1; setp.ne.u32 %m, %e, 0; @%m bra " +
                      head + ";");
          break;
        }
        correct_ = false;
        static constexpr std::string_view kHeapMistakes[] = {
            "{ .param .b64 x; st.param.b64 [x], S; call free, (x); } st.u32 [S], %key;",
            "{ .param .b64 x; st.param.b64 [x], S; call free, (x); } ld.u32 %v, [S];",
            "{ .param .b64 x; st.param.b64 [x], S; call free, (x); call free, (x); }",
            "add.u64 %b, S, 4; { .param .b64 x; st.param.b64 [x], %b; call free, (x); }",
            "ld.u32 %v, [S+1024];",
            "st.v4.u32 [S+8], {%key, %key, %key, %key};",
            "mov.u64 S, %post;",
            "red.add.u32 [S-4], 1;"};
        std::string mistake(kHeapMistakes[c_.below(8)]);
        for (size_t s = 0; (s = mistake.find('S')) != std::string::npos;)
          mistake.replace(s, 1, slot);
        guarded(classes, slot, mistake);
      }
    }
  }

  Choices& c_;
  std::string out_;
  std::array<std::array<HeapBlock, kHeapSlots>, kHeapClasses> blocks_{};
  uint32_t values_ = 0;
  int labels_ = 0;
  bool correct_ = true;
};

}  // namespace

void use_heap(Bytes bytes) {
  Choices choices(bytes);
  CheckedLaunch shape;
  shape.block = {8 * (1 + choices.below(12)), 1, 1};
  shape.grid = {1 + choices.below(5), 1, 1};
  shape.threads = static_cast<int>(1 + choices.below(3));
  shape.order_seed = choices.below(4);
  constexpr uint64_t kHeaps[] = {64 * 1024, 4096, 1 << 20, 300};
  shape.heap_bytes = kHeaps[choices.below(4)];
  HeapKernel kernel(choices);
  const std::string text = kernel.text();
  const CheckedResult result = launch_checked(text, shape);
  if (kernel.is_correct()) expect_correct(result, text);
}

}  // namespace warpshop::fuzz

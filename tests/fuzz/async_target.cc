// Asynchronous copies into shared memory: cp.async with its groups, and cp.async.bulk with an
// mbarrier object. What each slot of a thread holds, and from when on it may be read, is known: a
// correct kernel reads the right words without a finding, and one that reads what is still under
// way has one.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "checked_launch.h"
#include "choices.h"
#include "fuzz_targets.h"

namespace warpshop::fuzz {
namespace {

constexpr uint32_t kAsyncSlots = 4;  // of 16 bytes, per thread
constexpr uint32_t kWords = 4;       // per slot
constexpr uint32_t kBulkWords = 64;  // copied in bulk by one thread for all

constexpr const char* kAsyncHead = R"(.version 8.8
.target sm_90
.address_size 64
.visible .entry k (.param .u64 a0, .param .u64 a1, .param .u64 a2)
{
.reg .b64 %out, %in, %from, %state; .reg .b32 %t, %mine, %other, %o, %v, %e, %w;
.reg .pred %m, %first;
.shared .align 16 .b8 s[6144]; .shared .align 16 .b8 bulk[256]; .shared .align 8 .b64 bar;
ld.param.u64 %out, [a0]; ld.param.u64 %in, [a1];
mov.u32 %t, %tid.x; mov.u32 %v, s; mad.lo.u32 %mine, %t, 64, %v; xor.b32 %o, %t, 1;
mad.lo.u32 %other, %o, 64, %v;
setp.eq.u32 %first, %t, 0;
@%first mbarrier.init.shared.b64 [bar], 1;
bar.sync 0;
)";

// A word that a slot holds: input_word(base + 4 * (thread & 127)), or the same for every thread.
struct Word {
  enum class Kind : uint8_t { kUnknown, kInput, kConstant };
  Kind kind = Kind::kUnknown;
  uint32_t value = 0;  // the input's word for thread 0, or the constant
};
struct Copy {
  uint32_t slot = 0;
  uint32_t first = 0;  // word
  std::vector<Word> words;
};

class AsyncKernel {
 public:
  explicit AsyncKernel(Choices& choices) : c_(choices) {}

  std::string text() {
    for (int n = 0; !c_.used_up() && n < 60 && !reads_early_; ++n) operation();
    // A copy that nobody waits for may still be under way when its block ends.
    line("cp.async.wait_all;");
    return kAsyncHead + out_ + "ret;\n}\n";
  }
  bool reads_early() const { return reads_early_; }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  bool is_pending(uint32_t slot, uint32_t word) const {
    const auto touches = [&](const Copy& copy) {
      return copy.slot == slot && word >= copy.first && word < copy.first + copy.words.size();
    };
    if (std::any_of(open_.begin(), open_.end(), touches)) return true;
    return std::any_of(groups_.begin(), groups_.end(), [&](const std::vector<Copy>& group) {
      return std::any_of(group.begin(), group.end(), touches);
    });
  }
  void arrive(const std::vector<Copy>& group) {
    for (const Copy& copy : group) {
      for (size_t n = 0; n < copy.words.size(); ++n)
        slots_[copy.slot][copy.first + n] = copy.words[n];
    }
  }
  void wait_for_all_but(size_t latest) {
    while (groups_.size() > latest) {
      arrive(groups_.front());
      groups_.erase(groups_.begin());
    }
  }

  // Compares a word in shared memory with what the thread whose number is in `thread` wrote there.
  void check(const std::string& address, const Word& word, const std::string& thread) {
    line("ld.shared.u32 %v, [" + address + "];");
    if (word.kind == Word::Kind::kInput) {
      line("and.b32 %w, " + thread + ", 127; shl.b32 %w, %w, 2; add.u32 %w, %w, " +
           std::to_string(word.value) + "; mad.lo.u32 %e, %w, 2654435761, 12345;");
    } else {
      line("mov.u32 %e, " + std::to_string(word.value) + ";");
    }
    line("setp.ne.u32 %m, %v, %e; @%m red.global.add.u32 [%out], 1;");
  }

  void copy() {
    const uint32_t words = 1u << c_.below(3);
    const uint32_t slot = c_.below(kAsyncSlots);
    const uint32_t first = words * c_.below(kWords / words);
    for (uint32_t n = 0; n < words; ++n) {
      if (is_pending(slot, first + n)) return;  // two copies into one place: their order is open
    }
    const uint32_t base = 4 * c_.below(32) + (words == 4 ? 0 : first & ~(words - 1));
    const uint32_t read = c_.one_in(4) ? c_.below(words + 1) : words;
    line("and.b32 %w, %t, 127; shl.b32 %w, %w, 2; add.u32 %w, %w, " + std::to_string(base) +
         "; mad.wide.u32 %from, %w, 4, %in;");
    line("cp.async." + std::string(words == 4 && c_.one_in(2) ? "cg" : "ca") +
         ".shared.global [%mine+" + std::to_string(16 * slot + 4 * first) + "], [%from], " +
         std::to_string(4 * words) + (read == words ? "" : ", " + std::to_string(4 * read)) + ";");
    Copy made{slot, first, {}};
    for (uint32_t n = 0; n < words; ++n) {
      made.words.push_back(n < read ? Word{Word::Kind::kInput, base + n}
                                    : Word{Word::Kind::kConstant, 0});
    }
    open_.push_back(made);
  }

  void bulk_copy() {
    const uint32_t words = 4u * (1 + c_.below(kBulkWords / 4));
    const uint32_t base = 4 * c_.below(32);
    const std::string bytes = std::to_string(4 * words), wait = "W" + std::to_string(labels_++);
    line("bar.sync 0;");
    line("@%first fence.proxy.async;");
    line("@%first mbarrier.arrive.expect_tx.shared.b64 %state, [bar], " + bytes + ";");
    line("add.u64 %from, %in, " + std::to_string(4 * base) + ";");
    line(
        "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [bulk], "
        "[%from], " +
        bytes + ", [bar];");
    const bool early = c_.one_in(12);
    const uint32_t word = c_.below(words);
    const auto read = [&] {
      check("bulk+" + std::to_string(4 * word), {Word::Kind::kConstant, input_word(base + word)},
            "%t");
    };
    if (early) {
      reads_early_ = true;
      return read();
    }
    if (c_.one_in(2)) local_operation();
    line(wait + ":\nmbarrier.try_wait.parity.shared.b64 %m, [bar], " + std::to_string(phase_) +
         "; @!%m bra " + wait + ";");
    phase_ ^= 1u;
    read();
  }

  void local_operation() {
    const uint32_t slot = c_.below(kAsyncSlots), word = c_.below(kWords);
    const std::string address = "+" + std::to_string(16 * slot + 4 * word);
    switch (c_.below(8)) {
      case 0:
      case 1:
      case 2:
        return copy();
      case 3:
        line("cp.async.commit_group;");
        groups_.push_back(std::move(open_));
        open_.clear();
        return;
      case 4: {
        const uint32_t latest = c_.below(4);
        line("cp.async.wait_group " + std::to_string(latest) + ";");
        return wait_for_all_but(latest);
      }
      case 5:
        line("cp.async.wait_all;");
        wait_for_all_but(0);
        arrive(open_);
        return open_.clear();
      case 6: {
        if (is_pending(slot, word)) return;
        const uint32_t value = 1000 + static_cast<uint32_t>(labels_++);
        line("mov.u32 %v, " + std::to_string(value) + "; st.shared.u32 [%mine" + address +
             "], %v;");
        slots_[slot][word] = {Word::Kind::kConstant, value};
        return;
      }
      default:
        if (is_pending(slot, word)) {
          if (!c_.one_in(4)) return;
          reads_early_ = true;
          line("ld.shared.u32 %v, [%mine" + address + "]; st.global.u32 [%out+4], %v;");
        } else if (slots_[slot][word].kind != Word::Kind::kUnknown) {
          check("%mine" + address, slots_[slot][word], "%t");
        }
    }
  }

  void operation() {
    switch (c_.below(6)) {
      case 0:
        return bulk_copy();
      case 1: {  // a look at the neighbour's slot
        const uint32_t slot = c_.below(kAsyncSlots), word = c_.below(kWords);
        if (is_pending(slot, word) || slots_[slot][word].kind == Word::Kind::kUnknown) return;
        line("bar.sync 0;");
        check("%other+" + std::to_string(16 * slot + 4 * word), slots_[slot][word], "%o");
        line("bar.sync 0;");
        return;
      }
      default:
        return local_operation();
    }
  }

  Choices& c_;
  std::string out_;
  std::array<std::array<Word, kWords>, kAsyncSlots> slots_{};
  std::vector<Copy> open_;  // started, not yet in a group
  std::vector<std::vector<Copy>> groups_;
  uint32_t phase_ = 0;
  int labels_ = 0;
  bool reads_early_ = false;
};

}  // namespace

void copy_asynchronously(Bytes bytes) {
  Choices choices(bytes);
  CheckedLaunch shape;
  shape.block = {2 * (1 + choices.below(48)), 1, 1};
  shape.grid = {1 + choices.below(3), 1, 1};
  shape.threads = static_cast<int>(1 + choices.below(2));
  shape.order_seed = choices.below(4);
  AsyncKernel kernel(choices);
  const std::string text = kernel.text();
  const CheckedResult result = launch_checked(text, shape);
  if (!kernel.reads_early()) return expect_correct(result, text);
  if (result.findings.empty()) fail_launch("a read of what is under way has no finding", text);
}

}  // namespace warpshop::fuzz

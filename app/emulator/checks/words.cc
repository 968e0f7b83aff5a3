#include "checks/words.h"

#include <array>
#include <cstdio>
#include <utility>

#include "core/grouped.h"

namespace warpshop::emulator {

std::string mask_text(uint32_t mask) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", mask);
  return text.data();
}

Sentence count_words(uint64_t count) { return number(grouped(std::to_string(count))); }

Sentence thread_words(const ThreadPlace& who) {
  return sentence("thread {place}", {{"place", text_of(who.thread)}});
}

Sentence block_words(const Dim3& block) {
  return sentence("block {place}", {{"place", text_of(block)}});
}

Sentence memory_words(const Finding& f) {
  if (!f.allocation.empty()) return sentence("\"{name}\"", {{"name", f.allocation}});
  return f.space == "shared" ? sentence("shared memory") : sentence("global memory");
}

Sentence access_words(std::string_view access) {
  if (access == "read") return sentence("read");
  if (access == "write") return sentence("write");
  if (access == "atomic") return sentence("atomic");
  return access;
}

Sentence the_access_by(std::string_view access, Sentence who) {
  if (access == "read") return sentence("the read by {who}", {{"who", std::move(who)}});
  if (access == "write") return sentence("the write by {who}", {{"who", std::move(who)}});
  return sentence("the atomic by {who}", {{"who", std::move(who)}});
}

Sentence an_access_by(std::string_view access, Sentence who) {
  if (access == "read") return sentence("a read by {who}", {{"who", std::move(who)}});
  if (access == "write") return sentence("a write by {who}", {{"who", std::move(who)}});
  return sentence("an atomic by {who}", {{"who", std::move(who)}});
}

}  // namespace warpshop::emulator

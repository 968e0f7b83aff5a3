// The order of accesses between a block's threads: which happen before which others because of
// releases and acquires at words of shared memory. PTX ISA §8.8 "Release and acquire patterns": a
// release, or a fence followed by a strong write; an acquire, or a strong read followed by a fence.
// The acquire must read what the release has written, or what an atomic has made of it.
//
// A thread's knowledge is a time for each thread of the block: that thread's accesses before it are
// ordered before the thread's next access. Knowledge is shared until it changes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace warpshop::emulator {

class ThreadOrder {
 public:
  static constexpr uint32_t kThreads = 1024;  // maximum per block
  using Times = std::array<uint32_t, kThreads>;
  using Knowledge = std::shared_ptr<const Times>;  // nullptr: none

  static Knowledge join(const Knowledge& a, const Knowledge& b);

  void clear();
  bool empty() const { return known_.empty(); }
  const Times* of(uint32_t thread) const;
  const Knowledge& knowledge(uint32_t thread) const;
  void learn(uint32_t thread, const Knowledge& more);

  // A strong read at the word; a fence may follow it.
  void read(uint32_t thread, uint64_t address);
  void acquire(uint32_t thread, uint64_t address);
  void fence(uint32_t thread, uint32_t now);
  // The time of the thread's last fence; 0: none.
  uint32_t fenced(uint32_t thread) const;
  // A write that publishes what is given; `replaces`: a store, not an atomic.
  void publish(uint64_t address, Knowledge times, bool replaces);
  // A strong store that publishes nothing.
  void overwrite(uint64_t address) { published_.erase(address); }

 private:
  void make_room();

  std::vector<Knowledge> known_;             // by thread
  std::vector<Knowledge> pending_;           // by thread: read since its last fence
  std::vector<uint32_t> fenced_;             // by thread
  std::map<uint64_t, Knowledge> published_;  // by address
};

}  // namespace warpshop::emulator

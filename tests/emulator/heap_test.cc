// malloc and free in kernels, on one emulation thread and on several.
#include "memory/heap.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

const char* const kHeap =
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n";
std::string call_malloc(const std::string& bytes, const std::string& to) {
  return "{ .param .b64 p; .param .b64 q; st.param.b64 [p], " + bytes +
         "; call.uni (q), malloc, (p); ld.param.b64 " + to + ", [q]; }\n";
}
std::string call_free(const std::string& pointer) {
  return "{ .param .b64 p; st.param.b64 [p], " + pointer + "; call.uni free, (p); }\n";
}

TEST(DeviceHeap, EveryThreadHasMemoryOfItsOwn) {
  const KernelRun run = run_warp(call_malloc("8", "%l0") +
                                     "mov.u32 %r1, %tid.x; st.u32 [%l0], %r1; st.u32 [%l0+4], 7;"
                                     "bar.warp.sync 0xffffffff; ld.u32 %r2, [%l0]; ld.u32 %r3, "
                                     "[%l0+4]; mad.lo.u32 %r0, %r2, 10, %r3;" +
                                     call_free("%l0") + kStoreR0,
                                 kHeap);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], 10 * t + 7);
}

TEST(DeviceHeap, MistakesAreFound) {
  struct Case {
    const char* name;
    std::string body;
    FindingKind kind;
    const char* says;
  };
  const Case kCallsCases[] = {
      {"past the end", call_malloc("8", "%l0") + "st.u32 [%l0+8], 1;" + call_free("%l0"),
       FindingKind::kOutOfBounds, "it ends 4 bytes past the 8 bytes that malloc"},
      {"never written", call_malloc("8", "%l0") + "ld.u32 %r0, [%l0];" + call_free("%l0"),
       FindingKind::kUninitialised, "that nothing has written"},
      {"after free", call_malloc("8", "%l0") + call_free("%l0") + "st.u32 [%l0], 1;",
       FindingKind::kOutOfBounds, "has given this memory back"},
      {"twice", call_malloc("8", "%l0") + call_free("%l0") + call_free("%l0"),
       FindingKind::kInvalidFree, "freed before"},
      {"inside",
       call_malloc("8", "%l0") + "add.u64 %l1, %l0, 4;" + call_free("%l1") + call_free("%l0"),
       FindingKind::kInvalidFree, "4 bytes inside"},
      {"not of malloc", call_free("%p0"), FindingKind::kInvalidFree, "\"buffer 0\""},
      {"never freed", call_malloc("8", "%l0"), FindingKind::kLeak,
       "32 blocks, together of 256 bytes"},
  };
  for (const Case& c : kCallsCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_warp(c.body + "ret;", kHeap);
    ASSERT_EQ(errors_of(run), "");
    ASSERT_EQ(run.result.findings.size(), 1u);
    EXPECT_EQ(run.result.findings[0].kind, c.kind);
    EXPECT_NE(run.result.findings[0].message.english().find(c.says), std::string::npos)
        << run.result.findings[0].message;
  }
}

// The CUDA C++ Programming Guide's "Allocation Persisting Between Kernel Launches": one kernel
// allocates, another one frees.
TEST(DeviceHeap, WhatALaterKernelCanFreeIsNoLeak) {
  // A list: the buffer has the first block's address, and the first block the second one's.
  const std::string list = call_malloc("24", "%l0") + call_malloc("40", "%l1") +
                           "st.global.u64 [%p0+8], %l0; st.u64 [%l0+16], %l1;";
  const auto run = [](const std::string& body) {
    return run_ptx(kernel_text(body + "ret;", 1, kHeap), {1, 1, 1}, {1, 1, 1}, {Words(8)});
  };
  const KernelRun kept = run(list);
  ASSERT_EQ(errors_of(kept), "");
  EXPECT_TRUE(kept.result.findings.empty()) << kept.result.findings[0].message;
  // The first block's address is overwritten: both are lost.
  const KernelRun lost = run(list + "st.global.u64 [%p0+8], %l2;");
  ASSERT_EQ(lost.result.findings.size(), 2u);
  for (const Finding& f : lost.result.findings) EXPECT_EQ(f.kind, FindingKind::kLeak);
}

TEST(DeviceHeap, NullWhenItIsFullAndReuseOfWhatIsFreed) {
  // free(nullptr) does nothing; a loop may allocate and free more in total than the heap holds.
  const KernelRun run = run_warp(
      call_malloc("9000000", "%l0") + call_free("%l0") +
          "setp.eq.u64 %q0, %l0, 0; mov.u32 %r4, 0;\nLOOP:\n" + call_malloc("200000", "%l1") +
          call_free("%l1") +
          "add.u32 %r4, %r4, 1; setp.lt.u32 %q1, %r4, 100; @%q1 bra LOOP; setp.ne.u64 %q2, %l1, 0;"
          "and.pred %q0, %q0, %q2; selp.u32 %r0, 1, 0, %q0;" +
          kStoreR0,
      kHeap);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_EQ(run.buffers[0], Words(32, 1));
}

// Half of the blocks allocate and free memory of various sizes and publish the addresses; the
// others write there, before and after it is freed. The rest of the host's memory must stay intact.
TEST(DeviceHeap, UsesAfterFreeByOtherThreadsStayInTheHeap) {
  std::string takes, frees, uses;
  for (int n = 0; n < 8; ++n) {
    const std::string slot = "[%p0+" + std::to_string(8 * n) + "]",
                      pointer = "%l" + std::to_string(n + 1), skip = "S" + std::to_string(n);
    takes += "mul.lo.u32 %r4, %r3, 37; add.u32 %r4, %r4, " + std::to_string(191 * n) +
             "; and.b32 %r4, %r4, 4095; add.u32 %r4, %r4, 16; cvt.u64.u32 %l0, %r4;" +
             call_malloc("%l0", pointer) + "st.volatile.global.u64 " + slot + ", " + pointer +
             ";\n";
    frees += call_free(pointer);
    uses += "ld.volatile.global.u64 %l1, " + slot + "; setp.eq.u64 %q2, %l1, 0; @%q2 bra " + skip +
            "; st.volatile.u32 [%l1], 0xdeadbeef; ld.volatile.u32 %r5, [%l1+4]; st.volatile.u32 "
            "[%l1+12], %r5;\n" +
            skip + ":\n";
  }
  const std::string body =
      "mov.u32 %r1, %ctaid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %q0, %r2, 0; mov.u32 %r3, 0; @%q0 "
      "bra USE;\nTAKE:\n" +
      takes + frees +
      "add.u32 %r3, %r3, 1; setp.lt.u32 %q1, %r3, 1500; @%q1 bra TAKE; st.volatile.global.u32 "
      "[%p0+64], 1; ret;\nUSE:\n" +
      uses +
      "add.u32 %r3, %r3, 1; ld.volatile.global.u32 %r6, [%p0+64]; setp.eq.u32 %q1, %r6, 0;"
      "setp.lt.and.u32 %q1, %r3, 20000, %q1; @%q1 bra USE; ret;";
  LaunchOptions options;
  options.threads = 4;
  const Words bystander(1024, 0x5a5a5a5a);
  const KernelRun run =
      run_ptx(kernel_text(body, 2, kHeap), {4, 1, 1}, {1, 1, 1}, {Words(18), bystander}, options);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[1], bystander);
  // For a block freed long ago, the heap knows only that the address is not allocated.
  for (const Finding& f : run.result.findings) {
    if (f.kind == FindingKind::kOutOfBounds) {
      EXPECT_TRUE(is_heap_address(f.address)) << f.message;
    }
  }
}

TEST(DeviceHeap, WhatAThreadLearnsOfABlockBelongsTogether) {
  constexpr uint64_t kArena = 1 << 20;
  Heap heap(kArena);
  const uint64_t probe = heap.allocate(16, {});
  const uint8_t* const start =
      heap.find(probe, 1)->data;       // the first block is at the start of the arena
  std::atomic<uint64_t> published{0};  // address × 2^16 + bytes, published together
  std::atomic<bool> done{false};
  std::vector<std::thread> lookers;
  std::atomic<uint64_t> found{0}, wrong{0};
  for (int n = 0; n < 3; ++n) {
    lookers.emplace_back([&] {
      HeapRegions regions;
      while (!done.load()) {
        const uint64_t both = published.load();
        const std::optional<Region> region = regions.find(heap, 0, both >> 16, 1);
        if (!region) continue;
        ++found;
        const bool in_arena =
            region->data >= start && region->data + region->size_bytes <= start + kArena;
        if (region->base != both >> 16 || region->size_bytes != (both & 0xffff) || !in_arena ||
            std::string(region->name) != "malloc")
          ++wrong;
      }
    });
  }
  Heap::Block block;
  // Run longer than freed blocks are remembered, and until the readers have found some.
  for (uint64_t n = 0; n < 20'000 || (found.load() < 100 && n < 20'000'000); ++n) {
    const uint64_t bytes = 16 + n * 37 % 4096;
    const uint64_t address = heap.allocate(bytes, {});
    published.store(address << 16 | bytes);
    heap.release(address, {}, block);
  }
  done.store(true);
  for (std::thread& t : lookers) t.join();
  EXPECT_GT(found.load(), 0u);
  EXPECT_EQ(wrong.load(), 0u);
}

TEST(DeviceHeap, AKeptRegionIsForgottenWhenItsBlockIsFreed) {
  Heap heap(1 << 16);
  HeapRegions regions;
  Heap::Block block;
  const uint64_t first = heap.allocate(64, {});
  ASSERT_TRUE(regions.find(heap, 7, first, 64).has_value());
  EXPECT_FALSE(regions.find(heap, 7, first, 65).has_value());
  EXPECT_FALSE(regions.find(heap, 7, first + 61, 4).has_value());
  ASSERT_EQ(heap.release(first, {}, block), Heap::Freed::kYes);
  const uint64_t second = heap.allocate(64, {});
  EXPECT_NE(first, second) << "a pointer into a freed block meets no other";
  EXPECT_FALSE(regions.find(heap, 7, first, 4).has_value());
  ASSERT_TRUE(regions.find(heap, 7, second, 4).has_value());
  EXPECT_EQ(regions.find(heap, 7, second, 4)->base, second);
}

}  // namespace
}  // namespace warpshop::emulator::testing

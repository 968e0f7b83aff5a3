#include "state/stores_in_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace warpshop::emulator {
namespace {

TEST(StoresInFlight, WaitsUntilTheOtherThreadHasStored) {
  StoresInFlight stores;
  stores.begin(2);
  const std::atomic<bool> halt{false};
  std::atomic<bool> stored{false};
  stores.start(1);
  std::thread other([&] {
    for (int n = 0; n < 1000; ++n) std::this_thread::yield();
    stored = true;
    stores.end(1);
  });
  EXPECT_TRUE(stores.compare_alone(0, halt));
  EXPECT_TRUE(stored);
  other.join();
  EXPECT_TRUE(stores.compare_alone(0, halt)) << "no store is under way any more";
}

// Each adds one to what it finds: none overlooks another one's store.
TEST(StoresInFlight, EachThatComparesSeesTheStoreBeforeIt) {
  constexpr int kThreads = 4, kStores = 2000;
  StoresInFlight stores;
  stores.begin(kThreads);
  const std::atomic<bool> halt{false};
  std::atomic<int> memory{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int n = 0; n < kStores; ++n) {
        stores.start(thread);
        EXPECT_TRUE(stores.compare_alone(thread, halt));
        const int found = memory.load(std::memory_order_relaxed);
        if (n % 16 == 0) std::this_thread::yield();
        memory.store(found + 1, std::memory_order_relaxed);
        stores.end(thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory, kThreads * kStores);
}

TEST(StoresInFlight, AHaltEndsTheWait) {
  StoresInFlight stores;
  stores.begin(2);
  stores.start(1);
  const std::atomic<bool> halt{true};
  EXPECT_FALSE(stores.compare_alone(0, halt));
}

TEST(StoresInFlight, AHaltEndsTheWaitForAnotherComparison) {
  StoresInFlight stores;
  stores.begin(2);
  std::atomic<bool> halt{false};
  stores.start(1);
  EXPECT_TRUE(stores.compare_alone(1, halt));
  std::thread other([&] { EXPECT_FALSE(stores.compare_alone(0, halt)); });
  halt = true;
  other.join();
}

TEST(StoresInFlight, OneThreadWaitsForNobody) {
  StoresInFlight stores;
  stores.begin(1);
  stores.start(0);
  const std::atomic<bool> halt{false};
  EXPECT_TRUE(stores.compare_alone(0, halt));
}

}  // namespace
}  // namespace warpshop::emulator

#include "state/stores_in_flight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

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
  EXPECT_TRUE(stores.wait_for_others(0, halt));
  EXPECT_TRUE(stored);
  other.join();
  EXPECT_TRUE(stores.wait_for_others(0, halt)) << "no store is under way any more";
}

TEST(StoresInFlight, OfTwoThatWaitForOneAnotherOneGoesOn) {
  StoresInFlight stores;
  stores.begin(2);
  const std::atomic<bool> halt{false};
  stores.start(0);
  stores.start(1);
  std::atomic<bool> first_stored{false};
  bool last_may_compare = false;
  std::thread last([&] {
    last_may_compare = stores.wait_for_others(1, halt) && first_stored;
    stores.end(1);
  });
  const bool first_may_compare = stores.wait_for_others(0, halt);
  first_stored = true;
  stores.end(0);
  last.join();
  EXPECT_TRUE(last_may_compare);
  // True only if the last one had stored before the first looked, which it cannot have.
  EXPECT_FALSE(first_may_compare);
}

TEST(StoresInFlight, AHaltEndsTheWait) {
  StoresInFlight stores;
  stores.begin(2);
  stores.start(1);
  const std::atomic<bool> halt{true};
  EXPECT_FALSE(stores.wait_for_others(0, halt));
}

TEST(StoresInFlight, OneThreadWaitsForNobody) {
  StoresInFlight stores;
  stores.begin(1);
  stores.start(0);
  const std::atomic<bool> halt{false};
  EXPECT_TRUE(stores.wait_for_others(0, halt));
}

}  // namespace
}  // namespace warpshop::emulator

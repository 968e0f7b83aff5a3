// DRAM partitions with round numbers, so that times can be worked out by hand.
#include "whole_chip/partition_queues.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

// Two partitions of 256 bytes, one byte per cycle; rows of 1024 bytes, which take 40 cycles to open
// for reading and 100 for writing.
WholeChipFigures two_partitions() {
  WholeChipFigures m;
  m.partitions = {.count = 2, .bytes = 256};
  m.byte_cycles = 1;
  m.row_read = 40;
  m.row_write = 100;
  m.row_bytes = 1024;
  m.queue_requests = 4;
  return m;
}

struct Request {
  uint64_t address;
  uint32_t bytes;
  double at;
  bool writes;
  double done;
};

struct QueueCase {
  const char* what;
  std::vector<Request> requests;
};

TEST(PartitionQueues, ServeByHand) {
  const QueueCase cases[] = {
      {"a row costs its opening at least", {{0, 32, 0, false, 40}}},
      {"or its transfer, if that is longer", {{0, 128, 0, false, 128}}},
      {"writing opens more slowly", {{0, 32, 0, true, 100}}},
      {"the next request of a row that is being served joins it",
       {{0, 32, 0, false, 40}, {32, 32, 0, false, 64}}},
      {"another row waits", {{0, 32, 0, false, 40}, {4096, 32, 0, false, 80}}},
      {"another partition does not", {{0, 32, 0, false, 40}, {256, 32, 0, false, 40}}},
      {"a row that is still open costs the transfer alone",
       {{0, 32, 0, false, 40}, {32, 32, 500, false, 532}}},
      {"the rows of a partition are its own addresses: 0 to 255, 512 to 767, …",
       {{0, 32, 0, false, 40}, {1536, 32, 0, false, 64}, {2048, 32, 0, false, 104}}},
      {"reads and writes are gathered apart", {{0, 32, 0, false, 40}, {0, 32, 0, true, 140}}},
      // After three other rows, the queue of four no longer reaches back to the first.
      {"a row that is too far back is opened again",
       {{0, 32, 0, false, 40},
        {4096, 32, 0, false, 80},
        {8192, 32, 0, false, 120},
        {12288, 32, 0, false, 160},
        {0, 32, 0, false, 200}}},
  };
  for (const QueueCase& c : cases) {
    PartitionQueues queues(two_partitions());
    for (const Request& r : c.requests) {
      EXPECT_DOUBLE_EQ(queues.ask(r.address, r.bytes, r.at, r.writes), r.done)
          << c.what << ", address " << r.address;
    }
  }
}

TEST(PartitionQueues, AFullQueueTakesNoMoreUntilItsFirstIsDone) {
  PartitionQueues queues(two_partitions());
  for (uint64_t n = 0; n < 4; ++n) {
    EXPECT_DOUBLE_EQ(queues.accepts(0, 0), 0);
    queues.ask(n * 4096, 32, 0, false);
  }
  EXPECT_DOUBLE_EQ(queues.accepts(0, 0), 40);
  EXPECT_DOUBLE_EQ(queues.accepts(256, 0), 0) << "the other partition's queue is empty";
}

// Eight partitions, as on a GTX 280: columns of 4096 floats fall into one, columns of 4000 into all
// (the lecture's partition camping).
TEST(PartitionQueues, CampingTakesAsLongAsOnePartition) {
  WholeChipFigures m = two_partitions();
  m.partitions.count = 8;
  m.row_read = 0;
  const auto column = [&](uint64_t pitch) {
    PartitionQueues queues(m);
    double last = 0;
    for (uint64_t row = 0; row < 64; ++row)
      last = std::max(last, queues.ask(row * pitch, 128, 0, false));
    return last;
  };
  EXPECT_DOUBLE_EQ(column(4096 * 4), 64 * 128);
  EXPECT_DOUBLE_EQ(column(4000 * 4), 64 * 16);
}

}  // namespace
}  // namespace warpshop::timing

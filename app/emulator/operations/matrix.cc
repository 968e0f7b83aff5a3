#include "operations/matrix.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "access/access_check.h"
#include "checks/note_finding.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::matrix {
namespace {

const RegisterList& list_of(Warp& warp, uint32_t index) {
  return warp.worker->launch->program->lists[index];
}

// Rows of 16 bytes; thread t has the address of row t % 8 of matrix t / 8. Calls move(host, matrix,
// row) for each valid one.
template <typename Move>
void for_rows(Warp& warp, const MicroOp* op, AccessIntent intent, const StoreValues* values,
              Move move) {
  const int rows = 8 * list_of(warp, op->d).count;
  const uint32_t before = warp.mask;
  const uint32_t lanes = before & (rows == 32 ? 0xffffffffu : (1u << rows) - 1);
  if (lanes == 0) return;
  set_mask(warp, lanes);
  const CheckedAccess checked = check_access(warp, op, 16, intent, values);
  set_mask(warp, before);
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
    uint8_t* at = admitted_place(warp, op, checked, address, lane, 16).data;
    move(at, lane / 8, lane % 8);
  }
}

// Thread 4r + j holds elements 2j and 2j + 1 of row r, or of column r of a transposed matrix.
uint16_t* element_of(Warp& warp, uint32_t reg, bool transposed, int row, int column) {
  if (transposed) std::swap(row, column);
  return reinterpret_cast<uint16_t*>(warp.frame + reg) + 2 * (4 * row + column / 2) + column % 2;
}

template <bool kTransposed>
const MicroOp* load_rows(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  // A destination may hold the addresses: read everything before writing.
  uint16_t value[4][8][8] = {};
  for_rows(warp, op, AccessIntent::kRead, nullptr, [&](const uint8_t* from, int matrix, int row) {
    std::memcpy(value[matrix][row], from, 16);
  });
  const RegisterList& list = list_of(warp, op->d);
  for (int m = 0; m < list.count; ++m) {
    if (list.offset[m] == kNoRegister) continue;
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 8; ++column) {
        *element_of(warp, list.offset[m], kTransposed, row, column) = value[m][row][column];
      }
    }
  }
  return op + 1;
}

template <bool kTransposed>
class RowValues final : public StoreValues {
 public:
  RowValues(Warp& warp, const MicroOp* op) : warp_(warp), list_(list_of(warp, op->d)) {}
  void lane(int lane, uint8_t* to) const override {
    for (int column = 0; column < 8; ++column) {
      std::memcpy(to + 2 * column,
                  element_of(warp_, list_.offset[lane / 8], kTransposed, lane % 8, column), 2);
    }
  }

 private:
  Warp& warp_;
  const RegisterList& list_;
};

template <bool kTransposed>
const MicroOp* store_rows(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  const RowValues<kTransposed> values(warp, op);
  for_rows(warp, op, AccessIntent::kWrite, &values,
           [&](uint8_t* to, int matrix, int row) { values.lane(8 * matrix + row, to); });
  return op + 1;
}

}  // namespace

void check_whole_warp(Warp& warp, const MicroOp* op) {
  if (warp.mask == warp.live && warp.live == 0xffffffffu) return;
  const int lane = std::countr_zero(warp.mask);
  if (Finding* f =
          note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "", lane)) {
    f->message = sentence("only {threads} of 32 threads execute a matrix instruction",
                          {{"threads", std::popcount(warp.mask)}});
    f->cause = sentence(
        "matrix fragments are spread over the warp: all of its 32 threads must come here together");
  }
}

const MicroOp* load(Warp& warp, const MicroOp* op) { return load_rows<false>(warp, op); }
const MicroOp* load_transposed(Warp& warp, const MicroOp* op) { return load_rows<true>(warp, op); }
const MicroOp* store(Warp& warp, const MicroOp* op) { return store_rows<false>(warp, op); }
const MicroOp* store_transposed(Warp& warp, const MicroOp* op) {
  return store_rows<true>(warp, op);
}

const MicroOp* transpose(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  uint16_t value[8][8];
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column)
      value[row][column] = *element_of(warp, op->a, false, row, column);
  }
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column)
      *element_of(warp, op->d, true, row, column) = value[row][column];
  }
  return op + 1;
}

}  // namespace warpshop::emulator::matrix

#include "run/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "memory/access_check.h"
#include "lanes/lane_half.h"
#include "run/launch_state.h"
#include "run/warp.h"

namespace warpshop::emulator::matrix {
namespace {

namespace half = WARPSHOP_LANES;

void check_whole_warp(Warp& warp, const MicroOp* op) {
  if (warp.mask == warp.live && warp.live == 0xffffffffu) return;
  const int lane = std::countr_zero(warp.mask);
  if (Finding* f = note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "", lane)) {
    f->message = "only " + std::to_string(std::popcount(warp.mask)) + " of 32 threads execute a matrix instruction";
    f->cause = "matrix fragments are spread over the warp: all of its 32 threads must come here together";
  }
}

const RegisterList& list_of(Warp& warp, uint32_t index) { return warp.worker->launch->program->lists[index]; }

// Rows of 16 bytes, that of thread t is row t % 8 of matrix t / 8. move(host, matrix, row) for each that may be used.
template <typename Move>
void for_rows(Warp& warp, const MicroOp* op, AccessIntent intent, const StoreValues* values, Move move) {
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
    uint8_t* at = checked.one_region ? checked.host + address
                                     : host_of_lane(warp, op, address, lane_space(warp, op, lane), lane, 16).data;
    move(at, lane / 8, lane % 8);
  }
}

// Thread 4r + j holds elements 2j and 2j + 1 of row r, of a transposed one those of column r.
uint16_t* element_of(Warp& warp, uint32_t reg, bool transposed, int row, int column) {
  if (transposed) std::swap(row, column);
  return reinterpret_cast<uint16_t*>(warp.frame + reg) + 2 * (4 * row + column / 2) + column % 2;
}

template <bool kTransposed>
const MicroOp* load_rows(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  // A destination may hold the addresses: nothing is written before all is read.
  uint16_t value[4][8][8] = {};
  for_rows(warp, op, AccessIntent::kRead, nullptr,
           [&](const uint8_t* from, int matrix, int row) { std::memcpy(value[matrix][row], from, 16); });
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
      std::memcpy(to + 2 * column, element_of(warp_, list_.offset[lane / 8], kTransposed, lane % 8, column), 2);
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

// ---- mma --------------------------------------------------------------------------------------------------

// Element `index` of a 32-bit register.
template <typename T>
T part(uint32_t word, int index) {
  T value;
  std::memcpy(&value, reinterpret_cast<const uint8_t*>(&word) + sizeof(T) * static_cast<size_t>(index), sizeof value);
  return value;
}

float float_element(uint32_t word, int index, Element type) {
  switch (type) {
    case Element::kF16: return half::float_from_half(half::F16{part<uint16_t>(word, index)});
    case Element::kBf16: return half::float_from_half(half::Bf16{part<uint16_t>(word, index)});
    default: return half::from_bits<float>(word & 0xffffe000u);  // .tf32: the low 13 bits are not looked at
  }
}

int exponent_of(float x, Element type) { return std::max(std::ilogb(x), type == Element::kF16 ? -14 : -126); }

constexpr int kFractionBits = 25;

// c plus the products, see docs/emulator.md: exact products, aligned at the largest exponent, each cut off
// kFractionBits behind it, added exactly. The sum comes back as a double, which holds all of it.
double fused_sum(const float* a, const float* b, int count, Element type, float c) {
  double special = 0;   // infinities and NaNs add up as in IEEE 754
  bool is_special = !std::isfinite(c);
  if (is_special) special = static_cast<double>(c);
  int top = std::numeric_limits<int>::min();
  if (c != 0 && std::isfinite(c)) top = std::max(std::ilogb(c), -126);
  for (int k = 0; k < count; ++k) {
    if (!std::isfinite(a[k]) || !std::isfinite(b[k])) {
      is_special = true;
      special += static_cast<double>(a[k]) * static_cast<double>(b[k]);
    } else if (a[k] != 0 && b[k] != 0) {
      top = std::max(top, exponent_of(a[k], type) + exponent_of(b[k], type));
    }
  }
  if (is_special) return special;
  if (top == std::numeric_limits<int>::min()) return 0.0;
  auto aligned = [&](double x) { return static_cast<int64_t>(std::ldexp(x, kFractionBits - top)); };
  int64_t sum = aligned(static_cast<double>(c));
  for (int k = 0; k < count; ++k) sum += aligned(static_cast<double>(a[k]) * static_cast<double>(b[k]));
  return std::ldexp(static_cast<double>(sum), top - kFractionBits);
}

// Towards zero; past the largest number: infinity.
float cut_to_float(double x) {
  const auto nearest = static_cast<float>(x);
  if (!std::isfinite(nearest)) return std::fabs(x) < 0x1p128 ? std::copysign(std::numeric_limits<float>::max(), nearest) : nearest;
  return std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

uint32_t f32_result(double sum) { return std::isnan(sum) ? 0x7fffffffu : half::bits_of(cut_to_float(sum)); }

// To the nearest even, rounded once: the odd last bit keeps what was cut off.
uint16_t f16_result(double sum) {
  if (std::isnan(sum)) return 0x7fff;
  const float cut = cut_to_float(sum);
  const bool lost = std::isfinite(cut) && static_cast<double>(cut) != sum;
  return half::half_from_float<half::F16>(lost ? half::from_bits<float>(half::bits_of(cut) | 1u) : cut).bits;
}

bool is_float(Element type) { return type <= Element::kTf32; }

int integer_element(uint32_t word, int index, Element type) {
  return type == Element::kS8 ? part<int8_t>(word, index) : part<uint8_t>(word, index);
}

}  // namespace

const MicroOp* load(Warp& warp, const MicroOp* op) { return load_rows<false>(warp, op); }
const MicroOp* load_transposed(Warp& warp, const MicroOp* op) { return load_rows<true>(warp, op); }
const MicroOp* store(Warp& warp, const MicroOp* op) { return store_rows<false>(warp, op); }
const MicroOp* store_transposed(Warp& warp, const MicroOp* op) { return store_rows<true>(warp, op); }

const MicroOp* transpose(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  uint16_t value[8][8];
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) value[row][column] = *element_of(warp, op->a, false, row, column);
  }
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) *element_of(warp, op->d, true, row, column) = value[row][column];
  }
  return op + 1;
}

// With g = thread / 4, t = thread % 4 and E elements in a 32-bit register, element j of register r is
//   A: row g + 8 (r % 2), column t E + j + 4 E (r / 2)        B: row t E + j + 4 E r, column g
//   C, D: element i of the fragment is row g + 8 (i / 2), column 2 t + i % 2
// which is what the figures of all m16n8 shapes say. PTX ISA §9.7.14.5.
const MicroOp* multiply(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  const RegisterList& ra = list_of(warp, op->a);
  const RegisterList& rb = list_of(warp, op->b);
  const RegisterList& rc = list_of(warp, op->c);
  const RegisterList& rd = list_of(warp, op->d);
  const auto type_a = static_cast<Element>(op->imm & 0xff);
  const auto type_b = static_cast<Element>(op->imm >> 8 & 0xff);
  const auto to = static_cast<Accumulator>(op->imm >> 16 & 0xff);
  const auto from = static_cast<Accumulator>(op->imm >> 24 & 0xff);
  const int each = type_a == Element::kTf32 ? 1 : is_float(type_a) ? 2 : 4;
  const int depth = 4 * each * rb.count;
  float af[16][32] = {};
  float bf[8][32] = {};
  int ai[16][32] = {};
  int bi[8][32] = {};
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int g = lane / 4;
    const int t = lane % 4;
    for (int r = 0; r < ra.count; ++r) {
      const uint32_t word = warp.reg<uint32_t>(ra.offset[r])[lane];
      for (int j = 0; j < each; ++j) {
        const int row = g + 8 * (r % 2);
        const int k = t * each + j + 4 * each * (r / 2);
        if (is_float(type_a)) af[row][k] = float_element(word, j, type_a);
        else ai[row][k] = integer_element(word, j, type_a);
      }
    }
    for (int r = 0; r < rb.count; ++r) {
      const uint32_t word = warp.reg<uint32_t>(rb.offset[r])[lane];
      for (int j = 0; j < each; ++j) {
        const int k = t * each + j + 4 * each * r;
        if (is_float(type_b)) bf[g][k] = float_element(word, j, type_b);
        else bi[g][k] = integer_element(word, j, type_b);
      }
    }
  }
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t out[4] = {};
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2);
      const int column = 2 * (lane % 4) + i % 2;
      if (to == Accumulator::kS32) {
        int64_t sum = static_cast<int32_t>(warp.reg<uint32_t>(rc.offset[i])[lane]);
        for (int k = 0; k < depth; ++k) sum += int64_t{ai[row][k]} * bi[column][k];
        if (op->flags & 1u) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
        out[i] = static_cast<uint32_t>(sum);
        continue;
      }
      const float c = from == Accumulator::kF32
                          ? half::from_bits<float>(warp.reg<uint32_t>(rc.offset[i])[lane])
                          : float_element(warp.reg<uint32_t>(rc.offset[i / 2])[lane], i % 2, Element::kF16);
      const double sum = fused_sum(af[row], bf[column], depth, type_a, c);
      if (to == Accumulator::kF32) out[i] = f32_result(sum);
      else out[i / 2] |= static_cast<uint32_t>(f16_result(sum)) << (16 * (i % 2));
    }
    for (int r = 0; r < rd.count; ++r) {
      if (rd.offset[r] != kNoRegister) warp.reg<uint32_t>(rd.offset[r])[lane] = out[r];
    }
  }
  return op + 1;
}

}  // namespace warpshop::emulator::matrix

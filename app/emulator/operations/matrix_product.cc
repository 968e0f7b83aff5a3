#include "operations/matrix_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "lanes/lane_half.h"
#include "lanes/lane_number.h"
#include "operations/matrix.h"
#include "operations/matrix_elements.h"
#include "operations/matrix_sparse.h"
#include "operations/matrix_sums.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::matrix {
namespace {

namespace half = WARPSHOP_LANES;

constexpr int kMostRows = 32;  // rows of A, columns of B; quads count each of their products
constexpr int kMostDepth = Factors::kMost;

int depth_in_words(const Product& p) { return p.a == Element::kB1 ? p.k / 32 : p.k; }
int stored_depth(const Product& p) { return p.is_sparse() ? p.k_of_a() : depth_in_words(p); }

// The two groups of four lanes that work together: lanes 4q … and 16 + 4q …
Spot spot_in_quad(int lane, int along, int across) {
  return {8 * (lane % 16 / 4) + along + (lane >= 16 ? 4 : 0), across};
}
Spot spot_of_a(const Product& p, int lane, int reg, int j) {
  const int each = elements_in_register(p.a);
  if (!p.quads) return spot_in_a(p.m, stored_depth(p), each, lane, reg, j);
  const int i = 2 * reg + j;
  return p.a_in_columns ? spot_in_quad(lane, i, lane % 4) : spot_in_quad(lane, lane % 4, i);
}
Spot spot_of_b(const Product& p, int lane, int reg, int j) {
  const int each = elements_in_register(p.b);
  if (!p.quads) return spot_in_b(depth_in_words(p), each, lane, reg, j);
  const int i = 2 * reg + j;
  return p.b_in_rows ? spot_in_quad(lane, i, lane % 4) : spot_in_quad(lane, lane % 4, i);
}
Spot spot_of_c(const Product& p, Accumulator type, int lane, int value) {
  if (!p.quads) return spot_in_c(p.m, p.n, lane, value);
  if (type == Accumulator::kF16) return spot_in_quad(lane, lane % 4, value);
  return spot_in_quad(lane, (lane & 1) + (value & 2), (value & 4) + (lane & 2) + (value & 1));
}

const RegisterList& product_list(Warp& warp, uint32_t index) {
  return warp.worker->launch->program->lists[index];
}

// Calls put(row, depth, 32-bit register, element in it) for all elements of A or B.
template <typename Place, typename Put>
void for_elements(Warp& warp, uint32_t list_index, Element type, int elements, Place place,
                  Put put) {
  const RegisterList& list = product_list(warp, list_index);
  const int each = elements_in_register(type);
  // Fragments may hold their elements more than once: read only the first copy.
  const int registers = std::min<int>(list.count, elements / (kWarpSize * each));
  // In every layout, the position is the sum of a part by lane and a part by register.
  std::array<Spot, kWarpSize> of_lane;
  for (int lane = 0; lane < kWarpSize; ++lane)
    of_lane[static_cast<size_t>(lane)] = place(lane, 0, 0);
  for (int r = 0; r < registers; ++r) {
    const uint32_t* words = warp.reg<uint32_t>(list.offset[r]);
    for (int j = 0; j < each; ++j) {
      const Spot first = place(0, r, j);
      for (size_t lane = 0; lane < kWarpSize; ++lane) {
        put(Spot{of_lane[lane].row + first.row, of_lane[lane].column + first.column}, words[lane],
            j);
      }
    }
  }
}

int elements_of_a(const Product& p) { return p.quads ? 128 : p.m * stored_depth(p); }
int elements_of_b(const Product& p) { return p.quads ? 128 : p.n * depth_in_words(p); }

// C as numbers that can hold each of its types.
using Sums = double[kMostRows][kMostRows];

void read_sums(Warp& warp, const Product& p, Sums& sums) {
  const RegisterList& list = product_list(warp, p.list_c);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < p.values(); ++i) {
      const Spot at = spot_of_c(p, p.c, lane, i);
      double value = 0;
      switch (p.c) {
        case Accumulator::kF64:
          value = half::from_bits<double>(warp.reg<uint64_t>(list.offset[i])[lane]);
          break;
        case Accumulator::kF32:
          value =
              static_cast<double>(half::from_bits<float>(warp.reg<uint32_t>(list.offset[i])[lane]));
          break;
        case Accumulator::kS32:
          value = static_cast<int32_t>(warp.reg<uint32_t>(list.offset[i])[lane]);
          break;
        case Accumulator::kF16:
          value = static_cast<double>(f16_value(static_cast<uint16_t>(
              part(warp.reg<uint32_t>(list.offset[i / 2])[lane], i % 2, 16))));
          break;
      }
      sums[at.row][at.column] = value;
    }
  }
}

// result(row, column of D, c) returns the bits of one value of D.
template <typename Result>
void write_sums(Warp& warp, const Product& p, Result result) {
  Sums sums = {};
  read_sums(warp, p, sums);
  const RegisterList& list = product_list(warp, p.list_d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint64_t out[8] = {};
    for (int i = 0; i < p.values(); ++i) {
      const Spot at = spot_of_c(p, p.d, lane, i);
      const uint64_t bits = result(at, sums[at.row][at.column]);
      if (p.d == Accumulator::kF16)
        out[i / 2] |= bits << (16 * (i % 2));
      else
        out[i] = bits;
    }
    for (int r = 0; r < list.count; ++r) {
      if (list.offset[r] == kNoRegister) continue;
      if (p.d == Accumulator::kF64)
        warp.reg<uint64_t>(list.offset[r])[lane] = out[r];
      else
        warp.reg<uint32_t>(list.offset[r])[lane] = static_cast<uint32_t>(out[r]);
    }
  }
}

void multiply_integers(Warp& warp, const Product& p) {
  int a[kMostRows][kMostDepth] = {};
  int b[kMostRows][kMostDepth] = {};
  for_elements(
      warp, p.list_a, p.a, elements_of_a(p),
      [&](int lane, int r, int j) { return spot_of_a(p, lane, r, j); },
      [&](Spot at, uint32_t word, int j) { a[at.row][at.column] = integer_of(word, j, p.a); });
  for_elements(
      warp, p.list_b, p.b, elements_of_b(p),
      [&](int lane, int r, int j) { return spot_of_b(p, lane, r, j); },
      [&](Spot at, uint32_t word, int j) { b[at.row][at.column] = integer_of(word, j, p.b); });
  if (p.is_sparse()) {
    const Positions positions = positions_of(warp, p);
    return write_sums(warp, p, [&](Spot at, double c) -> uint64_t {
      auto sum = static_cast<int64_t>(c);
      for (int i = 0; i < p.k_of_a(); ++i)
        sum += int64_t{a[at.row][i]} * b[at.column][positions.of[at.row][i]];
      if (p.saturate) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      return static_cast<uint32_t>(sum);
    });
  }
  // At most 64 products of 8-bit integers, or as many counts of 32 bits: the sum fits into an int.
  const auto add_up = [&](auto product) {
    const int depth = depth_in_words(p);
    write_sums(warp, p, [&](Spot at, double c) -> uint64_t {
      int products = 0;
      for (int k = 0; k < depth; ++k) products += product(a[at.row][k], b[at.column][k]);
      int64_t sum = static_cast<int64_t>(c) + products;
      if (p.saturate) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      return static_cast<uint32_t>(sum);
    });
  };
  switch (p.rule) {
    case SumRule::kAndPopc:
      return add_up([](int x, int y) { return std::popcount(static_cast<uint32_t>(x & y)); });
    case SumRule::kXorPopc:
      return add_up([](int x, int y) { return std::popcount(static_cast<uint32_t>(x ^ y)); });
    default:
      return add_up([](int x, int y) { return x * y; });
  }
}

uint64_t bits_of_result(const Product& p, double sum) {
  return p.d == Accumulator::kF16 ? f16_bits(sum) : f32_bits(sum);
}
double value_of_result(const Product& p, double sum) {
  return static_cast<double>(p.d == Accumulator::kF16 ? f16_value(f16_bits(sum))
                                                      : half::from_bits<float>(f32_bits(sum)));
}

// Rounds to nearest even, as arithmetic outside the tensor cores does.
uint64_t rounded_bits(const Product& p, float x) {
  if (p.d == Accumulator::kF16) return half::half_from_float<half::F16>(x).bits;
  return std::isnan(x) ? 0x7fffffffu : half::bits_of(x);
}

uint64_t tensor_sum(const Product& p, const Factors& a, const Factors& b, double c) {
  // An f16 result of f32 sums is rounded from f32.
  Product inner = p;
  if (p.c == Accumulator::kF32) inner.d = Accumulator::kF32;
  for (int k = p.step; k < p.k; k += p.step)
    c = value_of_result(inner, fused_sum(a, b, k - p.step, k, c));
  const double sum = fused_sum(a, b, p.k - p.step, p.k, c);
  if (inner.d == p.d) return bits_of_result(p, sum);
  return rounded_bits(p, half::from_bits<float>(f32_bits(sum)));
}

// a and b hold elements 0 and 1 of all registers, then 2 and 3.
uint64_t two_halves(const Product& p, const Factors& a, const Factors& b, double c) {
  const double first = value_of_result(p, fused_sum(a, b, 0, p.k / 2, 0.0));
  const double both = value_of_result(p, fused_sum(a, b, p.k / 2, p.k, first));
  return rounded_bits(p, static_cast<float>(c) + static_cast<float>(both));
}

uint64_t quarters(const Product& p, const float* a, const float* b, double c) {
  float sum = a[0] * b[0];
  for (int k = 1; k < 4; ++k) sum = std::fma(a[k], b[k], sum);
  return rounded_bits(p, static_cast<float>(c) + sum);
}
uint64_t pairs(const Product& p, const float* a, const float* b, double c) {
  const float first = static_cast<float>(c) + std::fma(a[1], b[1], a[0] * b[0]);
  return rounded_bits(p, first + std::fma(a[3], b[3], a[2] * b[2]));
}

// Multiplies the stored elements of A with the matching elements of B; the others are ignored.
uint64_t sparse_sum(const Product& p, const Factors& a, const Factors& b, const uint8_t* position,
                    double c) {
  Product stored = p;
  stored.k = stored.step = p.k_of_a();
  Factors matching;
  for (int i = 0; i < stored.k; ++i) matching.set(i, b.value[position[i]], lowest_exponent(p.b));
  return tensor_sum(stored, a, matching, c);
}

void multiply_floats(Warp& warp, const Product& p) {
  std::vector<Factors> a(static_cast<size_t>(p.quads ? 32 : p.m));
  std::vector<Factors> b(static_cast<size_t>(p.quads ? 32 : p.n));
  // Position of an element in the order of summation.
  auto order = [&](int k) {
    return p.rule == SumRule::kTwoHalves ? k % 4 / 2 * (p.k / 2) + k / 4 * 2 + k % 2 : k;
  };
  for_elements(
      warp, p.list_a, p.a, elements_of_a(p),
      [&](int lane, int r, int j) { return spot_of_a(p, lane, r, j); },
      [&](Spot at, uint32_t word, int j) {
        a[static_cast<size_t>(at.row)].set(order(at.column), float_of(word, j, p.a),
                                           lowest_exponent(p.a));
      });
  for_elements(
      warp, p.list_b, p.b, elements_of_b(p),
      [&](int lane, int r, int j) { return spot_of_b(p, lane, r, j); },
      [&](Spot at, uint32_t word, int j) {
        b[static_cast<size_t>(at.row)].set(order(at.column), float_of(word, j, p.b),
                                           lowest_exponent(p.b));
      });
  if (p.is_sparse()) {
    const Positions positions = positions_of(warp, p);
    return write_sums(warp, p, [&](Spot at, double c) -> uint64_t {
      return sparse_sum(p, a[static_cast<size_t>(at.row)], b[static_cast<size_t>(at.column)],
                        positions.of[at.row], c);
    });
  }
  write_sums(warp, p, [&](Spot at, double c) -> uint64_t {
    const Factors& row = a[static_cast<size_t>(at.row)];
    const Factors& column =
        b[static_cast<size_t>(p.quads ? at.row / 8 * 8 + at.column : at.column)];
    switch (p.rule) {
      case SumRule::kTwoHalves:
        return two_halves(p, row, column, c);
      case SumRule::kQuarters:
        return quarters(p, row.value, column.value, c);
      case SumRule::kPairs:
        return pairs(p, row.value, column.value, c);
      default:
        return tensor_sum(p, row, column, c);
    }
  });
}

void multiply_doubles(Warp& warp, const Product& p) {
  double a[kMostRows][16] = {};
  double b[kMostRows][16] = {};
  const RegisterList& ra = product_list(warp, p.list_a);
  const RegisterList& rb = product_list(warp, p.list_b);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int r = 0; r < ra.count; ++r) {
      const Spot at = spot_of_a(p, lane, r, 0);
      a[at.row][at.column] = half::from_bits<double>(warp.reg<uint64_t>(ra.offset[r])[lane]);
    }
    for (int r = 0; r < rb.count; ++r) {
      const Spot at = spot_of_b(p, lane, r, 0);
      b[at.row][at.column] = half::from_bits<double>(warp.reg<uint64_t>(rb.offset[r])[lane]);
    }
  }
  write_sums(warp, p, [&](Spot at, double c) -> uint64_t {
    for (int k = 0; k < p.k; ++k) c = std::fma(a[at.row][k], b[at.column][k], c);
    return std::isnan(c) ? 0xfff8000000000000u : half::bits_of(c);
  });
}

}  // namespace

Spot spot_in_a(int rows, int depth, int each, int lane, int reg, int element) {
  const int halves = rows == 8 ? 1 : 2;
  const int in_tile = halves * depth / (4 * each);
  const int r = reg % in_tile;
  return {16 * (reg / in_tile) + lane / 4 + 8 * (r % halves),
          lane % 4 * each + element + 4 * each * (r / halves)};
}

Spot spot_in_b(int depth, int each, int lane, int reg, int element) {
  const int in_tile = depth / (4 * each);
  return {8 * (reg / in_tile) + lane / 4, lane % 4 * each + element + 4 * each * (reg % in_tile)};
}

Spot spot_in_c(int rows, int columns, int lane, int value) {
  const int in_tile = rows == 8 ? 2 : 4;
  const int tile = value / in_tile;
  const int i = value % in_tile;
  const bool below = columns == 8;  // tiles below each other, else beside
  return {lane / 4 + 8 * (i / 2) + (below ? 16 * tile : 0),
          2 * (lane % 4) + i % 2 + (below ? 0 : 8 * tile)};
}

const MicroOp* multiply(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  const Product& p = warp.worker->launch->program->products[op->imm];
  if (p.a == Element::kF64)
    multiply_doubles(warp, p);
  else if (is_float(p.a))
    multiply_floats(warp, p);
  else
    multiply_integers(warp, p);
  return op + 1;
}

}  // namespace warpshop::emulator::matrix

#include "operations/warpgroup_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "access/access_check.h"
#include "access/bulk_parts.h"
#include "checks/copy_watch.h"
#include "checks/note_finding.h"
#include "lanes/lane_half.h"
#include "operations/barriers.h"
#include "operations/matrix.h"
#include "operations/matrix_product.h"
#include "operations/matrix_sums.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"

namespace warpshop::emulator::matrix {
namespace {

namespace half = WARPSHOP_LANES;

constexpr int kRows = 16;  // of a warp
constexpr uint32_t kWarpsInGroup = 4;
constexpr uint32_t kGroupThreads = kWarpsInGroup * kWarpSize;
constexpr int kChunk = 16;     // bytes that stay together whatever the layout
constexpr int kRowBytes = 32;  // k elements of any type
constexpr uint64_t kAddressMask = 0x3ffff;
constexpr int kFloat8Places = 13;
constexpr uint32_t kFloat8Lost = (1u << (23 - kFloat8Places)) - 1;

// k elements of one row of A or column of B.
using Row = std::array<uint32_t, kRowBytes / 4>;

// PTX ISA, "Matrix Descriptor Format".
class Descriptor {
 public:
  explicit Descriptor(uint64_t bits)
      : start_(field(bits, 0)),
        leading_(field(bits, 16)),
        stride_(field(bits, 32)),
        base_(bits >> 49 & 7),
        swizzle_(kSwizzles[bits >> 62]) {}

  // Address of chunk `chunk` of a row's two.
  uint64_t along_k(uint64_t row, uint64_t chunk) const {
    const uint64_t step = swizzle_ == 0 ? leading_ : kChunk;
    return swizzled(start_ + row / 8 * stride_ + row % 8 * width() + chunk * step);
  }
  // Transposed: of rows 8 · unit … + 7 at depth k.
  uint64_t across_k(uint64_t unit, uint64_t k) const {
    if (swizzle_ == 0) return swizzled(start_ + unit * stride_ + k % 8 * kChunk + k / 8 * leading_);
    const uint64_t units = width() / kChunk;
    return swizzled(start_ + unit % units * kChunk + unit / units * leading_ + k % 8 * width() +
                    k / 8 * stride_);
  }

 private:
  // 0 for none, else log2 of the chunks in a row: 128, 64 and 32 bytes.
  static constexpr int kSwizzles[] = {0, 3, 2, 1};

  static uint64_t field(uint64_t bits, int first) { return (bits >> first & 0x3fff) * kChunk; }
  uint64_t width() const { return uint64_t{kChunk} << swizzle_; }
  uint64_t swizzled(uint64_t address) const {
    return bulk_copy::swizzled(address, swizzle_, base_) & kAddressMask;
  }

  uint64_t start_;
  uint64_t leading_;
  uint64_t stride_;
  uint64_t base_;
  int swizzle_;
};

// Reads the 16 bytes at each address, 32 at a time, hidden from the models, which get the sum
// (report_reads). Bytes that may not be read are zero and cause a finding.
void read_chunks(Warp& warp, const MicroOp* op, uint32_t scratch,
                 const std::vector<uint64_t>& addresses, uint8_t* out) {
  MicroOp piece = *op;
  piece.a = scratch;
  piece.imm = 0;
  piece.flags = space_flag(ptx::Space::kShared);
  AccessSink* const sink = std::exchange(warp.worker->sink, nullptr);
  const uint32_t before = warp.mask;
  for (size_t first = 0; first < addresses.size(); first += kWarpSize) {
    const size_t count = std::min<size_t>(kWarpSize, addresses.size() - first);
    for (size_t n = 0; n < count; ++n) {
      warp.reg<uint64_t>(scratch)[n] = addresses[first + n];
      check_proxy_writes(warp, op, 0, addresses[first + n], kChunk, true);
    }
    set_mask(warp, count == kWarpSize ? 0xffffffffu : (1u << count) - 1);
    const CheckedAccess checked = check_access(warp, &piece, kChunk, AccessIntent::kRead);
    for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t address = addresses[first + static_cast<size_t>(lane)];
      std::memcpy(out + (first + static_cast<size_t>(lane)) * kChunk,
                  admitted_place(warp, &piece, checked, address, lane, kChunk).data, kChunk);
    }
  }
  set_mask(warp, before);
  warp.worker->sink = sink;
  warp.worker->pattern_of_site[op->site].mask = 0;  // it says nothing about the next execution
}

// Rows first … first + rows - 1 of the matrix that the descriptor finds.
std::vector<Row> rows_in_memory(Warp& warp, const MicroOp* op, const WarpgroupProduct& p,
                                uint64_t bits, bool transposed, int first, int rows,
                                PendingProduct& pending) {
  const Descriptor descriptor(bits);
  std::vector<Row> out(static_cast<size_t>(rows));
  std::vector<uint64_t> addresses;
  const auto stays_in_use = [&] {
    for (const uint64_t piece : addresses) {
      if (piece + kChunk <= warp.worker->launch->shared_bytes) pending.addresses.push_back(piece);
    }
  };
  if (!transposed) {
    for (int row = first; row < first + rows; ++row) {
      for (uint64_t chunk = 0; chunk < kRowBytes / kChunk; ++chunk)
        addresses.push_back(descriptor.along_k(static_cast<uint64_t>(row), chunk));
    }
    read_chunks(warp, op, p.addresses, addresses, reinterpret_cast<uint8_t*>(out.data()));
    stays_in_use();
    return out;
  }
  for (int row = first; row < first + rows; row += 8) {
    for (int k = 0; k < p.k; ++k)
      addresses.push_back(
          descriptor.across_k(static_cast<uint64_t>(row / 8), static_cast<uint64_t>(k)));
  }
  std::vector<uint16_t> columns(addresses.size() * 8);
  read_chunks(warp, op, p.addresses, addresses, reinterpret_cast<uint8_t*>(columns.data()));
  stays_in_use();
  for (size_t row = 0; row < out.size(); ++row) {
    for (size_t k = 0; k < static_cast<size_t>(p.k); ++k) {
      const uint16_t value = columns[(row / 8 * static_cast<size_t>(p.k) + k) * 8 + row % 8];
      out[row][k / 2] |= uint32_t{value} << (16 * (k % 2));
    }
  }
  return out;
}

int depth_in_elements(const WarpgroupProduct& p) { return p.a == Element::kB1 ? p.k / 32 : p.k; }

std::vector<Row> rows_in_registers(Warp& warp, const WarpgroupProduct& p) {
  const RegisterList& list = warp.worker->launch->program->lists[p.list_a];
  const int each = elements_in_register(p.a);
  std::vector<Row> out(kRows);
  for (int r = 0; r < list.count; ++r) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const Spot at = spot_in_a(kRows, depth_in_elements(p), each, lane, r, 0);
      out[static_cast<size_t>(at.row)][static_cast<size_t>(at.column / each)] =
          warp.reg<uint32_t>(list.offset[r])[lane];
    }
  }
  return out;
}

std::vector<Factors> factors_of(const std::vector<Row>& rows, Element type, int depth,
                                bool negated) {
  const int each = elements_in_register(type);
  std::vector<Factors> out(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    for (int k = 0; k < depth; ++k) {
      const float value = float_of(rows[row][static_cast<size_t>(k / each)], k % each, type);
      out[row].set(k, negated ? -value : value, lowest_exponent(type));
    }
  }
  return out;
}

// Calls sum(row, column, bits of C) for the bits of each of the warp's sums.
template <typename Sum>
void replace_sums(Warp& warp, const WarpgroupProduct& p, bool keep, Sum sum) {
  const int each = p.d == Accumulator::kF16 ? 2 : 1;
  for (int r = 0; r < static_cast<int>(p.sums.size()); ++r) {
    uint32_t* const words = warp.reg<uint32_t>(p.sums[static_cast<size_t>(r)]);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      uint32_t out = 0;
      for (int j = 0; j < each; ++j) {
        const Spot at = spot_in_c(kRows, p.n, lane, r * each + j);
        const uint32_t c = keep ? part(words[lane], j, 32 / each) : 0;
        out |= sum(static_cast<size_t>(at.row), static_cast<size_t>(at.column), c) << (16 * j);
      }
      words[lane] = out;
    }
  }
}

void multiply_rows_of_floats(Warp& warp, const WarpgroupProduct& p, const std::vector<Row>& a,
                             const std::vector<Row>& b, bool keep) {
  const std::vector<Factors> rows = factors_of(a, p.a, p.k, p.negated_a);
  const std::vector<Factors> columns = factors_of(b, p.b, p.k, p.negated_b);
  const bool float8 = bits_of(p.a) == 8;
  const int places = float8 ? kFloat8Places : kFusedPlaces;
  replace_sums(warp, p, keep, [&](size_t row, size_t column, uint32_t c) -> uint32_t {
    const double before = p.d == Accumulator::kF16
                              ? static_cast<double>(f16_value(static_cast<uint16_t>(c)))
                              : static_cast<double>(half::from_bits<float>(c));
    const double sum = fused_sum(rows[row], columns[column], 0, p.k, before, places);
    if (p.d == Accumulator::kF16) return f16_bits(sum);
    return float8 && std::isfinite(sum) ? f32_bits(sum) & ~kFloat8Lost : f32_bits(sum);
  });
}

void multiply_rows_of_integers(Warp& warp, const WarpgroupProduct& p, const std::vector<Row>& a,
                               const std::vector<Row>& b, bool keep) {
  const int each = elements_in_register(p.a);
  replace_sums(warp, p, keep, [&](size_t row, size_t column, uint32_t c) -> uint32_t {
    int64_t sum = static_cast<int32_t>(c);
    for (int k = 0; k < depth_in_elements(p); ++k) {
      const auto word = static_cast<size_t>(k / each);
      if (p.a == Element::kB1)
        sum += std::popcount(a[row][word] & b[column][word]);
      else
        sum += int64_t{integer_of(a[row][word], k % each, p.a)} *
               integer_of(b[column][word], k % each, p.b);
    }
    if (p.saturate) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(sum);
  });
}

bool has_whole_group(Warp& warp, const MicroOp* op) {
  const uint32_t needed = (warp.index / kWarpsInGroup + 1) * kGroupThreads;
  if (warp.worker->launch->threads_per_block >= needed) return true;
  if (Finding* f = note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "",
                                std::countr_zero(warp.mask))) {
    f->message =
        sentence("wgmma in a group of fewer than four warps: the block has {threads} threads",
                 {{"threads", warp.worker->launch->threads_per_block}});
    f->cause = sentence(
        "four warps multiply together, 128 threads from a multiple of 128 on: make the block's "
        "size a multiple of 128");
  }
  return false;
}

void check_fence(Warp& warp, const MicroOp* op) {
  if (warp.fenced_block == warp.block->linear) return;
  if (Finding* f = note_finding(warp, op, FindingKind::kRace, ptx::Space::kGeneric, "",
                                std::countr_zero(warp.mask))) {
    f->message =
        sentence("wgmma without a wgmma.fence before it: its registers may not be written yet");
    f->cause = sentence(
        "execute wgmma.fence.sync.aligned before the first wgmma.mma_async, and again when other "
        "instructions have written the sums or a factor in registers");
  }
}

// As an H200 counts: each warp reads its rows of A, and the group reads B once.
void report_reads(Warp& warp, const MicroOp* op, const WarpgroupProduct& p) {
  EmulationThread& worker = *warp.worker;
  if (worker.sink == nullptr) return;
  const int rows = (p.a_in_registers ? 0 : kRows) + (warp.index % kWarpsInGroup == 0 ? p.n : 0);
  worker.sink->on_product_read(op->site, static_cast<uint32_t>(rows * kRowBytes));
}

uint32_t& groups_of(Warp& warp) {
  std::vector<uint32_t>& groups = warp.block->product_groups;
  if (groups.size() <= warp.index) groups.resize(warp.index + 1, 0);
  return groups[warp.index];
}

uint32_t groups_of(const Block& block, uint32_t warp) {
  return warp < block.product_groups.size() ? block.product_groups[warp] : 0;
}

// A warp that waits for all but `kept` of its groups waits for the products of its four warps whose
// group has a number below `end`.
struct Awaited {
  uint32_t first_warp = 0;
  uint32_t end = 0;
  bool contains(const PendingProduct& product) const {
    return product.warp / kWarpsInGroup * kWarpsInGroup == first_warp && product.group < end;
  }
  uint32_t warps() const { return ((1u << kWarpsInGroup) - 1) << first_warp; }
};

Awaited awaited_by(const Warp& warp, uint64_t kept) {
  const uint64_t committed = groups_of(*warp.block, warp.index);
  return {.first_warp = warp.index / kWarpsInGroup * kWarpsInGroup,
          .end = static_cast<uint32_t>(committed - std::min(committed, kept))};
}

bool all_have_issued(const Warp& warp, uint64_t kept) {
  const Awaited awaited = awaited_by(warp, kept);
  const std::vector<PendingProduct>& products = warp.block->products;
  if (std::none_of(products.begin(), products.end(),
                   [&](const PendingProduct& p) { return awaited.contains(p); }))
    return true;
  for (uint32_t w = 0; w < kWarpsInGroup; ++w) {
    if (groups_of(*warp.block, awaited.first_warp + w) < awaited.end) return false;
  }
  return true;
}

// The warp that issued the product; the one that waits, if that has exited.
Warp& issuer_of(Warp& waiting, const PendingProduct& product) {
  for (const auto& warp : waiting.worker->running) {
    if (warp->index == product.warp && warp->status != WarpStatus::kDone) return *warp;
  }
  return waiting;
}

void end_groups(Warp& warp, uint64_t kept, uint32_t lanes) {
  const Awaited awaited = awaited_by(warp, kept);
  std::vector<PendingProduct>& products = warp.block->products;
  bool any = false;
  for (size_t n = 0; n < products.size();) {
    if (!awaited.contains(products[n])) {
      ++n;
      continue;
    }
    any = true;
    const PendingProduct product = std::move(products[n]);
    products.erase(products.begin() + static_cast<ptrdiff_t>(n));
    Warp& issuer = issuer_of(warp, product);
    const DecodedFunction* const function = std::exchange(issuer.function, product.function);
    end_product_watch(issuer, product);
    issuer.function = function;
  }
  // .sync: the warp's threads have waited together for what they have read together.
  ++warp.sync_order;
  SharedShadow& shadow = warp.block->shadow;
  shadow.sync_lanes(warp.index, lanes);
  if (any) shadow.end_products(awaited.warps());
  shadow.follow_products(warp.index, awaited.warps());
}

}  // namespace

const MicroOp* fence_warpgroup(Warp& warp, const MicroOp* op) {
  warp.fenced_block = warp.block->linear;
  return op + 1;
}

const MicroOp* multiply_in_warpgroup(Warp& warp, const MicroOp* op) {
  check_whole_warp(warp, op);
  if (!has_whole_group(warp, op)) return op + 1;
  check_fence(warp, op);
  const WarpgroupProduct& p = warp.worker->launch->program->warpgroup_products[op->imm];
  const int first = static_cast<int>(warp.index % kWarpsInGroup) * kRows;
  PendingProduct pending{.op = op,
                         .function = warp.function,
                         .warp = warp.index,
                         .group = groups_of(warp),
                         .addresses = {}};
  const std::vector<Row> a = p.a_in_registers
                                 ? rows_in_registers(warp, p)
                                 : rows_in_memory(warp, op, p, warp.reg<uint64_t>(op->a)[0],
                                                  p.transposed_a, first, kRows, pending);
  const std::vector<Row> b =
      rows_in_memory(warp, op, p, warp.reg<uint64_t>(op->b)[0], p.transposed_b, 0, p.n, pending);
  watch_product_start(warp, pending);
  warp.block->products.push_back(std::move(pending));
  report_reads(warp, op, p);
  if ((op->flags & kWithoutValue) != 0) return op + 1;
  const bool keep = (warp.reg<uint32_t>(op->c)[0] & 1u) != (op->flags >> 2 & 1u);
  if (is_float(p.a))
    multiply_rows_of_floats(warp, p, a, b, keep);
  else
    multiply_rows_of_integers(warp, p, a, b, keep);
  return op + 1;
}

const MicroOp* commit_products(Warp& warp, const MicroOp* op) {
  ++groups_of(warp);
  return op + 1;
}

bool may_end_products(const Warp& warp) { return all_have_issued(warp, warp.barrier_op->imm); }

void end_products(Warp& warp) { end_groups(warp, warp.barrier_op->imm, warp.barrier_lanes); }

const MicroOp* wait_for_products(Warp& warp, const MicroOp* op) {
  if (!all_have_issued(warp, op->imm)) return wait_at_barrier(warp, op, kProductBarrier);
  end_groups(warp, op->imm, warp.mask);
  return op + 1;
}

}  // namespace warpshop::emulator::matrix

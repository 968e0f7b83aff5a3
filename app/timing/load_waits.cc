#include "load_waits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dependence.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

// Ordering constraints between instructions. Waits are only for global memory, which a generic
// address may refer to. kElsewhere: shared and local memory, and arguments of a call; global
// accesses may be reordered with these, but not fences, calls, and loads of what a store writes.
enum class Order { kFree, kGlobalLoad, kReadOnlyLoad, kStore, kElsewhere, kFence };

Order order_of(const Instruction& i) {
  static const std::set<std::string_view> kFences = {"bar", "barrier", "membar", "fence", "call"};
  if (kFences.contains(i.opcode)) return Order::kFence;
  // A function that is called may use its arguments at once.
  if (i.opcode == "st" && has_modifier(i, "param")) return Order::kElsewhere;
  if (has_modifier(i, "param") || has_modifier(i, "const")) return Order::kFree;
  if (has_modifier(i, "shared") || has_modifier(i, "shared::cta") || has_modifier(i, "local"))
    return Order::kElsewhere;
  if (i.opcode == "st" || i.opcode == "red" || i.opcode == "atom") return Order::kStore;
  if (i.opcode == "ldu" || (i.opcode == "ld" && has_modifier(i, "nc"))) return Order::kReadOnlyLoad;
  return i.opcode == "ld" ? Order::kGlobalLoad : Order::kFree;
}

// The back end assigns both sides of a copy the same register, so a copy never waits.
bool is_copy(const Instruction& i) { return i.opcode == "mov"; }

// Bytes that a lane accesses: of ".v2.f32", 8.
int64_t width_of(const Instruction& i) {
  const std::optional<ptx::Type> type =
      i.modifiers.empty() ? std::nullopt : ptx::type_from_name(i.modifiers.back());
  const int64_t elements = has_modifier(i, "v8")   ? 8
                           : has_modifier(i, "v4") ? 4
                           : has_modifier(i, "v2") ? 2
                                                   : 1;
  return elements * std::max(1, type ? ptx::size_bytes(*type) : 1);
}

const ptx::Operand* address_of(const Instruction& i) {
  const auto found = std::find_if(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
    return o.kind == ptx::Operand::Kind::kAddress;
  });
  return found == i.operands.end() ? nullptr : &*found;
}

// True if `load` may read what `store` writes, both to shared or local memory. Distances from one
// base are known, and named arrays are apart.
bool may_read(const Instruction& load, const Instruction& store) {
  if (has_modifier(load, "local") != has_modifier(store, "local")) return false;
  const ptx::Operand* from = address_of(load);
  const ptx::Operand* to = address_of(store);
  if (from == nullptr || to == nullptr) return false;
  if (from->register_index != to->register_index) return true;
  const bool one_base = from->symbol.table == to->symbol.table &&
                        from->symbol.index == to->symbol.index && from->text == to->text;
  return one_base && from->offset < to->offset + width_of(store) &&
         to->offset < from->offset + width_of(load);
}

// Registers whose loads are in flight, and those whose loads have been waited for.
struct Traffic {
  std::set<int> on_the_way;
  std::set<int> arrived;
};

// State where paths merge: a load is still in flight if it is on some path and no other path waited
// for it. Paths without the load do not matter.
Traffic merged_traffic(const std::vector<const Traffic*>& paths) {
  Traffic all;
  for (const Traffic* path : paths) {
    all.on_the_way.insert(path->on_the_way.begin(), path->on_the_way.end());
    all.arrived.insert(path->arrived.begin(), path->arrived.end());
  }
  for (int reg : all.arrived) all.on_the_way.erase(reg);
  return all;
}

class BlockRun {
 public:
  BlockRun(const ptx::Function& function, const StraightBlock& block, Traffic before)
      : function_(function),
        block_(block),
        values_(values_of(function, block)),
        state_(static_cast<size_t>(block.end - block.first), State::kToDo),
        before_(std::move(before)) {}

  int run() {
    int waits = 0;
    while (!sweep()) {
      ++waits;
      before_.arrived.insert(before_.on_the_way.begin(), before_.on_the_way.end());
      before_.on_the_way.clear();
      std::replace(state_.begin(), state_.end(), State::kOnTheWay, State::kArrived);
    }
    return waits;
  }

  Traffic after() const {
    Traffic out = before_;
    for (size_t reg = 0; reg < values_.last_writer.size(); ++reg) {
      const int writer = values_.last_writer[reg];
      if (writer < 0) continue;
      const State state = state_[static_cast<size_t>(writer - block_.first)];
      out.on_the_way.erase(static_cast<int>(reg));
      out.arrived.erase(static_cast<int>(reg));
      if (state == State::kOnTheWay) out.on_the_way.insert(static_cast<int>(reg));
      if (state == State::kArrived) out.arrived.insert(static_cast<int>(reg));
    }
    return out;
  }

 private:
  // State of the values produced by each instruction. kArrived: from a load that has been waited
  // for.
  enum class State { kToDo, kOnTheWay, kArrived, kDone };

  State state_of(const Need& need) const {
    if (need.producer >= 0) return state_[static_cast<size_t>(need.producer - block_.first)];
    return before_.on_the_way.contains(need.reg) ? State::kOnTheWay : State::kDone;
  }

  static bool reads_one_of(const Instruction& i, const std::vector<const Instruction*>& stores) {
    return i.opcode != "st" &&
           std::any_of(stores.begin(), stores.end(),
                       [&i](const Instruction* store) { return may_read(i, *store); });
  }

  // Processes every instruction that can go now. True if none is left.
  bool sweep() {
    bool access_waits = false, elsewhere_waits = false, store_waits = false, fence_waits = false;
    std::vector<const Instruction*> elsewhere;  // waiting stores to shared and local memory
    bool all = true;
    for (int n = block_.first; n < block_.end; ++n) {
      State& state = state_[static_cast<size_t>(n - block_.first)];
      if (state != State::kToDo) continue;
      const Instruction& i = function_.body[static_cast<size_t>(n)];
      const Order order = order_of(i);
      bool needs_undone = false, needs_load = false;
      for (const Need& need : values_.needs[static_cast<size_t>(n - block_.first)]) {
        needs_undone = needs_undone || state_of(need) == State::kToDo;
        needs_load = needs_load || state_of(need) == State::kOnTheWay;
      }
      const bool waits = needs_undone || (needs_load && !is_copy(i)) ||
                         (fence_waits && order != Order::kFree) ||
                         (order == Order::kElsewhere && reads_one_of(i, elsewhere)) ||
                         (store_waits && order == Order::kGlobalLoad) ||
                         (access_waits && order == Order::kStore) ||
                         ((access_waits || elsewhere_waits) && order == Order::kFence);
      if (!waits) {
        const bool is_load = order == Order::kGlobalLoad || order == Order::kReadOnlyLoad;
        state = is_load || needs_load ? State::kOnTheWay : State::kDone;
        continue;
      }
      all = false;
      elsewhere_waits = elsewhere_waits || order == Order::kElsewhere;
      if (order == Order::kElsewhere && i.opcode != "ld" && !has_modifier(i, "param"))
        elsewhere.push_back(&i);
      access_waits = access_waits || (order != Order::kFree && order != Order::kElsewhere);
      store_waits = store_waits || order == Order::kStore;
      fence_waits = fence_waits || order == Order::kFence;
    }
    return all;
  }

  const ptx::Function& function_;
  const StraightBlock& block_;
  BlockValues values_;
  std::vector<State> state_;
  Traffic before_;
};

}  // namespace

std::vector<BlockWaits> load_waits_of(const ptx::Function& function,
                                      const std::vector<StraightBlock>& blocks) {
  std::vector<std::vector<size_t>> predecessors(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (int next : blocks[b].successors) predecessors[static_cast<size_t>(next)].push_back(b);
  }
  std::vector<BlockWaits> waits(blocks.size());
  std::vector<Traffic> after(blocks.size());
  // The second iteration sees loads carried around loops.
  for (int round = 0; round < 2; ++round) {
    for (size_t b = 0; b < blocks.size(); ++b) {
      std::vector<const Traffic*> paths;
      bool is_loop = false;
      for (size_t p : predecessors[b]) {
        is_loop = is_loop || p >= b;
        if (p < b || round > 0) paths.push_back(&after[p]);
      }
      BlockRun run(function, blocks[b], merged_traffic(paths));
      const int count = run.run();
      after[b] = run.after();
      const int first_time = waits[b].each_run;
      waits[b].each_run = count;
      if (round > 0 && is_loop) waits[b].on_entry = std::max(0, first_time - count);
    }
  }
  return waits;
}

}  // namespace warpshop::timing

#include "run/atomics_in_turn.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "analysis/instructions.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// Names the operations that an atomic commutes with; empty: none, not even itself.
std::string kind_that_commutes(const AccessSite& site, const ptx::Instruction& i) {
  static constexpr std::string_view kOperations[] = {"add", "min", "max", "and", "or", "xor"};
  if (site.kind != AccessKind::kReduction) return {};
  const auto operation = std::find_if(std::begin(kOperations), std::end(kOperations),
                                      [&](std::string_view o) { return has_modifier(i, o); });
  if (operation == std::end(kOperations)) return {};
  const ptx::Type type = type_of(i);
  const std::string_view name = ptx::name_of(type);
  if (name.starts_with("f") || name.starts_with("bf")) return {};
  const bool by_sign = *operation == "min" || *operation == "max";
  return std::string(*operation) +
         (by_sign ? std::string(name) : std::to_string(ptx::size_bytes(type)));
}

// For each site of the program: whether it is an ordered atomic, or a load from the same buffer.
std::vector<uint8_t> atomics_in_turn(const Launch& launch) {
  const DecodedProgram& program = *launch.program;
  struct Buffer {
    std::vector<size_t> sites;
    std::vector<size_t> loads;
    std::string kind;
    bool commutes = true;
  };
  std::map<const Region*, Buffer> buffers;  // nullptr: unknown, possibly any of them
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const AccessSite& site = program.sites[s];
    if (site.space != ptx::Space::kGlobal && site.space != ptx::Space::kGeneric) continue;
    if (site.kind == AccessKind::kLoad) {
      // Loads through unknown pointers usually read other buffers.
      const bool beside = launch.base_of_site[s] != nullptr ||
                          program.loads_beside_atomics[s] == LoadBesideAtomics::kCheckedAgain;
      if (beside) buffers[launch.base_of_site[s]].loads.push_back(s);
      continue;
    }
    if (site.kind != AccessKind::kAtomic && site.kind != AccessKind::kReduction) continue;
    const ptx::Instruction& i = program.module->functions[static_cast<size_t>(site.function)]
                                    .body[static_cast<size_t>(site.instruction)];
    const std::string kind = kind_that_commutes(site, i);
    Buffer& buffer = buffers[launch.base_of_site[s]];
    buffer.commutes =
        buffer.commutes && !kind.empty() && (buffer.sites.empty() || buffer.kind == kind);
    buffer.kind = kind;
    buffer.sites.push_back(s);
  }
  std::erase_if(buffers, [](const auto& b) { return b.second.sites.empty(); });
  for (auto& [region, buffer] : buffers) buffer.commutes = buffer.commutes && buffer.loads.empty();
  // Atomics on unknown buffers may touch every buffer.
  if (const auto anywhere = buffers.find(nullptr);
      anywhere != buffers.end() && buffers.size() > 1) {
    const bool all = std::all_of(buffers.begin(), buffers.end(), [&](const auto& b) {
      return b.second.commutes && b.second.kind == anywhere->second.kind;
    });
    if (!all) {
      for (auto& [region, buffer] : buffers) buffer.commutes = false;
    }
  }
  std::vector<uint8_t> out(program.sites.size(), 0);
  for (const auto& [region, buffer] : buffers) {
    if (buffer.commutes) continue;
    for (const size_t s : buffer.sites) out[s] = 1;
    for (const size_t s : buffer.loads) out[s] = 1;
  }
  return out;
}

}  // namespace

void take_turns_at_atomics(Launch& launch, int threads) {
  launch.in_turn = atomics_in_turn(launch);
  if (std::find(launch.in_turn.begin(), launch.in_turn.end(), 1) == launch.in_turn.end())
    launch.in_turn.clear();
  launch.turnstile.begin(threads);
}

bool schedule_next(EmulationThread& worker, uint64_t& position) {
  Launch& launch = *worker.launch;
  if (launch.in_turn.empty()) return launch.scheduler.next(worker.index, position);
  launch.turnstile.expect(worker.index, launch.scheduler.started_in_order());
  if (!launch.scheduler.next(worker.index, position)) {
    launch.turnstile.leave(worker.index);
    return false;
  }
  launch.turnstile.start(worker.index, position);
  worker.waits_in_turn = true;
  return true;
}

void leave_turnstile(EmulationThread& worker) {
  if (!worker.launch->in_turn.empty()) worker.launch->turnstile.leave(worker.index);
}

}  // namespace warpshop::emulator

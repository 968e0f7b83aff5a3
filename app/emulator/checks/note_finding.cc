#include "checks/note_finding.h"

#include <cstring>

#include "analysis/source_place.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

std::string_view name_of_space(ptx::Space space) {
  switch (space) {
    case ptx::Space::kGlobal:
      return "global";
    case ptx::Space::kShared:
      return "shared";
    case ptx::Space::kLocal:
      return "local";
    case ptx::Space::kConst:
      return "constant";
    case ptx::Space::kParam:
      return "param";
    case ptx::Space::kTex:
      return "texture";
    default:
      return "";
  }
}

EmulationThread::FindingKey key_of(const Warp& warp, const MicroOp* op, FindingKind kind,
                                   ptx::Space space, std::string_view access) {
  return {kind, static_cast<int>(space), access.empty() ? 0 : access[0], warp.function->index,
          op->instruction};
}

}  // namespace

bool already_noted(const Warp& warp, const MicroOp* op, FindingKind kind, ptx::Space space,
                   std::string_view access) {
  return warp.worker->findings.contains(key_of(warp, op, kind, space, access));
}

ThreadPlace place_of_lane(const Warp& warp, int lane) {
  const uint8_t* tid = warp.worker->tid.data() + size_t{384} * warp.index;
  auto component = [&](int axis) {
    uint32_t value = 0;
    std::memcpy(&value, tid + 128 * axis + 4 * lane, 4);
    return value;
  };
  return {.block = warp.block->index, .thread = {component(0), component(1), component(2)}};
}

Finding* note_finding(Warp& warp, const MicroOp* op, FindingKind kind, ptx::Space space,
                      std::string_view access, int lane, uint64_t times, Severity severity) {
  EmulationThread& worker = *warp.worker;
  const Launch& launch = *worker.launch;
  const EmulationThread::FindingKey key = key_of(warp, op, kind, space, access);
  ++worker.findings_noted;
  const auto [it, fresh] = worker.findings.try_emplace(key);
  Finding& f = it->second.finding;
  if (!fresh) {
    f.count += times;
    if (!it->second.gives_way_to(severity, worker.block.linear)) return nullptr;
    const uint64_t count = f.count;
    f = Finding();
    f.count = count;
  }
  f.severity = severity;
  it->second.block = worker.block.linear;
  it->second.warp = warp.index;
  f.kind = kind;
  f.space = name_of_space(space);
  f.access = access;
  if (fresh) f.count = times;
  f.who = place_of_lane(warp, lane);
  if (op->instruction >= 0) {
    const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
    f.ptx_line = i.ptx_line;
    f.place = source_place(*launch.program->module, i.source);
  }
  return &f;
}

}  // namespace warpshop::emulator

// Measures the nanoseconds per warp instruction of the lane-wise handlers that kernels use most,
// for each instruction set of this machine, with all lanes active and with half of them.
#include <benchmark/benchmark.h>

#include <string>

#include "../../app/emulator/lanes/lane_forms.h"
#include "../../app/emulator/state/warp.h"

namespace warpshop::emulator {
namespace {

// A warp with four registers of up to 64 bits, filled with ordinary values, and a predicate.
struct Bench {
  alignas(64) uint8_t frame[5 * 256] = {};
  Warp warp;
  MicroOp op;

  explicit Bench(const LaneForm& form, uint32_t mask) {
    warp.frame = frame;
    warp.mask = mask;
    warp.full = mask == 0xffffffffu;
    for (int lane = 0; lane < 32; ++lane) {
      warp.lane_mask[lane] = (mask >> lane & 1) != 0 ? 0xffffffffu : 0;
    }
    const auto fill = [&](uint32_t offset, ptx::Type type) {
      for (int lane = 0; lane < 32; ++lane) {
        const auto put = [&](auto value) {
          std::memcpy(frame + offset + static_cast<size_t>(lane) * sizeof value, &value,
                      sizeof value);
        };
        if (type == ptx::Type::kF32) put(1.5f + static_cast<float>(lane));
        if (type == ptx::Type::kF64) put(1.5 + lane);
        const int size = ptx::size_bytes(type);
        if (type != ptx::Type::kF32 && size == 4) put(1000 + 7 * lane);
        if (type != ptx::Type::kF64 && size == 8) put(int64_t{100000} + 7 * lane);
        if (size == 2) put(static_cast<uint16_t>(15360 + lane));  // as f16: slightly above 1
      }
    };
    op.run = form.run;
    op.d = 0;
    op.e = kNoRegister;
    op.imm = 0x96;
    uint32_t* const places[] = {&op.a, &op.b, &op.c, &op.e};
    for (int i = 0; i < form.source_count && i < 4; ++i) {
      if (form.source[static_cast<size_t>(i)] == ptx::Type::kNone) continue;
      *places[i] = 256u * static_cast<uint32_t>(i + 1);
      fill(*places[i], form.source[static_cast<size_t>(i)]);
    }
  }
};

void run_form(benchmark::State& state, const LaneForm* form, uint32_t mask) {
  Bench bench(*form, mask);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bench.op.run(bench.warp, &bench.op));
    benchmark::ClobberMemory();
  }
}

constexpr std::string_view kForms[] = {
    "add.u32",         "add.s64",        "mul.lo.s32",      "mad.lo.s32",     "mul.wide.s32",
    "mad.lo.s64",      "div.s32",        "rem.u32",         "and.b32",        "shl.b32",
    "shr.s32",         "lop3.b32",       "shf.l.wrap.b32",  "min.s32",        "fma.rn.f32",
    "add.f32",         "mul.ftz.f32",    "div.rn.f32",      "sqrt.rn.f32",    "max.f32",
    "add.f64",         "fma.rn.f64",     "setp.lt.s32",     "setp.ge.u64",    "setp.gt.f32",
    "setp.lt.u16",     "setp.ne.b16",    "selp.b32",        "selp.f64",       "selp.b16",
    "mov.b32",         "mov.b64",        "and.pred",        "cvt.u64.u32",    "cvt.s64.s32",
    "cvt.u32.u64",     "cvt.u16.u32",    "cvt.u32.u8",      "cvt.rn.f32.s32", "cvt.rn.f32.u32",
    "cvt.rzi.s32.f32", "cvt.rn.f64.s32", "cvt.f64.f32",     "cvt.rn.f32.f64", "cvt.f32.f16",
    "cvt.rn.f16.f32",  "add.f16",        "fma.rn.f16x2",    "popc.b32",       "clz.b32",
    "bfe.u32",         "prmt.b32",       "add.cc.u32",      "ex2.approx.f32", "rcp.approx.f32",
    "sin.approx.f32",  "lg2.approx.f32", "tanh.approx.f32", "add.rz.f32",     "cvt.rz.f32.s32",
};

const int kRegistered = [] {
  for (const std::string_view isa : lane_isas()) {
    for (const std::string_view name : kForms) {
      const LaneForm* form = find_lane_form_of(isa, name);
      if (form == nullptr) continue;
      const std::string title = "lane/" + std::string(isa) + "/" + std::string(name);
      benchmark::RegisterBenchmark(title.c_str(), run_form, form, 0xffffffffu);
      if (name == "add.u32" || name == "fma.rn.f32" || name == "add.s64" || name == "mov.b64") {
        benchmark::RegisterBenchmark((title + "/half").c_str(), run_form, form, 0x55555555u);
      }
    }
  }
  return 0;
}();

}  // namespace
}  // namespace warpshop::emulator

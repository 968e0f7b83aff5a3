#include "lab/measured_profile.h"

#include <cmath>
#include <tuple>

#include "timing/generations.h"

namespace warpshop::lab {
namespace {

using models::GpuProfile;
using models::Sourced;

// Distance between two GPUs' memories: the ratio of their pin bandwidths.
double memory_distance(const GpuProfile& profile, const device::GpuInfo& gpu) {
  const double peak = gpu.peak_gb_s();
  if (peak <= 0 || profile.memory_bandwidth_gb_s <= 0) return 0;
  return std::abs(std::log(profile.memory_bandwidth_gb_s / peak));
}

class Writer {
 public:
  Writer(const GpuProfile& nearest, std::string driver, std::string measured, std::string assumed)
      : nearest_(nearest),
        driver_(std::move(driver)),
        measured_(std::move(measured)),
        assumed_(std::move(assumed)) {
    out_ = nearest;
    for (auto& [key, origin] : out_.sources) origin = {assumed_, "assumed", {}, 0};
  }

  // A figure reported by the driver, or 0 if it does not report it.
  template <typename Member, typename Value>
  void reported(const char* key, Member GpuProfile::*member, Value value, const char* note = "") {
    if (value <= 0) return;
    put(key, member, value, {driver_, "read", note, 0});
  }
  template <typename Member>
  void measured(const char* key, Member GpuProfile::*member, double value, const char* note) {
    if (value <= 0) return;
    put(key, member, value, {measured_, "measured", note, 0});
  }
  template <typename Member, typename Value>
  void derived(const char* key, Member GpuProfile::*member, Value value, std::string note) {
    put(key, member, value, {driver_, "derived", std::move(note), 0});
  }
  // The nearest GPU's value, scaled.
  void scaled(const char* key, std::optional<double> GpuProfile::*member, double factor,
              const std::string& by) {
    if (!(nearest_.*member) || factor <= 0) return;
    // Three digits: more would suggest precision that is not there.
    const double value = *(nearest_.*member) * factor;
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    put(key, member, std::round(value / unit) * unit,
        {assumed_, "assumed", "scaled with " + by, 0});
  }
  template <typename Member>
  void unknown(const char* key, Member GpuProfile::*member) {
    out_.*member = Member{};
    out_.sources.erase(key);
  }
  GpuProfile& profile() { return out_; }

 private:
  template <typename Member, typename Value>
  void put(const char* key, Member GpuProfile::*member, Value value, Sourced origin) {
    out_.*member =
        static_cast<std::conditional_t<std::is_arithmetic_v<Member>, Member, Value>>(value);
    out_.sources[key] = std::move(origin);
  }

  const GpuProfile& nearest_;
  std::string driver_, measured_, assumed_;
  GpuProfile out_;
};

void put_chip(Writer& to, const device::GpuInfo& gpu, const device::GpuDescription& d,
              const GpuProfile& nearest) {
  using P = GpuProfile;
  to.reported("sm_count", &P::sm_count, gpu.sm_count);
  to.reported("sm_clock_mhz", &P::sm_clock_mhz, gpu.clock_mhz, "the highest");
  to.reported("memory_clock_mhz", &P::memory_clock_mhz, static_cast<double>(gpu.memory_clock_mhz));
  to.reported("memory_bus_bits", &P::memory_bus_bits, gpu.bus_width_bits);
  if (gpu.memory_clock_mhz > 0) {
    to.derived("data_rate_gbps", &P::data_rate_gbps, 2e-3 * gpu.memory_clock_mhz,
               "2 x " + std::to_string(gpu.memory_clock_mhz) + " MHz");
  }
  if (gpu.peak_gb_s() > 0) {
    to.derived("memory_bandwidth_gb_s", &P::memory_bandwidth_gb_s, gpu.peak_gb_s(),
               std::to_string(gpu.memory_clock_mhz) + " MHz x 2 x " +
                   std::to_string(gpu.bus_width_bits) + " bits / 8");
  }
  to.reported("l2_bytes", &P::l2_bytes, gpu.l2_bytes);
  to.measured("copy_bandwidth_gb_s", &P::copy_bandwidth_gb_s, d.copy_gb_s,
              "the best copy, bytes read and written");
  if (nearest.partition_count && nearest.memory_bus_bits && gpu.bus_width_bits > 0) {
    const int count = static_cast<int>(std::lround(static_cast<double>(*nearest.partition_count) *
                                                   gpu.bus_width_bits / *nearest.memory_bus_bits));
    to.derived("partition_count", &P::partition_count, std::max(count, 1),
               "bits of the bus, with the channels of " + nearest.id);
  }
}

void put_sm(Writer& to, const device::GpuDescription& d, const GpuProfile& nearest) {
  using P = GpuProfile;
  to.reported("max_warps_per_sm", &P::max_warps_per_sm, d.max_threads_per_sm / 32);
  to.reported("max_blocks_per_sm", &P::max_blocks_per_sm, d.max_blocks_per_sm);
  to.reported("max_threads_per_block", &P::max_threads_per_block, d.max_threads_per_block);
  to.reported("registers_per_sm", &P::registers_per_sm, d.registers_per_sm);
  to.reported("registers_per_block", &P::registers_per_block, d.registers_per_block);
  to.reported("shared_bytes_per_sm", &P::shared_bytes_per_sm, d.shared_bytes_per_sm);
  to.reported("shared_bytes_per_block", &P::shared_bytes_per_block, d.shared_bytes_per_block);
  to.reported("shared_bytes_per_block_optin", &P::shared_bytes_per_block_optin,
              d.shared_bytes_per_block_optin);
  to.reported("shared_reserved_bytes", &P::shared_reserved_bytes, d.shared_reserved_bytes);
  if (d.shared_bytes_per_sm > 0 && d.shared_bytes_per_sm != nearest.shared_bytes_per_sm) {
    // The selectable sizes depend on the total: those of another SM would be wrong.
    to.unknown("shared_carveouts_bytes", &P::shared_carveouts_bytes);
    to.unknown("l1_bytes", &P::l1_bytes);
  }
}

void put_timing(Writer& to, const device::GpuInfo& gpu, const device::GpuDescription& d,
                const GpuProfile& nearest) {
  using P = GpuProfile;
  to.measured("launch_us", &P::launch_us, d.launch_us, "an empty kernel, by events");
  to.measured("shared_latency_cycles", &P::shared_latency_cycles, d.shared_latency_cycles,
              "a chain of loads");
  to.measured("l1_latency_cycles", &P::l1_latency_cycles, d.l1_latency_cycles,
              "a chain of pointers over 16 KiB");
  to.measured("l2_latency_cycles", &P::l2_latency_cycles, d.l2_latency_cycles,
              "a chain of pointers over 2 MiB, past L1");
  to.measured("dram_latency_cycles", &P::dram_latency_cycles, d.dram_latency_cycles,
              "a chain of pointers over 256 MiB, after L2 was swept");
  to.measured("dram_gb_s", &P::dram_gb_s, d.read_gb_s, "the best dense read");
  if (nearest.l2_bytes && *nearest.l2_bytes > 0 && gpu.l2_bytes > 0) {
    const double factor =
        static_cast<double>(gpu.l2_bytes) / static_cast<double>(*nearest.l2_bytes);
    to.scaled("l2_keeps_bytes", &P::l2_keeps_bytes, factor, "L2's size");
    to.scaled("l2_forgets_bytes", &P::l2_forgets_bytes, factor, "L2's size");
  }
  if (nearest.sm_clock_mhz > 0 && gpu.clock_mhz > 0)
    to.scaled("l2_clock_mhz", &P::l2_clock_mhz, gpu.clock_mhz / nearest.sm_clock_mhz,
              "the SMs' clock");
  // Nobody has compared times predicted for this very GPU.
  to.unknown("error_pct", &P::error_pct);
  to.unknown("error_kernels", &P::error_kernels);
}

}  // namespace

const GpuProfile* nearest_profile(const std::vector<GpuProfile>& known,
                                  const device::GpuInfo& gpu) {
  const auto rank = [&](const GpuProfile& profile) {
    const models::ComputeCapability& c = profile.capability;
    const bool same = c.major == gpu.capability_major && c.minor == gpu.capability_minor;
    const bool generation = c.major == gpu.capability_major;
    const int own = gpu.capability_major * 10 + gpu.capability_minor;
    const int distance = std::abs(own - (c.major * 10 + c.minor));
    return std::make_tuple(same         ? 0
                           : generation ? 1
                                        : 2,
                           same || generation ? 0 : distance, memory_distance(profile, gpu));
  };
  const GpuProfile* best = nullptr;
  for (const GpuProfile& profile : known) {
    if (!timing::has_machine_code(profile)) continue;  // a different model covers these
    if (best == nullptr || rank(profile) < rank(*best)) best = &profile;
  }
  return best;
}

Result<MeasuredProfile> measured_profile(const std::string& id, const device::GpuInfo& gpu,
                                         const device::GpuDescription& description,
                                         const std::string& driver, const std::string& date,
                                         const std::vector<GpuProfile>& known) {
  const GpuProfile* nearest = nearest_profile(known, gpu);
  if (nearest == nullptr) {
    return make_error("gpu-profile",
                      "there is no profile of compute capability 7.0 or newer that could stand in "
                      "for what a GPU does not tell",
                      "put one into assets/gpus");
  }
  const std::string driver_source = "the driver of the device itself, " + driver;
  const std::string ran = "measured on the device itself, " + date;
  const std::string assumed = "assumed: as " + nearest->id + ".toml";
  Writer to(*nearest, driver_source, ran, assumed);
  put_chip(to, gpu, description, *nearest);
  put_sm(to, description, *nearest);
  put_timing(to, gpu, description, *nearest);
  MeasuredProfile out{std::move(to.profile()), {}, {}};
  out.profile.id = id;
  out.profile.name = gpu.name;
  out.profile.capability = {gpu.capability_major, gpu.capability_minor};
  for (const std::string& reason : description.throttled) {
    Diagnostic note =
        make_error("gpu-profile", "the GPU was slowed down while it was measured: " + reason,
                   "measure again when it is cool and idle");
    note.severity = Severity::kWarning;
    out.notes.push_back(std::move(note));
  }
  out.toml = "# " + gpu.name + " (compute capability " + std::to_string(gpu.capability_major) +
             "." + std::to_string(gpu.capability_minor) + "), written on " + date +
             " by warpshop gpus --write. Format: docs/models.md, \"GPU profiles\".\n" +
             models::gpu_profile_toml(
                 out.profile, {{driver_source, "DRIVER"}, {ran, "RUN"}, {assumed, "NEAREST"}});
  return out;
}

}  // namespace warpshop::lab

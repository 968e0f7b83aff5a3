// A fake CUPTI for the tests' worker: its counters return what the emulator counted between push
// and pop. Like the real one it needs more than one pass: the first half of the metrics is
// collected in the first pass, the rest in the second. FAKE_CUPTI selects a fault: "no-permission",
// "busy", "unknown-chip", "blackwell" (other names for the DRAM counters), "endless" (never done).
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cupti.h"
#include "fake_counters.h"

namespace {

using namespace warpshop;          // NOLINT: a library of the tests
using namespace warpshop::device;  // NOLINT

constexpr int kInvalidParameter = 1;
constexpr int kInvalidOperation = 7;
constexpr int kCuptiBusy = 26;
constexpr int kNoPermission = 35;
constexpr int kInvalidName = 17;
constexpr int kUnknownChip = 46;

bool cupti_chosen(std::string_view what) {
  const char* value = std::getenv("FAKE_CUPTI");
  return value != nullptr && what == value;
}

struct Host {
  const uint8_t* availability = nullptr;  // owned by the caller; must outlive the host object
  std::vector<std::string> metrics;
};
struct Ranges {
  bool configured = false, started = false, pushed = false;
  int passes = 0;
  // The counts of each pass, and its number of launches.
  timing::Counters counted[2];
  int launches[2] = {};
};

Ranges* active = nullptr;

const timing::CounterInfo* find(std::string_view metric) {
  for (const timing::CounterInfo& info : timing::counter_table()) {
    if (info.nsight == metric) return &info;
  }
  return nullptr;
}

bool is_dram(std::string_view metric) {
  return metric == (cupti_chosen("blackwell") ? "dram__bytes_op_read.sum" : "dram__bytes_read.sum");
}

}  // namespace

namespace fake {

bool counting() { return active != nullptr && active->started && active->pushed; }

void count(const timing::Counters& counters) {
  const int pass = active->passes;
  if (pass > 1) return;
  active->counted[pass] += counters;
  ++active->launches[pass];
}

}  // namespace fake

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE cuptiGetResultString(int, const char** text) {
  *text = "an error of the tests' CUPTI";
  return 0;
}
FAKE cuptiProfilerInitialize(CuptiInitialize* p) { return p->size == 16 ? 0 : kInvalidParameter; }
FAKE cuptiDeviceGetChipName(CuptiChipName* p) {
  if (p->device != 0) return kInvalidParameter;
  p->name = "FAKE1";
  return 0;
}
FAKE cuptiProfilerGetCounterAvailability(CuptiAvailability* p) {
  if (cupti_chosen("no-permission")) return kNoPermission;
  if (p->image == nullptr) {
    p->image_size = 4;
    return 0;
  }
  if (p->image_size != 4) return kInvalidParameter;
  std::memcpy(p->image, "chip", 4);
  return 0;
}
FAKE cuptiProfilerHostInitialize(CuptiHostInitialize* p) {
  if (cupti_chosen("unknown-chip") || std::string_view(p->chip) != "FAKE1") return kUnknownChip;
  if (p->availability == nullptr || std::memcmp(p->availability, "chip", 4) != 0)
    return kInvalidParameter;
  p->host = reinterpret_cast<CuptiHost>(new Host{p->availability, {}});
  return 0;
}
FAKE cuptiProfilerHostDeinitialize(CuptiHostOnly* p) {
  delete reinterpret_cast<Host*>(p->host);
  return 0;
}
FAKE cuptiProfilerHostGetMetricProperties(CuptiMetricProperties* p) {
  return find(p->metric) != nullptr || is_dram(p->metric) ? 0 : kInvalidName;
}
FAKE cuptiProfilerHostConfigAddMetrics(CuptiAddMetrics* p) {
  auto* host = reinterpret_cast<Host*>(p->host);
  if (std::memcmp(host->availability, "chip", 4) != 0) return kInvalidParameter;
  for (size_t i = 0; i < p->count; ++i) host->metrics.emplace_back(p->metrics[i]);
  return 0;
}
FAKE cuptiProfilerHostGetConfigImageSize(CuptiConfigSize* p) {
  p->image_size = reinterpret_cast<Host*>(p->host)->metrics.size();
  return 0;
}
FAKE cuptiProfilerHostGetConfigImage(CuptiConfigImage* p) {
  if (p->image_size != reinterpret_cast<Host*>(p->host)->metrics.size()) return kInvalidParameter;
  std::memset(p->image, 0x5C, p->image_size);
  return 0;
}
FAKE cuptiRangeProfilerEnable(CuptiEnable* p) {
  if (cupti_chosen("busy")) return kCuptiBusy;
  if (p->context == nullptr) std::abort();  // as the real one does
  if (active != nullptr) return kInvalidOperation;
  active = new Ranges;
  p->ranges = reinterpret_cast<CuptiRanges>(active);
  return 0;
}
FAKE cuptiRangeProfilerDisable(CuptiRangesOnly*) {
  delete active;
  active = nullptr;
  return 0;
}
FAKE cuptiRangeProfilerGetCounterDataSize(CuptiDataSize* p) {
  p->image_size = sizeof(void*);
  return p->most_ranges == 1 && p->most_nodes >= 1 ? 0 : kInvalidParameter;
}
FAKE cuptiRangeProfilerCounterDataImageInitialize(CuptiDataInitialize* p) {
  return p->image_size == sizeof(void*) ? 0 : kInvalidParameter;
}
FAKE cuptiRangeProfilerSetConfig(CuptiSetConfig* p) {
  // User ranges with user replay; numbers from the header.
  if (p->range != 2 || p->replay != 3 || p->config_size == 0 || p->config[0] != 0x5C)
    return kInvalidParameter;
  const auto* image = active;
  std::memcpy(p->data, static_cast<const void*>(&image), sizeof(void*));
  active->configured = true;
  return 0;
}
FAKE cuptiRangeProfilerStart(CuptiRangesOnly*) {
  if (active == nullptr || !active->configured || active->started) return kInvalidOperation;
  active->started = true;
  return 0;
}
FAKE cuptiRangeProfilerPushRange(CuptiPush* p) {
  if (!active->started || active->pushed || p->name == nullptr) return kInvalidOperation;
  active->pushed = true;
  return 0;
}
FAKE cuptiRangeProfilerPopRange(CuptiRangesOnly*) {
  if (!active->pushed) return kInvalidOperation;
  active->pushed = false;
  return 0;
}
FAKE cuptiRangeProfilerStop(CuptiStop* p) {
  if (!active->started || active->pushed) return kInvalidOperation;
  active->started = false;
  ++active->passes;
  p->all_passes = active->passes == 2 && !cupti_chosen("endless") ? 1 : 0;
  return 0;
}
FAKE cuptiRangeProfilerDecodeData(CuptiDecode*) {
  return active->passes == 2 ? 0 : kInvalidOperation;
}
FAKE cuptiProfilerHostEvaluateToGpuValues(CuptiEvaluate* p) {
  const Ranges* ranges = nullptr;
  std::memcpy(static_cast<void*>(&ranges), p->image, sizeof(void*));
  if (ranges != active) return kInvalidParameter;
  for (size_t i = 0; i < p->count; ++i) {
    const int pass = i < p->count / 2 ? 0 : 1;
    const timing::CounterInfo* info = find(p->metrics[i]);
    // DRAM bytes, which nothing counts here: 1000 per launch.
    p->values[i] = info != nullptr ? static_cast<double>(ranges->counted[pass].*info->field)
                                   : 1000.0 * ranges->launches[pass];
  }
  return 0;
}

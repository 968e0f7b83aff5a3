#include "compare_outputs.h"

#include <cmath>
#include <cstring>

#include "core/element.h"
#include "helper_kernels.h"

namespace warpshop::device {
namespace {

struct Sides {
  CuPointer expected = 0;
  CuPointer expected_again = 0;
  CuPointer got = 0;
  CuPointer got_again = 0;
};

Status start_compare(Gpu& gpu, const Job& job, const JobArg& arg, Sides sides, double magnitude,
                     uint32_t poison, CuPointer bits, CuPointer counters) {
  uint64_t count = arg.size_bytes / static_cast<uint64_t>(size_bytes(arg.type));
  double tolerance = job.tolerance;
  return gpu.run_helper("warpshop_compare_" + std::string(name_of(arg.type)), (count + 7) / 8,
                        false,
                        {&sides.expected, &sides.expected_again, &sides.got, &sides.got_again,
                         &count, &tolerance, &magnitude, &poison, &bits, &counters});
}

}  // namespace

Result<std::vector<double>> mean_magnitudes(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                                            const std::vector<DeviceBytes>& expected) {
  std::vector<double> out(expected.size());
  if (job.tolerance <= 0) return out;
  for (size_t k = 0; k < expected.size(); ++k) {
    const JobArg& arg = job.args[buffers.outputs()[k]];
    std::vector<uint8_t> bytes(arg.size_bytes);
    const Status got = gpu.download(bytes.data(), expected[k].at(), bytes.size());
    if (!got.ok()) return got.errors();
    // Sums in element order, as the lab does, so that the floor is the same to the last bit.
    const auto size = static_cast<size_t>(size_bytes(arg.type));
    double sum = 0;
    uint64_t finite = 0;
    for (size_t at = 0; at + size <= bytes.size(); at += size) {
      const double value = std::abs(element_value(arg.type, bytes.data() + at));
      if (!std::isfinite(value)) continue;
      sum += value;
      ++finite;
    }
    out[k] = finite == 0 ? 0 : sum / static_cast<double>(finite);
  }
  return out;
}

Result<std::vector<OutputComparison>> compare_outputs(Gpu& gpu, const Job& job,
                                                      const JobBuffers& buffers,
                                                      const OutputPair& expected,
                                                      const OutputPair& got,
                                                      const std::vector<double>& magnitudes) {
  std::vector<OutputComparison> out;
  const uint32_t poison = kPoison[0] | uint32_t{kPoison[1]} << 8;
  Result<DeviceBytes> counters = gpu.allocate(sizeof(CompareCounters), sentence("the comparison"));
  if (!counters.ok()) return counters.errors();
  for (size_t k = 0; k < buffers.outputs().size(); ++k) {
    const JobArg& arg = job.args[buffers.outputs()[k]];
    const auto element = static_cast<uint64_t>(size_bytes(arg.type));
    OutputComparison comparison;
    comparison.buffer = arg.name;
    comparison.type = arg.type;
    comparison.count = arg.size_bytes / element;
    const bool poisoned = !writes(arg.fill) && !expected.second.empty() && !got.second.empty();
    const Sides sides = {expected.first[k].at(),
                         poisoned ? expected.second[k].at() : expected.first[k].at(),
                         got.first[k].at(), poisoned ? got.second[k].at() : got.first[k].at()};
    const uint64_t map_bytes = (comparison.count + 7) / 8;
    Result<DeviceBytes> bits = gpu.allocate(map_bytes, sentence("the map of wrong elements"));
    if (!bits.ok()) return bits.errors();
    CompareCounters found;
    Status status = gpu.upload(counters->at(), &found, sizeof found);
    if (status.ok()) {
      status =
          start_compare(gpu, job, arg, sides, magnitudes[k], poison, bits->at(), counters->at());
    }
    if (status.ok()) status = gpu.download(&found, counters->at(), sizeof found);
    if (!status.ok()) return status.errors();
    comparison.wrong = found.wrong;
    std::memcpy(&comparison.max_abs_error, &found.max_error_bits, sizeof(double));
    if (found.wrong > 0) {
      comparison.first_index = found.first;
      comparison.wrong_bits.resize(map_bytes);
      comparison.first_expected.resize(element);
      comparison.first_got.resize(element);
      std::vector<uint8_t> again(element);
      const uint64_t at = found.first * element;
      status = gpu.download(comparison.wrong_bits.data(), bits->at(), map_bytes);
      if (status.ok()) {
        status = gpu.download(comparison.first_expected.data(), sides.expected + at, element);
      }
      if (status.ok()) status = gpu.download(comparison.first_got.data(), sides.got + at, element);
      if (status.ok()) status = gpu.download(again.data(), sides.got_again + at, element);
      if (!status.ok()) return status.errors();
      for (size_t b = 0; poisoned && b < element; ++b) {
        if (comparison.first_got[b] == kPoison[0] && again[b] == kPoison[1]) {
          comparison.first_written = false;
        }
      }
    }
    out.push_back(std::move(comparison));
  }
  return out;
}

Result<uint64_t> count_wrong(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                             const std::vector<DeviceBytes>& got,
                             const std::vector<double>& magnitudes, unsigned char poison) {
  Result<DeviceBytes> counters = gpu.allocate(sizeof(CompareCounters), sentence("the comparison"));
  if (!counters.ok()) return counters.errors();
  CompareCounters found;
  Status status = gpu.upload(counters->at(), &found, sizeof found);
  for (size_t k = 0; status.ok() && k < buffers.outputs().size(); ++k) {
    const size_t i = buffers.outputs()[k];
    const JobArg& arg = job.args[i];
    status = buffers.fetch(i);
    if (!status.ok()) break;
    const CuPointer expected = buffers.at(i);
    // With a second pointer of 0, an expected element that still shows the poison counts as not
    // written by the reference.
    const Sides sides = {expected, writes(arg.fill) ? expected : 0, got[k].at(), got[k].at()};
    status = start_compare(gpu, job, arg, sides, magnitudes[k], poison, 0, counters->at());
  }
  if (status.ok()) status = gpu.download(&found, counters->at(), sizeof found);
  if (!status.ok()) return status.errors();
  return found.wrong;
}

}  // namespace warpshop::device

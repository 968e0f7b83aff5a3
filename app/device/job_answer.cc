#include "job_answer.h"

#include <algorithm>
#include <vector>

namespace warpshop::device {
namespace {

Diagnostic wrong(Sentence what) {
  return make_error(
      "gpu-protocol",
      sentence("the GPU worker's answer does not fit its job: {what}", {{"what", std::move(what)}}),
      sentence("install the same version of Warpshop at both ends"));
}

}  // namespace

Status check_answer(const Job& job, const JobResult& result) {
  if (job.describe)
    return result.description ? success() : Status(wrong(sentence("no description of the GPU")));
  std::vector<const JobArg*> buffers, outputs;
  for (const JobArg& arg : job.args) {
    if (!arg.is_buffer) continue;
    buffers.push_back(&arg);
    if (arg.output) outputs.push_back(&arg);
  }
  if (job.reference) {
    if (!result.reference) return wrong(sentence("no figures for the reference"));
    const bool fits = std::equal(
        outputs.begin(), outputs.end(), result.outputs.begin(), result.outputs.end(),
        [](const JobArg* arg, const OutputComparison& output) {
          return output.buffer == arg->name && output.type == arg->type &&
                 output.count == arg->size_bytes / static_cast<uint64_t>(size_bytes(arg->type));
        });
    if (!fits) return wrong(sentence("other outputs than those requested"));
  } else {
    if (job.hashes && result.hashes.size() != buffers.size())
      return wrong(sentence("not one hash per buffer"));
    const bool fits =
        std::equal(buffers.begin(), buffers.end(), result.bytes.begin(), result.bytes.end(),
                   [](const JobArg* arg, const std::vector<uint8_t>& bytes) {
                     return bytes.size() == arg->size_bytes;
                   });
    if (job.bytes && !fits) return wrong(sentence("not the bytes of every buffer"));
  }
  for (const GuardHit& hit : result.guards) {
    const bool known = std::any_of(buffers.begin(), buffers.end(),
                                   [&](const JobArg* arg) { return arg->name == hit.buffer; });
    if (!known) return wrong(sentence("an unknown buffer"));
  }
  if (job.time && (!result.timing || (job.reference && !result.timing->reference)))
    return wrong(sentence("no times"));
  if (job.counters && !result.counters) return wrong(sentence("no counters"));
  return success();
}

}  // namespace warpshop::device

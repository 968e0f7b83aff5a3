// Checks that a worker's answer fits the job it was given. The worker may be another version at the
// other end of ssh.
#pragma once

#include "device/protocol.h"

namespace warpshop::device {

// Error, kind gpu-protocol: a requested part is missing or does not fit the job's buffers.
Status check_answer(const Job& job, const JobResult& result);

}  // namespace warpshop::device

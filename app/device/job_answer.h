// Is what a worker answers an answer to what it was asked? A worker may be another version, at the other end of ssh.
#pragma once

#include "device/protocol.h"

namespace warpshop::device {

// Error: a part that was asked for is missing, or does not fit the job's buffers; gpu-protocol.
Status check_answer(const Job& job, const JobResult& result);

}  // namespace warpshop::device

// The memory accesses of the kernels in tests/hardware/cases: the lanes' addresses for each warp
// instruction. Rewritten from the kernels' CUDA source, independently of the program under test.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/banks.h"
#include "models/request.h"

namespace warpshop::models {

struct HardwareCase {
  std::string name;
  std::string kernel;
  std::map<std::string, std::string> defines;  // from -DNAME=VALUE options
  std::array<int64_t, 2> grid{};
  std::array<int64_t, 2> block{};
  std::vector<int64_t> args;               // scalars in order; 0 for buffers
  std::map<std::string, double> counters;  // measured
};

std::vector<HardwareCase> load_hardware_cases();

enum class AccessSpace { kGlobal, kShared };
enum class AccessOperation { kLoad, kStore, kReduction, kCountingAdd };

using AccessVisitor =
    std::function<void(AccessSpace space, AccessOperation operation, const WarpRequest& request)>;

// Calls `visit` for each access of each warp with at least one active lane. Returns
// false if this is not one of the kernels.
bool for_each_access(const HardwareCase& hardware_case, const AccessVisitor& visit);

}  // namespace warpshop::models

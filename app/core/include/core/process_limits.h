// Limits that this process sets for itself.
#pragma once

#include <cstdint>
#include <optional>

namespace warpshop {

// Bytes of address space in use; 0 if the system does not say.
uint64_t address_space_bytes();

// Sets a limit, RLIMIT_AS for example, as far as the shell's own limit allows. Returns the limit in
// force; none if it could not be set.
std::optional<uint64_t> limit_process(int what, uint64_t soft, uint64_t hard);

}  // namespace warpshop

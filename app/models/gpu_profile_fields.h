// The numbers of a GPU profile's file, and where they are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/gpu_profile.h"

namespace warpshop::models {

inline constexpr int kProfileFormat = 1;

// Where a value is stored. The member's type determines what the file must contain.
using ProfileMember =
    std::variant<int GpuProfile::*, uint32_t GpuProfile::*, double GpuProfile::*,
                 std::optional<int> GpuProfile::*, std::optional<uint32_t> GpuProfile::*,
                 std::optional<uint64_t> GpuProfile::*, std::optional<double> GpuProfile::*,
                 std::vector<uint32_t> GpuProfile::*, std::string GpuProfile::*,
                 std::optional<bool> GpuProfile::*>;

// A number in a profile.
struct ProfileField {
  std::string_view key;  // the member's name
  ProfileMember member;
  double low;  // inclusive bounds; not for text
  double high;
  std::string_view unit = "";  // "MHz", "byte", …; empty: a bare count or a word
  bool required = false;
  std::string_view words = "";    // allowed words of a text: "linear hashed"; empty: any
  std::string_view section = "";  // "chip", "sm", …
};

// In the order of a profile's file.
const std::vector<ProfileField>& profile_fields();

}  // namespace warpshop::models

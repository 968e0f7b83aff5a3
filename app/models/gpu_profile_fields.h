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

struct ProfileField {
  std::string_view section;
  std::string_view key;
  ProfileMember member;
  bool required;
  double low;  // inclusive bounds; not for text
  double high;
  std::string_view unit = "";   // "MHz", "byte", …; empty: a bare count or a word
  std::string_view words = "";  // allowed words of a text: "linear hashed"; empty: any
};

// One row per number in a profile: section, key (the member's name), member, required, range.
const std::vector<ProfileField>& profile_fields();

}  // namespace warpshop::models

// The types of matrices in the names of PTX instructions.
#pragma once

#include <optional>
#include <string_view>

#include "state/matrix_form.h"

namespace warpshop::emulator {

std::optional<matrix::Element> element_named(std::string_view name);
std::optional<matrix::Accumulator> accumulator_named(std::string_view name);

}  // namespace warpshop::emulator

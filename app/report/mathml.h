// Formulas as MathML Core, which browsers draw and screen readers say without a library.
// https://www.w3.org/TR/mathml-core/
#pragma once

#include <string>
#include <string_view>

namespace warpshop::report {

// <math> with the source as alttext; `display`: a line of its own. A formula that is not understood is its source as <code>.
std::string mathml(std::string_view tex, bool display);

}  // namespace warpshop::report

// Converts formulas to MathML Core, which browsers render and screen readers speak without a
// library. https://www.w3.org/TR/mathml-core/
#pragma once

#include <string>
#include <string_view>

namespace warpshop::report {

// <math> with the source as alttext; `display`: on its own line. A formula that is not understood
// becomes <code>.
std::string mathml(std::string_view tex, bool display);

}  // namespace warpshop::report

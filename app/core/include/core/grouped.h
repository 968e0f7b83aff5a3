// Separators of thousands.
#pragma once

#include <string>

namespace warpshop {

// "-1048576.5" → "-1,048,576.5". Texts that are not plain decimal numbers ("1e+09", "nan") stay as
// they are.
std::string grouped(std::string number);

}  // namespace warpshop

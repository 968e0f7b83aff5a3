// Writes ZIP archives whose files are stored as they are, without compression: enough for a few
// texts (PKWARE APPNOTE.TXT).
#pragma once

#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace warpshop {

// `files`: their names in the archive ("coalescing/stride.cu", in UTF-8), and their bytes. `at`:
// their time, local. Less than 65,536 files, 4 GiB together.
std::string zip_archive(const std::vector<std::pair<std::string, std::string>>& files,
                        const std::tm& at);

}  // namespace warpshop

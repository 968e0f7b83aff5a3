#include "core/zip.h"

#include <algorithm>
#include <cstdint>

#include "core/crc32.h"

namespace warpshop {
namespace {

void put16(std::string& out, unsigned value) {
  out += static_cast<char>(value & 255);
  out += static_cast<char>(value >> 8 & 255);
}
void put32(std::string& out, uint32_t value) {
  put16(out, value & 0xFFFF);
  put16(out, value >> 16);
}

constexpr unsigned kVersion = 20;            // 4.4.3: of the format, for folders in names
constexpr unsigned kMadeOnUnix = 3 << 8;     // 4.4.2: the attributes are st_mode
constexpr unsigned kNamesAreUtf8 = 1 << 11;  // 4.4.4
constexpr unsigned kStored = 0;              // 4.4.5
constexpr uint32_t kReadableFile = 0100644u << 16;

// The fields that the local header and the directory have in common: 4.3.7, 4.3.12.
std::string common_fields(const std::string& name, const std::string& bytes, const std::tm& at) {
  const int year = std::clamp(at.tm_year - 80, 0, 127);
  std::string out;
  put16(out, kVersion);
  put16(out, kNamesAreUtf8);
  put16(out, kStored);
  put16(out,
        static_cast<unsigned>(at.tm_hour << 11 | at.tm_min << 5 | std::min(at.tm_sec, 59) / 2));
  put16(out, static_cast<unsigned>(year << 9 | (at.tm_mon + 1) << 5 | at.tm_mday));
  put32(out, crc32(bytes));
  put32(out, static_cast<uint32_t>(bytes.size()));
  put32(out, static_cast<uint32_t>(bytes.size()));
  put16(out, static_cast<unsigned>(name.size()));
  put16(out, 0);  // extra fields
  return out;
}

}  // namespace

std::string zip_archive(const std::vector<std::pair<std::string, std::string>>& files,
                        const std::tm& at) {
  std::string out, directory;
  for (const auto& [name, bytes] : files) {
    const std::string fields = common_fields(name, bytes, at);
    directory += "PK\1\2";
    put16(directory, kMadeOnUnix | kVersion);
    directory += fields;
    put16(directory, 0);  // comment
    put16(directory, 0);  // disk
    put16(directory, 0);  // internal attributes
    put32(directory, kReadableFile);
    put32(directory, static_cast<uint32_t>(out.size()));
    directory += name;
    out += "PK\3\4" + fields + name + bytes;
  }
  const auto begin = static_cast<uint32_t>(out.size());
  out += directory;
  out += "PK\5\6";
  put32(out, 0);  // disks
  put16(out, static_cast<unsigned>(files.size()));
  put16(out, static_cast<unsigned>(files.size()));
  put32(out, static_cast<uint32_t>(directory.size()));
  put32(out, begin);
  put16(out, 0);  // comment
  return out;
}

}  // namespace warpshop

// The bytes of `.section .debug_… { .b8 …; }` and the symbol references among them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ptx {

struct DebugSection {
  struct Reference {
    std::string name;  // a label, a variable or another section
    uint64_t addend = 0;
  };
  std::vector<uint8_t> bytes;
  std::map<size_t, Reference> references;  // by offset of the word they fill
};

// By name, ".debug_info".
std::map<std::string, DebugSection, std::less<>> read_debug_sections(std::string_view text);

// Reads a section sequentially. Past the end it returns zeros and `good` is false.
class DebugReader {
 public:
  DebugReader(const DebugSection& section, size_t at) : section_(&section), at_(at) {}
  size_t at() const { return at_; }
  bool good() const { return good_; }
  bool at_end() const { return at_ >= section_->bytes.size(); }
  uint64_t number(int bytes);
  uint64_t uleb();
  int64_t sleb();
  std::string text();  // up to the next NUL
  void skip(uint64_t bytes);
  // The symbol that fills the word here, without advancing.
  const DebugSection::Reference* reference() const;
  // The name in a DW_OP_regx: the characters of the register's name.
  std::string register_name();

 private:
  const DebugSection* section_;
  size_t at_;
  bool good_ = true;
};

}  // namespace warpshop::ptx

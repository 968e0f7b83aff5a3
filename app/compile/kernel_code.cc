// .text.KERNEL holds the code; .nv_debug_line_sass is a DWARF line program (DWARF 2 standard,
// section 6.2) whose "file" is the PTX text. It has one sequence per function, whose start address
// is relocated to the function's symbol.
#include "compile/kernel_code.h"

#include <map>
#include <string>

#include "elf.h"

namespace warpshop::compile {
namespace {

// Reads sequentially; `ok` becomes false at the end of the bytes.
class Cursor {
 public:
  Cursor(const Bytes& bytes, uint64_t at) : bytes_(bytes), at_(at) {}
  bool ok() const { return ok_; }
  uint64_t place() const { return at_; }
  void skip(uint64_t bytes) { at_ += bytes; }
  template <typename T>
  T take() {
    const auto value = bytes_.at<T>(at_);
    at_ += sizeof(T);
    if (!value) ok_ = false;
    return value.value_or(T{});
  }
  uint64_t unsigned_leb() {
    uint64_t value = 0;
    for (int shift = 0; ok_ && shift < 64; shift += 7) {
      const auto byte = take<uint8_t>();
      value |= uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  int64_t signed_leb() {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte = 0x80;
    while (ok_ && (byte & 0x80) != 0 && shift < 64) {
      byte = take<uint8_t>();
      value |= uint64_t{byte & 0x7fU} << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }

 private:
  const Bytes& bytes_;
  uint64_t at_ = 0;
  bool ok_ = true;
};

// Offsets in .nv_debug_line_sass that hold addresses in the text section `text`, found from
// relocations against its symbols.
std::map<uint64_t, bool> addresses_of(const std::vector<Section>& sections, size_t text) {
  std::map<uint64_t, bool> out;
  // Relocations have an addend, and 24 bytes instead of 16, since compute capability 9.0.
  uint64_t size = 24;
  const Section* relocations = find_section(sections, ".rela.nv_debug_line_sass");
  if (relocations == nullptr) {
    size = 16;
    relocations = find_section(sections, ".rel.nv_debug_line_sass");
  }
  if (relocations == nullptr || relocations->link >= sections.size()) return out;
  const Bytes& symbols = sections[relocations->link].bytes;
  for (uint64_t i = 0; (i + 1) * size <= relocations->bytes.size(); ++i) {
    const uint64_t offset = *relocations->bytes.at<uint64_t>(i * size);
    const uint64_t symbol = *relocations->bytes.at<uint64_t>(i * size + 8) >> 32;
    const auto section = symbols.at<uint16_t>(symbol * 24 + 6);
    out[offset] = section && *section == text;
  }
  return out;
}

struct LineState {
  uint64_t address = 0;
  int64_t line = 1;
  bool ours = false;
};

// Runs one unit's line program from `cursor` to `end` and calls row(state) for each table row.
template <typename Row>
void run_lines(Cursor& cursor, uint64_t end, const std::map<uint64_t, bool>& addresses,
               uint8_t smallest, int8_t base, uint8_t range, uint8_t first_special,
               const std::vector<uint8_t>& lengths, Row row) {
  LineState state;
  while (cursor.ok() && cursor.place() < end) {
    const auto code = cursor.take<uint8_t>();
    if (code >= first_special) {
      const int adjusted = code - first_special;
      state.address += uint64_t{smallest} * static_cast<uint64_t>(adjusted / range);
      state.line += base + adjusted % range;
      row(state);
      continue;
    }
    switch (code) {
      case 0: {  // extended
        const uint64_t size = cursor.unsigned_leb();
        const uint64_t next = cursor.place() + size;
        const auto extended = cursor.take<uint8_t>();
        if (extended == 1) {  // end of sequence
          row(state);
          state = {};
        } else if (extended == 2) {  // set address
          const auto found = addresses.find(cursor.place());
          state.address = cursor.take<uint64_t>();
          state.ours = found != addresses.end() && found->second;
        }
        cursor.skip(next - cursor.place());
        break;
      }
      case 1:
        row(state);
        break;
      case 2:
        state.address += smallest * cursor.unsigned_leb();
        break;
      case 3:
        state.line += cursor.signed_leb();
        break;
      case 8:
        state.address += uint64_t{smallest} * static_cast<uint64_t>((255 - first_special) / range);
        break;
      case 9:
        state.address += cursor.take<uint16_t>();
        break;
      default:
        for (int n = 0; code < lengths.size() && n < lengths[code]; ++n) cursor.unsigned_leb();
        break;
    }
  }
}

void read_lines(const std::vector<Section>& sections, size_t text,
                std::vector<MachineInstruction>& code) {
  const Section* lines = find_section(sections, ".nv_debug_line_sass");
  if (lines == nullptr) return;
  const std::map<uint64_t, bool> addresses = addresses_of(sections, text);
  // The previous row applies to all instructions before this one.
  LineState before;
  bool open = false;
  const auto row = [&](const LineState& state) {
    if (open && before.ours) {
      for (uint64_t a = before.address; a < state.address && a / 16 < code.size(); a += 16) {
        code[a / 16].ptx_line = static_cast<int>(before.line);
      }
    }
    before = state;
    open = state.ours;
  };
  for (uint64_t at = 0; at + 4 <= lines->bytes.size();) {
    Cursor cursor(lines->bytes, at);
    const uint64_t end = at + 4 + cursor.take<uint32_t>();
    cursor.take<uint16_t>();  // version: 2
    const uint32_t header = cursor.take<uint32_t>();
    const uint64_t program = cursor.place() + header;
    const auto smallest = cursor.take<uint8_t>();
    cursor.take<uint8_t>();  // default is_stmt
    const auto base = cursor.take<int8_t>();
    const auto range = cursor.take<uint8_t>();
    const auto first_special = cursor.take<uint8_t>();
    std::vector<uint8_t> lengths(1, 0);
    for (int n = 1; n < first_special; ++n) lengths.push_back(cursor.take<uint8_t>());
    if (!cursor.ok() || range == 0 || end > lines->bytes.size() || end <= at) return;
    Cursor body(lines->bytes, program);
    run_lines(body, end, addresses, smallest, base, range, first_special, lengths, row);
    open = false;
    at = end;
  }
}

}  // namespace

Result<std::vector<MachineInstruction>> read_kernel_code(const std::vector<uint8_t>& cubin,
                                                         std::string_view kernel) {
  const auto sections = read_cubin(cubin);
  if (!sections.ok()) return sections.errors();
  const std::string name = ".text." + std::string(kernel);
  for (size_t s = 0; s < sections->size(); ++s) {
    const Section& section = (*sections)[s];
    if (section.name != name) continue;
    std::vector<MachineInstruction> code;
    for (uint64_t at = 0; at + 16 <= section.bytes.size(); at += 16) {
      code.push_back(
          {.low = *section.bytes.at<uint64_t>(at), .high = *section.bytes.at<uint64_t>(at + 8)});
    }
    read_lines(*sections, s, code);
    return code;
  }
  return make_error("cubin", "the cubin has no code for kernel \"" + std::string(kernel) + "\"");
}

}  // namespace warpshop::compile

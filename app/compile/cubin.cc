// A cubin is an ELF file. What we read of it:
//
//   .symtab              the kernels: functions whose st_other has bit 0x10 (STO_CUDA_ENTRY)
//   .nv.info             attributes of functions, by symbol number: registers, frame size
//   .nv.info.NAME        attributes of one kernel: largest block
//   .nv.shared.NAME      static shared memory; only its size matters (SHT_NOBITS). Where the file
//   has
//                        .nv.shared.reserved.0 (compute capability 9.0 and newer), it begins with
//                        the 1 KiB that the system reserves in every block: not the kernel's own
//   .nv.constant3        __constant__ variables of the module
//
// An attribute is: format (1 byte), number (1 byte), and 2 bytes that are its value, or, for format
// 4 (EIFMT_SVAL), the size of the value behind it. Formats and numbers as `cuobjdump --dump-elf`
// prints them; compared with cuobjdump and the driver on 246 kernels (tests/hardware/cases).
//
// Sizes and offsets come from a file: each is checked against the bytes that are there.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "compile/compiler.h"

namespace warpshop::compile {
namespace {

constexpr uint16_t kMachineCuda = 190;   // EM_CUDA
constexpr uint32_t kSectionSymbols = 2;  // SHT_SYMTAB
constexpr uint32_t kSectionNoBits = 8;   // SHT_NOBITS
constexpr uint8_t kSymbolFunction = 2;   // STT_FUNC
constexpr uint8_t kSymbolEntry = 0x10;   // STO_CUDA_ENTRY in st_other

constexpr uint32_t kReservedSharedBytes = 1024;

constexpr uint8_t kFormatSized = 4;    // EIFMT_SVAL
constexpr uint8_t kMaxThreads = 0x05;  // EIATTR_MAX_THREADS: three words
constexpr uint8_t kReqThreads = 0x10;  // EIATTR_REQNTID: three words
constexpr uint8_t kFrameSize = 0x11;   // EIATTR_FRAME_SIZE: symbol, bytes
constexpr uint8_t kRegCount = 0x2f;    // EIATTR_REGCOUNT: symbol, registers

// Little-endian words at checked offsets.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}

  size_t size() const { return data_.size(); }
  template <typename T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > data_.size() || data_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, data_.data() + offset, sizeof value);
    return value;
  }
  std::optional<Bytes> slice(uint64_t offset, uint64_t size) const {
    if (offset > data_.size() || data_.size() - offset < size) return std::nullopt;
    return Bytes(data_.substr(offset, size));
  }
  // The text up to the next NUL; empty when there is none.
  std::string_view text(uint64_t offset) const {
    if (offset >= data_.size()) return {};
    const size_t end = data_.find('\0', offset);
    return end == std::string_view::npos ? std::string_view() : data_.substr(offset, end - offset);
  }

 private:
  std::string_view data_;
};

struct Section {
  std::string_view name;
  uint32_t type = 0;
  uint64_t size_bytes = 0;  // as the header says: NOBITS sections have no bytes
  uint32_t link = 0;
  Bytes bytes{std::string_view()};
};

struct Attribute {
  uint8_t number = 0;
  Bytes value{std::string_view()};
};

// ELF-64, System V ABI "Object Files": header of 64 bytes, section headers of 64.
std::optional<std::vector<Section>> read_sections(const Bytes& file) {
  const auto table = file.at<uint64_t>(40);
  const auto entry_size = file.at<uint16_t>(58);
  const auto count = file.at<uint16_t>(60);
  const auto names_index = file.at<uint16_t>(62);
  if (!names_index || *entry_size < 64 || *names_index >= *count) return std::nullopt;
  const auto headers = file.slice(*table, uint64_t{*entry_size} * *count);
  if (!headers) return std::nullopt;

  std::vector<Section> sections;
  std::vector<uint32_t> name_offsets;
  for (uint64_t i = 0; i < *count; ++i) {
    const uint64_t base = i * *entry_size;
    Section section;
    name_offsets.push_back(*headers->at<uint32_t>(base));
    section.type = *headers->at<uint32_t>(base + 4);
    section.size_bytes = *headers->at<uint64_t>(base + 32);
    section.link = *headers->at<uint32_t>(base + 40);
    if (section.type != kSectionNoBits && section.type != 0) {
      const auto bytes = file.slice(*headers->at<uint64_t>(base + 24), section.size_bytes);
      if (!bytes) return std::nullopt;
      section.bytes = *bytes;
    }
    sections.push_back(section);
  }
  for (size_t i = 0; i < sections.size(); ++i) {
    sections[i].name = sections[*names_index].bytes.text(name_offsets[i]);
  }
  return sections;
}

const Section* find_section(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

// Stops at the first attribute that does not fit.
std::vector<Attribute> read_attributes(const Bytes& bytes) {
  std::vector<Attribute> attributes;
  for (uint64_t offset = 0; offset + 4 <= bytes.size();) {
    const uint8_t format = *bytes.at<uint8_t>(offset);
    const uint16_t size = *bytes.at<uint16_t>(offset + 2);
    const auto value =
        format == kFormatSized ? bytes.slice(offset + 4, size) : bytes.slice(offset + 2, 2);
    if (!value) break;
    attributes.push_back({*bytes.at<uint8_t>(offset + 1), *value});
    offset += 4 + (format == kFormatSized ? size : 0);
  }
  return attributes;
}

// Symbol number → name, of the kernels alone.
std::map<uint32_t, std::string> read_kernel_symbols(const std::vector<Section>& sections) {
  std::map<uint32_t, std::string> kernels;
  for (const Section& section : sections) {
    if (section.type != kSectionSymbols || section.link >= sections.size()) continue;
    const Bytes& names = sections[section.link].bytes;
    for (uint64_t i = 0; (i + 1) * 24 <= section.bytes.size(); ++i) {
      const uint8_t info = *section.bytes.at<uint8_t>(i * 24 + 4);
      const uint8_t other = *section.bytes.at<uint8_t>(i * 24 + 5);
      const std::string_view name = names.text(*section.bytes.at<uint32_t>(i * 24));
      if ((info & 0xf) == kSymbolFunction && (other & kSymbolEntry) != 0 && !name.empty()) {
        kernels.emplace(static_cast<uint32_t>(i), name);
      }
    }
  }
  return kernels;
}

int block_limit(const Section* info) {
  if (info == nullptr) return 0;
  for (const Attribute& attribute : read_attributes(info->bytes)) {
    if (attribute.number != kMaxThreads && attribute.number != kReqThreads) continue;
    uint64_t threads = 1;
    for (uint64_t i = 0; i < 3; ++i) {
      threads *= std::min<uint32_t>(attribute.value.at<uint32_t>(4 * i).value_or(1), 1 << 16);
    }
    return static_cast<int>(std::min<uint64_t>(threads, 1 << 16));
  }
  return 0;
}

}  // namespace

Result<std::map<std::string, KernelResources>> read_kernel_resources(
    const std::vector<uint8_t>& cubin) {
  const Bytes file({reinterpret_cast<const char*>(cubin.data()), cubin.size()});
  constexpr uint32_t kMagic = 0x464c457f;  // "\x7fELF"
  const auto machine = file.at<uint16_t>(18);
  if (file.at<uint32_t>(0) != kMagic || file.at<uint8_t>(4) != uint8_t{2} ||
      machine != kMachineCuda) {
    return make_error("cubin", "not a cubin: expected a 64-bit ELF file for a GPU");
  }
  const auto sections = read_sections(file);
  if (!sections) return make_error("cubin", "the cubin is cut off or damaged");

  const std::map<uint32_t, std::string> symbols = read_kernel_symbols(*sections);
  const Section* constants = find_section(*sections, ".nv.constant3");
  const uint64_t reserved_bytes =
      find_section(*sections, ".nv.shared.reserved.0") != nullptr ? kReservedSharedBytes : 0;
  std::map<std::string, KernelResources> kernels;
  for (const auto& [symbol, name] : symbols) {
    KernelResources& kernel = kernels[name];
    if (constants != nullptr) kernel.constant_bytes = static_cast<uint32_t>(constants->size_bytes);
    if (const Section* shared = find_section(*sections, ".nv.shared." + name)) {
      const uint64_t own_bytes = shared->size_bytes - std::min(shared->size_bytes, reserved_bytes);
      kernel.static_shared_bytes = static_cast<uint32_t>(own_bytes);
    }
    kernel.max_threads_per_block = block_limit(find_section(*sections, ".nv.info." + name));
  }
  const Section* info = find_section(*sections, ".nv.info");
  if (info == nullptr) return kernels;
  for (const Attribute& attribute : read_attributes(info->bytes)) {
    const auto symbol = attribute.value.at<uint32_t>(0);
    const auto number = attribute.value.at<uint32_t>(4);
    const auto found = symbol ? symbols.find(*symbol) : symbols.end();
    if (found == symbols.end() || !number) continue;
    KernelResources& kernel = kernels[found->second];
    if (attribute.number == kRegCount) kernel.registers = static_cast<int>(*number);
    if (attribute.number == kFrameSize) kernel.local_bytes = *number;
  }
  return kernels;
}

}  // namespace warpshop::compile

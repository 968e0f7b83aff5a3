// A cubin is an ELF file. These are the parts that we read:
//
//   .symtab              the kernels: functions whose st_other has bit 0x10 (STO_CUDA_ENTRY)
//   .nv.info             attributes of functions, by symbol number: registers, frame size
//   .nv.info.NAME        attributes of one kernel: largest block
//   .nv.shared.NAME      static shared memory; only its size matters (SHT_NOBITS). If the file has
//                        .nv.shared.reserved.0 (compute capability 9.0 and newer), it starts with
//                        the 1 KiB that the system reserves in every block, not the kernel's
//   .nv.constant3        __constant__ variables of the module
//
// An attribute consists of a format (1 byte), a number (1 byte), and 2 bytes that hold its value
// or, for format 4 (EIFMT_SVAL), the size of the value that follows. Formats and numbers are those
// printed by `cuobjdump --dump-elf`; results were compared with cuobjdump and the driver on 246
// kernels (tests/hardware/cases).
//
// Sizes and offsets come from the file, so each is checked against the bytes present.
#include <algorithm>
#include <optional>
#include <string_view>

#include "compile/compiler.h"
#include "elf.h"

namespace warpshop::compile {
namespace {

constexpr uint32_t kSectionSymbols = 2;  // SHT_SYMTAB
constexpr uint8_t kSymbolFunction = 2;   // STT_FUNC
constexpr uint8_t kSymbolEntry = 0x10;   // STO_CUDA_ENTRY in st_other

constexpr uint32_t kReservedSharedBytes = 1024;

constexpr uint8_t kFormatSized = 4;    // EIFMT_SVAL
constexpr uint8_t kMaxThreads = 0x05;  // EIATTR_MAX_THREADS: three words
constexpr uint8_t kReqThreads = 0x10;  // EIATTR_REQNTID: three words
constexpr uint8_t kFrameSize = 0x11;   // EIATTR_FRAME_SIZE: symbol, bytes
constexpr uint8_t kRegCount = 0x2f;    // EIATTR_REGCOUNT: symbol, registers

struct Attribute {
  uint8_t number = 0;
  Bytes value{std::string_view()};
};

// Stops at the first malformed attribute.
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

// Symbol number → name, kernels only.
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
  const auto sections = read_cubin(cubin);
  if (!sections.ok()) return sections.errors();

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

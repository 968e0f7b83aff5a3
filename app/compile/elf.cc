#include "elf.h"

namespace warpshop::compile {
namespace {

constexpr uint16_t kMachineCuda = 190;  // EM_CUDA
constexpr uint32_t kSectionNoBits = 8;  // SHT_NOBITS

// ELF-64, System V ABI "Object Files": a 64-byte header and 64-byte section headers.
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
    section.info = *headers->at<uint32_t>(base + 44);
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

}  // namespace

Result<std::vector<Section>> read_cubin(const std::vector<uint8_t>& cubin) {
  const Bytes file({reinterpret_cast<const char*>(cubin.data()), cubin.size()});
  constexpr uint32_t kMagic = 0x464c457f;  // "\x7fELF"
  const auto machine = file.at<uint16_t>(18);
  if (file.at<uint32_t>(0) != kMagic || file.at<uint8_t>(4) != uint8_t{2} ||
      machine != kMachineCuda) {
    return make_error("cubin", "not a cubin: expected a 64-bit ELF file for a GPU");
  }
  auto sections = read_sections(file);
  if (!sections) return make_error("cubin", "the cubin is cut off or damaged");
  return std::move(*sections);
}

const Section* find_section(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

}  // namespace warpshop::compile

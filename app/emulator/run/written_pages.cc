#include "run/written_pages.h"

#include <algorithm>

namespace warpshop::emulator {

void WrittenPages::note_write(uint64_t address, uint64_t bytes) {
  const Region* region = launch_.find(address, 1);
  if (region == nullptr) return;
  const auto index = static_cast<size_t>(region - launch_.regions.data());
  const uint64_t first = address - region->base;
  const uint64_t last = std::min(first + std::max<uint64_t>(bytes, 1), region->size_bytes) - 1;
  for (uint64_t page = first / kPageBytes; page <= last / kPageBytes; ++page) {
    const std::pair key{index, page};
    if (key == last_) continue;
    last_ = key;
    if (!first_.contains(key)) first_.emplace(key, image_of(key));
  }
}

PageImage WrittenPages::image_of(const std::pair<size_t, uint64_t>& page) const {
  const Region& region = launch_.regions[page.first];
  const auto begin = static_cast<ptrdiff_t>(page.second * kPageBytes);
  const auto end =
      static_cast<ptrdiff_t>(std::min((page.second + 1) * kPageBytes, region.size_bytes));
  PageImage image;
  image.data.assign(region.data + begin, region.data + end);
  if (region.written != nullptr) image.written.assign(region.written + begin, region.written + end);
  return image;
}

PageImages WrittenPages::now() const {
  PageImages images;
  for (const auto& [page, first] : first_) images.emplace_hint(images.end(), page, image_of(page));
  return images;
}

void WrittenPages::restore(const PageImages& then) {
  for (const auto& [page, first] : first_) {
    const auto found = then.find(page);
    const PageImage& image = found == then.end() ? first : found->second;
    const Region& region = launch_.regions[page.first];
    std::copy(image.data.begin(), image.data.end(), region.data + page.second * kPageBytes);
    if (region.written != nullptr) {
      std::copy(image.written.begin(), image.written.end(),
                region.written + page.second * kPageBytes);
    }
  }
}

uint64_t bytes_of(const PageImages& pages) {
  uint64_t bytes = 0;
  for (const auto& [page, image] : pages)
    bytes += image.data.size() + image.written.size() + sizeof page + sizeof image;
  return bytes;
}

}  // namespace warpshop::emulator

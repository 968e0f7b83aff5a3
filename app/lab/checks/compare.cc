#include "checks/compare.h"

#include <cmath>
#include <cstring>

#include "checks/mismatch.h"
#include "core/element.h"

namespace warpshop::lab {
namespace {

double mean_magnitude(ElementType type, const BufferImage& image, uint64_t count) {
  double sum = 0;
  uint64_t finite = 0;
  const auto size = static_cast<size_t>(size_bytes(type));
  for (uint64_t i = 0; i < count; ++i) {
    const double value = std::abs(element_value(type, image.bytes.data() + i * size));
    if (!std::isfinite(value)) continue;
    sum += value;
    ++finite;
  }
  return finite == 0 ? 0 : sum / static_cast<double>(finite);
}

// The ErrorHistogram decade of an error.
size_t decade_of(double error) {
  double bound = std::pow(10.0, ErrorHistogram::kFirstPower);
  size_t decade = 0;
  while (decade + 1 < ErrorHistogram::kDecades && error >= bound) {
    ++decade;
    bound *= 10;
  }
  return decade;
}

void count_error(ErrorHistogram& errors, double want, double have) {
  const double difference = std::abs(have - want);
  if (!std::isfinite(difference)) {
    ++errors.no_number;
  } else {
    ++errors.decades[decade_of(want == 0 ? difference : difference / std::abs(want))];
  }
}

}  // namespace

bool BufferImage::was_written(size_t first, size_t count) const {
  if (written.empty()) return true;
  for (size_t byte = first; byte < first + count; ++byte) {
    if (written[byte] == 0) return false;
  }
  return true;
}

BufferImage image_of(const emulator::DeviceMemory& memory, const emulator::TextureMemory& textures,
                     const PlacedBytes& place) {
  BufferImage image;
  const std::span<const uint8_t> bytes = bytes_of(place, memory, textures);
  image.bytes.assign(bytes.begin(), bytes.end());
  if (place.array >= 0) {
    const std::span<const uint8_t> written = textures.written(place.array);
    image.written.assign(written.begin(), written.end());
    return image;
  }
  const emulator::DeviceMemory::Allocation* allocation = memory.find(place.base);
  if (allocation != nullptr && allocation->written != nullptr) {
    image.written.assign(allocation->written, allocation->written + bytes.size());
  }
  return image;
}

std::optional<std::string> only_value(ElementType type, std::span<const uint8_t> before,
                                      const BufferImage& after) {
  const auto size = static_cast<size_t>(size_bytes(type));
  double first = 0;
  std::string text;
  uint64_t changes = 0;
  for (size_t at = 0; at + size <= after.bytes.size(); at += size) {
    const uint8_t* element = after.bytes.data() + at;
    const bool changed = before.empty() ? after.was_written(at, size)
                                        : std::memcmp(before.data() + at, element, size) != 0;
    if (!changed) continue;
    const double value = element_value(type, element);
    if (changes++ == 0) {
      first = value;
      text = value == 0 ? "0" : element_text(type, element);  // also of -0
    }
    if (value != first && !(std::isnan(value) && std::isnan(first))) return std::nullopt;
  }
  if (changes == 1) return std::nullopt;
  return text;
}

BufferComparison compare_buffers(const std::string& name, ElementType type, uint64_t width,
                                 const BufferImage& expected, const BufferImage& got,
                                 double tolerance, bool has_rows) {
  const auto size = static_cast<size_t>(size_bytes(type));
  BufferComparison out;
  out.buffer = name;
  out.type = type;
  out.count = expected.bytes.size() / size;
  out.width = width;
  out.has_rows = has_rows && width > 0 && width < out.count;
  const double floor_magnitude = tolerance > 0 ? mean_magnitude(type, expected, out.count) : 0;

  for (uint64_t i = 0; i < out.count; ++i) {
    const size_t at = i * size;
    const bool same_bits =
        std::memcmp(expected.bytes.data() + at, got.bytes.data() + at, size) == 0;
    const bool got_written = got.was_written(at, size);
    if ((same_bits && got_written) || !expected.was_written(at, size)) continue;
    const double want = element_value(type, expected.bytes.data() + at);
    const double have = element_value(type, got.bytes.data() + at);
    if (got_written) {
      if (is_floating(type) && std::isnan(want) && std::isnan(have)) continue;
      const double error = std::abs(have - want);
      if (std::isfinite(error)) out.max_abs_error = std::max(out.max_abs_error, error);
      if (tolerance > 0 && error <= tolerance * std::max(std::abs(want), floor_magnitude)) continue;
    }
    if (out.wrong_bits.empty()) out.wrong_bits.resize((out.count + 7) / 8);
    out.wrong_bits[i / 8] = static_cast<uint8_t>(out.wrong_bits[i / 8] | (1U << (i % 8)));
    ++out.wrong;
    if (got_written) {
      count_error(out.errors, want, have);
    } else {
      ++out.errors.never_written;
    }
    if (!out.first) {
      out.first = {.index = i,
                   .expected = want,
                   .got = have,
                   .expected_text = element_text(type, expected.bytes.data() + at),
                   .got_text = got_written ? element_text(type, got.bytes.data() + at)
                                           : std::string("never written")};
    }
  }
  if (out.wrong > 0) {
    out.in_common = common_to_mismatches({
        .count = out.count,
        .width = out.has_rows ? width : out.count,
        .wrong = [&](uint64_t i) { return (out.wrong_bits[i / 8] >> (i % 8) & 1) != 0; },
        .written = [&](uint64_t i) { return got.was_written(i * size, size); },
        .expected =
            [&](uint64_t i) { return element_value(type, expected.bytes.data() + i * size); },
        .got = [&](uint64_t i) { return element_value(type, got.bytes.data() + i * size); },
    });
  }
  return out;
}

}  // namespace warpshop::lab

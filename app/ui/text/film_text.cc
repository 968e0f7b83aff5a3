#include "text/film_text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "core/ascii.h"
#include "core/standard.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

std::string line_text(const lab::FilmScript& film, const emulator::ReplayPath& path,
                      int instruction) {
  if (instruction < 0) return tr("the end");
  const lab::FilmInstruction& at = film.of(path.function, instruction);
  return at.line > 0 ? tr("line {}", at.line) : tr("PTX line {}", at.ptx_line);
}

std::string float_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return local_number(text);
}

// IEEE 754 binary16, §3.4.
double half_value(uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 10 & 0x1f;
  const double fraction = (bits & 0x3ff) / 1024.0;
  if (exponent == 31) return fraction == 0 ? sign / 0.0 : 0.0 / 0.0;
  if (exponent == 0) return sign * fraction / 16384.0;
  return sign * (1 + fraction) *
         (exponent >= 15 ? double(1 << (exponent - 15)) : 1.0 / double(1 << (15 - exponent)));
}

}  // namespace

std::string lanes_text(uint32_t mask) {
  if (mask == 0xffffffffu) return tr("all lanes");
  if (mask == 0) return tr("no lane");
  std::string out;
  int runs = 0;
  for (int lane = 0; lane < 32;) {
    if (!(mask >> lane & 1)) {
      ++lane;
      continue;
    }
    int end = lane;
    while (end < 32 && (mask >> end & 1)) ++end;
    if (++runs > 3)
      return tr_count(static_cast<uint64_t>(std::popcount(mask)), "{} lane", "{} lanes");
    out += (out.empty() ? "" : ", ") + std::to_string(lane) +
           (end - lane > 1 ? "–" + std::to_string(end - 1) : "");
    lane = end;
  }
  return tr(std::popcount(mask) == 1 ? tr_later("lane {}") : tr_later("lanes {}"), out);
}

std::string path_text(const lab::FilmScript& film, const emulator::ReplayPath& path) {
  using Waits = emulator::ReplayPath::Waits;
  const std::string next = line_text(film, path, path.next);
  switch (path.waits) {
    case Waits::kNothing:
      return path.reconverges_at < 0 ? tr("running {}", next)
                                     : tr("running {}, to meet at {}", next,
                                          line_text(film, path, path.reconverges_at));
    case Waits::kForChildren:
      return tr("to meet at {}", next);
    case Waits::kForBlock:
      return tr("waiting for the block, then {}", next);
    case Waits::kForLanes:
      return tr("waiting for other lanes at {}", next);
    case Waits::kForTurn:
      return tr("waiting for a turn at {}", next);
  }
  return "";
}

std::string position_text(const lab::DebugPosition& position) {
  using Kind = lab::DebugPosition::Kind;
  switch (position.kind) {
    case Kind::kBefore:
      return tr("line {} runs next", position.line);
    case Kind::kAfter:
      return tr("line {} is running", position.line);
    case Kind::kMoved:
      return tr("still at line {}: the compiler moved this instruction", position.line);
    case Kind::kNotBegun:
      return tr("before the kernel's first line");
    case Kind::kUnknown:
      return tr("unknown: the debug build was cut off before this step");
  }
  return "";
}

std::string value_text(const lab::NamedValue& value, int lane) {
  if (value.lanes == 0) {
    return value.absent == lab::NamedValue::Absent::kNoPlace ? tr("not stored")
                                                             : tr("not yet assigned");
  }
  if (!(value.lanes >> lane & 1)) return "–";
  return value_text(value.is_bool ? ptx::Type::kPred : value.scalar,
                    value.bits[static_cast<size_t>(lane)]);
}

std::string values_text(const lab::NamedValue& value) {
  if (value.lanes == 0) return value_text(value, 0);
  bool same = true;
  const int first = std::countr_zero(value.lanes);
  for (int lane = first; lane < 32; ++lane) {
    same = same && (!(value.lanes >> lane & 1) || value.bits[static_cast<size_t>(lane)] ==
                                                      value.bits[static_cast<size_t>(first)]);
  }
  const auto text = [&](int lane) { return local_number(value_text(value, lane)); };
  if (same) return tr("{} in {}", text(first), lanes_text(value.lanes));
  constexpr int kPerLine = 8;
  std::string out;
  for (int from = 0; from < 32; from += kPerLine) {
    const uint32_t these = 0xffu << from;
    if (!(value.lanes & these)) continue;
    out += (out.empty() ? "" : "\n") + lanes_text(these) + ":";
    for (int lane = from; lane < from + kPerLine; ++lane) out += "  " + text(lane);
  }
  return out;
}

std::string name_at(std::string_view line, size_t index) {
  const auto in_name = [&](size_t at) {
    return at < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_');
  };
  size_t end = std::min(index, line.size());
  while (in_name(end)) ++end;
  size_t begin = end;
  while (true) {
    while (begin > 0 && in_name(begin - 1)) --begin;
    if (begin > 1 && line[begin - 1] == '>' && line[begin - 2] == '-') return {};
    if (begin == 0 || line[begin - 1] != '.') break;
    if (begin == 1 || !in_name(begin - 2)) return {};
    --begin;
  }
  return std::string(line.substr(begin, end - begin));
}

std::string value_text(ptx::Type type, uint64_t bits) {
  switch (type) {
    case ptx::Type::kPred:
      return bits ? "true" : "false";
    case ptx::Type::kF32:
      return float_text(bit_cast<float>(static_cast<uint32_t>(bits)));
    case ptx::Type::kF64:
      return float_text(bit_cast<double>(bits));
    case ptx::Type::kF16:
      return float_text(half_value(static_cast<uint16_t>(bits)));
    case ptx::Type::kBf16:
      return float_text(bit_cast<float>(static_cast<uint32_t>(bits << 16)));
    case ptx::Type::kS8:
    case ptx::Type::kS16:
      return std::to_string(static_cast<int16_t>(bits));
    case ptx::Type::kB32:
    case ptx::Type::kS32:
      return std::to_string(static_cast<int32_t>(bits));
    case ptx::Type::kS64:
      return std::to_string(static_cast<int64_t>(bits));
    case ptx::Type::kU8:
    case ptx::Type::kU16:
    case ptx::Type::kB8:
    case ptx::Type::kB16:
      return std::to_string(static_cast<uint16_t>(bits));
    case ptx::Type::kU32:
      return std::to_string(static_cast<uint32_t>(bits));
    default:
      break;
  }
  // Larger values are mostly addresses.
  const auto value = static_cast<int64_t>(bits);
  if (value > -1'000'000 && value < 1'000'000) return std::to_string(value);
  return hexadecimal(bits);
}

}  // namespace warpshop::ui

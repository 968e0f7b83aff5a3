#include "access_map.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "lab/expression.h"
#include "lab/worst_access.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/issue.h"

namespace warpshop::cli {
namespace {

constexpr size_t kMaxRows = 10;
constexpr uint64_t kLineBytes = 128;
constexpr uint64_t kWordBytes = 4;
constexpr size_t kWordsPerLine = kLineBytes / kWordBytes;

const emulator::AccessSite& site_of(const lab::KernelRun& run,
                                    const timing::RecordedAccess& access) {
  return run.sites[access.access.site];
}

std::string counted(int number, const std::string& noun) {
  return lab::number_text(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string hexadecimal(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
  return buffer;
}

std::string_view source_line(std::string_view source, int line) {
  for (int at = 1; at < line; ++at) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find('\n'));
  const size_t first = source.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : source.substr(first);
}

std::string where(const lab::KernelRun& run, const timing::RecordedAccess& access,
                  std::string_view source) {
  const emulator::AccessSite& site = site_of(run, access);
  const int line = site.source.line;
  const emulator::Dim3& block = access.warp.block;
  std::string out = "  block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
                    std::to_string(block.z) + "), warp " + std::to_string(access.warp.warp);
  if (line > 0) {
    out += ", line " + std::to_string(line) + ": " + std::string(source_line(source, line));
  }
  return out + "\n";
}

// A glyph for each word of a 128-byte line: its lane, '+' for several, '.' moved for nothing, ' '
// not moved.
using LineRow = std::array<char, kWordsPerLine>;

std::string transaction_rows(const models::WarpRequest& request,
                             const models::CoalescerResult& result) {
  std::map<uint64_t, LineRow> rows;
  for (const models::SectorUse& sector : result.sectors) {
    LineRow& row = rows.try_emplace(sector.address / kLineBytes).first->second;
    if (row[0] == '\0') row.fill(' ');
    const size_t first = sector.address % kLineBytes / kWordBytes;
    for (size_t word = 0; word < 8; ++word) row[first + word] = '.';
  }
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (((request.active_mask >> lane) & 1) == 0) continue;
    const uint64_t begin = request.address[static_cast<size_t>(lane)];
    const uint64_t last = begin + request.width_bytes - 1;
    for (uint64_t word = begin / kWordBytes; word <= last / kWordBytes; ++word) {
      const auto row = rows.find(word * kWordBytes / kLineBytes);
      if (row == rows.end()) continue;
      char& glyph = row->second[word % kWordsPerLine];
      glyph = glyph == '.' || glyph == ' ' ? lane_glyph(lane) : '+';
    }
  }
  std::string out;
  size_t shown = 0;
  uint64_t previous = 0;
  for (const auto& [line, row] : rows) {
    if (shown == kMaxRows) {
      out += "      … " + counted(static_cast<int>(rows.size() - shown), "more line") + "\n";
      break;
    }
    if (shown > 0 && line > previous + 1) {
      out += "      ⋮ " +
             lab::number_text(static_cast<double>((line - previous - 1) * kLineBytes)) +
             " bytes not touched\n";
    }
    char address[32];
    std::snprintf(address, sizeof address, "  %14s ", hexadecimal(line * kLineBytes).c_str());
    out += address;
    for (size_t sector = 0; sector < 4; ++sector) {
      out += " |" + std::string(row.data() + sector * 8, 8) + "|";
    }
    out += "\n";
    previous = line;
    ++shown;
  }
  return out;
}

std::string global_map(const lab::KernelRun& run, const timing::RecordedAccess& access,
                       std::string_view source) {
  const models::WarpRequest request = lab::worst_request(run, access);
  const models::CoalescerResult result = models::coalesce(request);
  const bool load = site_of(run, access).kind == emulator::AccessKind::kLoad;
  std::string out = std::string("Worst ") + (load ? "load" : "store") + ": " +
                    counted(result.counts.sectors, "sector") + " for one request, ideal " +
                    std::to_string(result.counts.ideal_sectors) + " (" +
                    lab::number_text(static_cast<double>(result.counts.bytes_used)) + " of " +
                    lab::number_text(static_cast<double>(result.counts.bytes_moved())) +
                    " bytes moved are used)\n";
  out += where(run, access, source);
  out += "                   sector 0   sector 1   sector 2   sector 3\n";
  out += transaction_rows(request, result);
  out += "  " + result.advice.text + "\n";
  return out +
         "  0-9 a-v: the lane that asks for the word   +: several lanes   .: moved, asked for by "
         "none\n";
}

std::string bank_map(const lab::KernelRun& run, const timing::RecordedAccess& access,
                     std::string_view source) {
  const emulator::AccessSite& site = site_of(run, access);
  const models::BankResult result =
      models::explain_banks(lab::worst_request(run, access), timing::shared_access_of(site));
  const char* kind = site.kind == emulator::AccessKind::kLoad    ? "load"
                     : site.kind == emulator::AccessKind::kStore ? "store"
                                                                 : "atomic";
  std::string out = std::string("Worst shared access: ") +
                    counted(result.counts.wavefronts, "wavefront") + " for one " + kind +
                    ", ideal " + std::to_string(result.counts.ideal_wavefronts) + "\n";
  out += where(run, access, source);
  out += "       bank 0       8       16      24     31\n";
  for (size_t pass = 0; pass < result.passes.size(); ++pass) {
    if (pass == kMaxRows) {
      out += "       … " +
             counted(static_cast<int>(result.passes.size() - pass), "more wavefront") + "\n";
      break;
    }
    char number[16];
    std::snprintf(number, sizeof number, "  %8d ", static_cast<int>(pass) + 1);
    out += number;
    out += "|";
    for (size_t bank = 0; bank < 32; ++bank) {
      const uint32_t lanes = result.passes[pass].lanes[bank];
      if (result.passes[pass].word[bank] < 0 || lanes == 0) {
        out += ' ';
      } else if ((lanes & (lanes - 1)) != 0) {
        out += '+';
      } else {
        out += lane_glyph(__builtin_ctz(lanes));
      }
    }
    out += "|\n";
  }
  return out +
         "  0-9 a-v: the lane that the bank serves in this wavefront   +: one word for several "
         "lanes\n";
}

}  // namespace

std::string access_map(const lab::KernelRun& run, const timing::RecordedAccess& access,
                       std::string_view source) {
  return access.access.space == ptx::Space::kShared ? bank_map(run, access, source)
                                                    : global_map(run, access, source);
}

char lane_glyph(int lane) {
  return lane < 10 ? static_cast<char>('0' + lane) : static_cast<char>('a' + lane - 10);
}

}  // namespace warpshop::cli

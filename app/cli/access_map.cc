#include "access_map.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "core/ascii.h"
#include "core/expression.h"
#include "lab/access_cost.h"
#include "lab/worst_access.h"

namespace warpshop::cli {
namespace {

constexpr size_t kMaxRows = 10;
constexpr uint64_t kLineBytes = 128;
constexpr uint64_t kWordBytes = 4;
constexpr size_t kWordsPerLine = kLineBytes / kWordBytes;
constexpr size_t kWordsPerSector = 8;

const emulator::AccessSite& site_of(const lab::KernelRun& run,
                                    const timing::RecordedAccess& access) {
  return run.sites[access.access.site];
}

std::string counted(int number, const std::string& noun) {
  return number_text(number) + " " + noun + (number == 1 ? "" : noun.ends_with("s") ? "es" : "s");
}

std::string where(const lab::KernelRun& run, const timing::RecordedAccess& access,
                  std::string_view source) {
  const emulator::AccessSite& site = site_of(run, access);
  const int line = lab::student_line(site);
  std::string out =
      "  block " + text_of(access.warp.block) + ", warp " + std::to_string(access.warp.warp);
  if (line > 0) {
    out += ", line " + std::to_string(line) + ": " + std::string(lab::line_text(source, line));
  }
  return out + "\n";
}

// One glyph per word of a 128-byte line: its lane, '+' for several, '.' for moved but unused, ' '
// for not moved.
struct LineRow {
  std::array<char, kWordsPerLine> words{};
  std::array<bool, 5> edge{};  // transaction boundaries, every 32 bytes
};

std::string transaction_rows(const models::WarpRequest& request,
                             const models::TransactionResult& result) {
  std::map<uint64_t, LineRow> rows;
  for (const models::Transaction& t : result.transactions) {
    LineRow& row = rows.try_emplace(t.address / kLineBytes).first->second;
    const size_t first = t.address % kLineBytes / kWordBytes, words = t.bytes / kWordBytes;
    std::fill_n(row.words.begin() + static_cast<ptrdiff_t>(first), words, '.');
    row.edge[first / kWordsPerSector] = row.edge[(first + words) / kWordsPerSector] = true;
  }
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (((request.active_mask >> lane) & 1) == 0) continue;
    const uint64_t begin = request.address[static_cast<size_t>(lane)];
    const uint64_t last = begin + request.width_bytes - 1;
    for (uint64_t word = begin / kWordBytes; word <= last / kWordBytes; ++word) {
      const auto row = rows.find(word * kWordBytes / kLineBytes);
      if (row == rows.end()) continue;
      char& glyph = row->second.words[word % kWordsPerLine];
      glyph = glyph == '.' ? lane_glyph(lane) : '+';
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
      out += "      ⋮ " + number_text(static_cast<double>((line - previous - 1) * kLineBytes)) +
             " bytes not touched\n";
    }
    char address[32];
    std::snprintf(address, sizeof address, "  %14s ", hexadecimal(line * kLineBytes).c_str());
    out += address;
    for (size_t sector = 0; sector < kWordsPerLine / kWordsPerSector; ++sector) {
      const size_t first = sector * kWordsPerSector;
      const bool moved = row.words[first] != '\0';
      // Draw a transaction of several sectors as one box.
      const auto edge = [&edges = row.edge, moved](size_t at) {
        return !moved || edges[at] ? "|" : " ";
      };
      out += std::string(" ") + edge(sector) +
             (moved ? std::string(&row.words[first], kWordsPerSector)
                    : std::string(kWordsPerSector, ' ')) +
             edge(sector + 1);
    }
    out += "\n";
    previous = line;
    ++shown;
  }
  return out;
}

std::string global_map(const lab::KernelRun& run, const models::GpuProfile& gpu,
                       const timing::RecordedAccess& access, std::string_view source) {
  const models::WarpRequest request = lab::worst_request(run, gpu, access);
  const emulator::AccessSite& site = site_of(run, access);
  const models::TransactionResult result = lab::transactions_of(gpu, site, request);
  const models::TransactionCounts& counts = result.counts;
  const models::CoalescingWords words = models::words_of(result.rule);
  const bool sectors = result.rule == models::CoalescingRule::kSectors;
  const auto amount = [](uint64_t bytes) { return number_text(static_cast<double>(bytes)); };
  std::string out =
      std::string("Worst ") + (site.kind == emulator::AccessKind::kLoad ? "load" : "store") + ": " +
      counted(counts.transactions, std::string(words.transaction)) + " for one request, ";
  // All sectors have one size, so the ideal is a count.
  out += sectors ? "ideal " + std::to_string(lab::access_cost(gpu, site, false, request).ideal)
                 : "at best " + amount(counts.ideal_bytes) + " bytes moved";
  out += " (" + amount(counts.bytes_used) + " of " + amount(counts.bytes_moved) +
         " bytes moved are used)\n";
  out += where(run, access, source);
  out += "                   sector 0   sector 1   sector 2   sector 3\n";
  out += transaction_rows(request, result);
  if (!sectors) out += "  " + std::string(words.rule) + "\n";
  out += "  " + result.advice.text + "\n";
  return out +
         "  0-9 a-v: the lane that asks for the word   +: several lanes   .: moved, asked for by "
         "none\n";
}

std::string bank_map(const lab::KernelRun& run, const models::GpuProfile& gpu,
                     const timing::RecordedAccess& access, std::string_view source) {
  const emulator::AccessSite& site = site_of(run, access);
  const models::WarpRequest request = lab::worst_request(run, gpu, access);
  const models::GenerationBankResult result = lab::bank_passes_of(gpu, site, request);
  const std::string pass_word =
      result.rule == models::BankRule::kMeasuredBanks ? "wavefront" : "pass";
  const char* kind = site.kind == emulator::AccessKind::kLoad    ? "load"
                     : site.kind == emulator::AccessKind::kStore ? "store"
                                                                 : "atomic";
  std::string out =
      "Worst shared access: " + counted(static_cast<int>(result.passes.size()), pass_word) +
      " for one " + kind + ", ideal " +
      std::to_string(lab::access_cost(gpu, site, true, request).ideal) + "\n";
  out += where(run, access, source);
  const auto banks = static_cast<size_t>(models::bank_count(result.rule));
  out += banks == 32 ? "       bank 0       8       16      24     31\n"
                     : "       bank 0       8      15\n";
  for (size_t pass = 0; pass < result.passes.size(); ++pass) {
    if (pass == kMaxRows) {
      out += "       … " +
             counted(static_cast<int>(result.passes.size() - pass), "more " + pass_word) + "\n";
      break;
    }
    char number[16];
    std::snprintf(number, sizeof number, "  %8d ", static_cast<int>(pass) + 1);
    out += number;
    out += "|";
    for (size_t bank = 0; bank < banks; ++bank) {
      const uint32_t lanes = result.passes[pass].lanes[bank];
      if (lanes == 0) {
        out += ' ';
      } else if ((lanes & (lanes - 1)) != 0) {
        out += '+';
      } else {
        out += lane_glyph(__builtin_ctz(lanes));
      }
    }
    out += "|\n";
  }
  return out + "  0-9 a-v: the lane that the bank serves in this " + pass_word +
         "   +: one word for several lanes\n";
}

}  // namespace

std::string access_map(const lab::KernelRun& run, const models::GpuProfile& gpu,
                       const timing::RecordedAccess& access, std::string_view source) {
  return access.access.space == ptx::Space::kShared ? bank_map(run, gpu, access, source)
                                                    : global_map(run, gpu, access, source);
}

char lane_glyph(int lane) {
  return lane < 10 ? static_cast<char>('0' + lane) : static_cast<char>('a' + lane - 10);
}

}  // namespace warpshop::cli

#include "map_pictures.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <vector>

#include "core/ascii.h"
#include "core/expression.h"
#include "html.h"
#include "lab/access_cost.h"
#include "lab/worst_access.h"
#include "svg.h"

namespace warpshop::report {
namespace {

constexpr double kWidth = 880, kGutter = 112, kRight = 8;
constexpr double kPitch = (kWidth - kGutter - kRight) / 32;
constexpr double kLaneTop = 18, kLaneHeight = 18, kLinks = 44;
constexpr double kRowsTop = kLaneTop + kLaneHeight + kLinks;
constexpr uint64_t kLineBytes = 128, kWordBytes = 4;
constexpr size_t kTileColumns = 48;  // maximum for the map of wrong elements

std::string grouped(uint64_t value) { return number_text(static_cast<double>(value)); }

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return grouped(count) + " " + std::string(count == 1 ? one : many);
}

// "0–7, 12".
std::string lanes_text(uint32_t lanes) {
  std::string out;
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < models::kLanes && (lanes >> (last + 1) & 1)) ++last;
    out += (out.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane) out += "–" + std::to_string(last);
    lane = last;
  }
  return out.empty() ? "none" : out;
}

double column(int lane) { return kGutter + kPitch * lane; }
double middle(int lane) { return column(lane) + (kPitch - 2) / 2; }

void draw_lanes(Svg& svg, uint32_t active) {
  svg.text(column(0), 12, "lane 0", "quiet");
  svg.text(column(31) + kPitch - 2, 12, "31", "quiet", Svg::At::kEnd);
  for (int lane = 0; lane < models::kLanes; ++lane) {
    const bool on = active >> lane & 1;
    svg.rectangle(column(lane), kLaneTop, kPitch - 2, kLaneHeight,
                  on ? "fill=\"" + lane_color(lane) + "\"" : "class=\"idle\" fill=\"#e9edf2\"", 3);
    if (!on) continue;
    svg.text(middle(lane), kLaneTop + 13, std::to_string(lane), "digit", Svg::At::kMiddle,
             "fill=\"" + std::string(text_on_lane(lane)) + "\"");
  }
}

std::string place_of(const lab::KernelRun& run, const timing::RecordedAccess& access) {
  const emulator::AccessSite& site = run.sites[access.access.site];
  const int line = lab::student_line(site);
  return (line > 0 ? "line " + std::to_string(line) + ", " : "") + "block " +
         text_of(access.warp.block) + ", warp " + std::to_string(access.warp.warp);
}

const char* word_of(emulator::AccessKind kind) {
  return kind == emulator::AccessKind::kLoad    ? "load"
         : kind == emulator::AccessKind::kStore ? "store"
                                                : "atomic";
}

// `advice`: may be empty.
std::string figure(std::string_view picture, std::string_view caption, std::string_view code,
                   std::string_view advice, const Table& table) {
  return "<figure>\n<figcaption><strong>" + escaped(caption) + "</strong>" +
         (code.empty() ? "" : "<br/><code>" + escaped(code) + "</code>") + "</figcaption>\n" +
         std::string(picture) + (advice.empty() ? "" : "<p>" + escaped(advice) + "</p>\n") +
         "<details><summary>The same as a table</summary>\n" + html_of(table) +
         "</details>\n</figure>\n";
}

// The 128-byte lines in which anything moves, by address.
struct Lines {
  std::vector<uint64_t> addresses;
  double row_height = 20;
  size_t row_of(uint64_t address) const {
    const auto at =
        std::lower_bound(addresses.begin(), addresses.end(), address / kLineBytes * kLineBytes);
    return static_cast<size_t>(at - addresses.begin());
  }
  double top(size_t row) const { return kRowsTop + (row_height + 6) * static_cast<double>(row); }
  double bottom() const { return top(addresses.size()); }
};

Lines lines_of(const models::TransactionResult& result) {
  Lines lines;
  for (const models::Transaction& t : result.transactions) {
    for (uint64_t at = t.address / kLineBytes * kLineBytes; at < t.address + t.bytes;
         at += kLineBytes) {
      lines.addresses.push_back(at);
    }
  }
  std::sort(lines.addresses.begin(), lines.addresses.end());
  lines.addresses.erase(std::unique(lines.addresses.begin(), lines.addresses.end()),
                        lines.addresses.end());
  if (lines.addresses.size() > 12) lines.row_height = 14;
  return lines;
}

void draw_transactions(Svg& svg, const Lines& lines, const models::WarpRequest& request,
                       const models::TransactionResult& result) {
  const auto place = [&](uint64_t address) {
    return kGutter + kPitch * static_cast<double>(address % kLineBytes) / kWordBytes;
  };
  // Draw links to lower rows behind the rows above them.
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const uint64_t begin = request.address[static_cast<size_t>(lane)];
    svg.link(middle(lane), kLaneTop + kLaneHeight + 1,
             place(begin) + kPitch * static_cast<double>(request.width_bytes) / kWordBytes / 2 - 1,
             lines.top(lines.row_of(begin)), lane_color(lane));
  }
  for (size_t row = 0; row < lines.addresses.size(); ++row) {
    svg.text(kGutter - 8, lines.top(row) + lines.row_height / 2 + 4,
             row == 0 ? hexadecimal(lines.addresses[0])
                      : "+" + grouped(lines.addresses[row] - lines.addresses[0]),
             "quiet", Svg::At::kEnd);
    svg.rectangle(column(0), lines.top(row), kPitch * 32 - 2, lines.row_height,
                  "class=\"untouched\" fill=\"#e9edf2\"");
  }
  for (const models::Transaction& t : result.transactions) {
    const double width = kPitch * static_cast<double>(t.bytes) / kWordBytes - 2;
    svg.rectangle(place(t.address), lines.top(lines.row_of(t.address)), width, lines.row_height,
                  "class=\"waste\" fill=\"#f3d9c3\"");
  }
  std::map<uint64_t, int> lanes_on;  // lanes per word
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const uint64_t begin = request.address[static_cast<size_t>(lane)];
    const uint64_t end = begin + request.width_bytes;
    for (uint64_t word = begin / kWordBytes; word * kWordBytes < end; ++word) {
      if (lanes_on[word]++ > 0) continue;
      const uint64_t from = std::max(begin, word * kWordBytes);
      const uint64_t to = std::min(end, (word + 1) * kWordBytes);
      svg.rectangle(place(from), lines.top(lines.row_of(from)),
                    kPitch * static_cast<double>(to - from) / kWordBytes - 2, lines.row_height,
                    "fill=\"" + lane_color(lane) + "\"");
      if (to - from < kWordBytes) continue;
      svg.text(place(from) + kPitch / 2 - 1,
               lines.top(lines.row_of(from)) + lines.row_height / 2 + 4, std::to_string(lane),
               "digit", Svg::At::kMiddle, "fill=\"" + std::string(text_on_lane(lane)) + "\"");
    }
  }
  for (const models::Transaction& t : result.transactions) {
    const double width = kPitch * static_cast<double>(t.bytes) / kWordBytes - 2;
    svg.rectangle(place(t.address), lines.top(lines.row_of(t.address)), width, lines.row_height,
                  "class=\"moved\" fill=\"none\" stroke=\"#161b22\"", 3);
  }
}

std::string transactions_figure(const lab::RunResult& result, const timing::RecordedAccess& access,
                                std::string_view id, std::string_view source) {
  const lab::KernelRun& run = *result.student();
  const emulator::AccessSite& site = run.sites[access.access.site];
  const models::WarpRequest request = lab::worst_request(run, result.gpu, access);
  const models::TransactionResult explained = lab::transactions_of(result.gpu, site, request);
  const models::CoalescingWords words = models::words_of(explained.rule);
  const auto count = static_cast<uint64_t>(explained.counts.transactions);

  const std::string title = counted(count, words.transaction, words.transactions) + " for one " +
                            word_of(site.kind) + " of a warp";
  const std::string facts = grouped(explained.counts.bytes_moved) + " bytes moved, " +
                            grouped(explained.counts.bytes_used) + " of them used, at best " +
                            grouped(explained.counts.ideal_bytes) + " moved";
  std::string description = "32 lanes on top, " +
                            counted(lines_of(explained).addresses.size(), "line", "lines") +
                            " of 128 bytes below. " + facts + ". " + std::string(words.rule) + " " +
                            explained.advice.text;
  if (explained.transactions.size() == 1) {
    description += " Lanes " + lanes_text(explained.transactions[0].lanes) + " share one " +
                   std::string(words.transaction) + ".";
  }
  const Lines lines = lines_of(explained);
  Svg svg;
  draw_lanes(svg, request.active_mask);
  draw_transactions(svg, lines, request, explained);
  Table table{title + ": " + place_of(run, access),
              {"#", "address", "bytes", "bytes used", "lanes"},
              {},
              {0, 2, 3}};
  for (size_t i = 0; i < explained.transactions.size(); ++i) {
    const models::Transaction& t = explained.transactions[i];
    table.rows.push_back({std::to_string(i + 1), hexadecimal(t.address), grouped(t.bytes),
                          grouped(t.bytes_used()), lanes_text(t.lanes)});
  }
  const bool wasteful = explained.counts.bytes_moved > explained.counts.ideal_bytes;
  return figure(svg.finish(kWidth, lines.bottom() + 2, id, title, description),
                title + ": " + facts + " (" + place_of(run, access) + ", simulated)",
                lab::line_text(source, lab::student_line(site)),
                wasteful ? explained.advice.text.english() : std::string(), table);
}

std::string banks_figure(const lab::RunResult& result, const timing::RecordedAccess& access,
                         std::string_view id, std::string_view source) {
  const lab::KernelRun& run = *result.student();
  const emulator::AccessSite& site = run.sites[access.access.site];
  const models::WarpRequest request = lab::worst_request(run, result.gpu, access);
  const models::GenerationBankResult banks = lab::bank_passes_of(result.gpu, site, request);
  const int bank_count = models::bank_count(banks.rule);
  const bool wavefronts = banks.rule == models::BankRule::kMeasuredBanks;
  const std::string one = wavefronts ? "wavefront" : "pass",
                    many = wavefronts ? "wavefronts" : "passes";

  const std::string title = counted(banks.passes.size(), one, many) + " for one " +
                            word_of(site.kind) + " of shared memory";
  const std::string facts =
      "at best " + std::to_string(banks.parts) + "; the busiest bank has " +
      counted(static_cast<uint64_t>(*std::max_element(banks.degree.begin(), banks.degree.end())),
              "different word", "different words") +
      " to deliver";
  const std::string description = "32 lanes on top, a row of " + std::to_string(bank_count) +
                                  " banks for each " + one + " below. " + facts + ". " +
                                  std::string(models::words_of(banks.rule));
  const double row_height = banks.passes.size() > 12 ? 13 : 20;
  const double bank_pitch = kPitch * 32 / bank_count;
  const auto top = [&](size_t pass) {
    return kRowsTop + (row_height + 3) * static_cast<double>(pass);
  };
  Svg svg;
  draw_lanes(svg, request.active_mask);
  for (int lane = 0; lane < models::kLanes; ++lane) {
    const int bank = banks.lane_bank[static_cast<size_t>(lane)][0];
    if (!(request.active_mask >> lane & 1) || bank < 0) continue;
    svg.link(middle(lane), kLaneTop + kLaneHeight + 1, kGutter + bank_pitch * (bank + 0.5) - 1,
             kRowsTop - 1, lane_color(lane));
  }
  Table table{
      title + ": " + place_of(run, access), {"#", "lanes served", "banks used"}, {}, {0, 2}};
  for (size_t i = 0; i < banks.passes.size(); ++i) {
    const models::GenerationPass& pass = banks.passes[i];
    svg.text(kGutter - 8, top(i) + row_height / 2 + 4, one + " " + std::to_string(i + 1), "quiet",
             Svg::At::kEnd);
    uint64_t used = 0;
    for (int bank = 0; bank < bank_count; ++bank) {
      const uint32_t lanes = pass.lanes[static_cast<size_t>(bank)];
      const double x = kGutter + bank_pitch * bank;
      used += lanes != 0 ? 1 : 0;
      if (lanes == 0) {
        svg.rectangle(x, top(i), bank_pitch - 2, row_height,
                      "class=\"untouched\" fill=\"#e9edf2\"");
        continue;
      }
      const int lane = std::countr_zero(lanes);
      svg.rectangle(x, top(i), bank_pitch - 2, row_height, "fill=\"" + lane_color(lane) + "\"");
      const int sharing = std::popcount(lanes);
      svg.text(x + bank_pitch / 2 - 1, top(i) + row_height / 2 + 4,
               sharing > 1 ? "×" + std::to_string(sharing) : std::to_string(lane), "digit",
               Svg::At::kMiddle, "fill=\"" + std::string(text_on_lane(lane)) + "\"");
    }
    table.rows.push_back({std::to_string(i + 1), lanes_text(pass.all_lanes()), grouped(used)});
  }
  const double bottom = top(banks.passes.size()) + 10;
  svg.text(kGutter, bottom, "bank 0", "quiet");
  svg.text(kGutter + kPitch * 32 - 2, bottom, std::to_string(bank_count - 1), "quiet",
           Svg::At::kEnd);
  return figure(svg.finish(kWidth, bottom + 4, id, title, description),
                title + ": " + facts + " (" + place_of(run, access) + ", simulated)",
                lab::line_text(source, lab::student_line(site)), "", table);
}

}  // namespace

std::string picture_patterns(std::string_view id) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" aria-hidden=\"true\" "
         "class=\"patterns\"><defs><pattern id=\"" +
         std::string(id) +
         "\" width=\"6\" height=\"6\" "
         "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" "
         "height=\"6\" class=\"waste-ground\"/><rect width=\"2\" height=\"6\" "
         "class=\"waste-line\"/></pattern></defs></svg>\n";
}

std::string access_figure(const lab::RunResult& result, const timing::RecordedAccess& access,
                          std::string_view id, std::string_view source) {
  return access.access.space == ptx::Space::kShared
             ? banks_figure(result, access, id, source)
             : transactions_figure(result, access, id, source);
}

std::string mismatch_figure(const lab::BufferComparison& output, std::string_view id) {
  const uint64_t width = std::max<uint64_t>(1, output.width);
  const uint64_t height = std::max<uint64_t>(1, (output.count + width - 1) / width);
  // Each tile covers enough elements per side to keep the picture readable.
  const uint64_t step_x = (width + kTileColumns - 1) / kTileColumns;
  const uint64_t step_y = std::max<uint64_t>(1, (height + kTileColumns - 1) / kTileColumns);
  const uint64_t columns = (width + step_x - 1) / step_x, rows = (height + step_y - 1) / step_y;
  std::vector<uint64_t> wrong(columns * rows);
  for (uint64_t i = 0; i < output.count && i / 8 < output.wrong_bits.size(); ++i) {
    if (output.wrong_bits[i / 8] >> (i % 8) & 1) {
      ++wrong[i / width / step_y * columns + i % width / step_x];
    }
  }
  const double cell = std::min(12.0, kWidth / static_cast<double>(columns));
  Svg svg;
  Table table{
      "Wrong elements of " + output.buffer + " by rows", {"rows", "wrong elements"}, {}, {1}};
  for (uint64_t y = 0; y < rows; ++y) {
    uint64_t in_row = 0;
    for (uint64_t x = 0; x < columns; ++x) {
      const uint64_t count = wrong[y * columns + x];
      in_row += count;
      svg.rectangle(
          static_cast<double>(x) * cell, static_cast<double>(y) * cell, cell - 1, cell - 1,
          count > 0 ? "class=\"waste\" fill=\"#f3d9c3\"" : "class=\"right\" fill=\"#8fbbe8\"", 1);
    }
    if (in_row == 0) continue;
    const uint64_t first = y * step_y, last = std::min(height, first + step_y) - 1;
    table.rows.push_back(
        {grouped(first) + (last > first ? " to " + grouped(last) : ""), grouped(in_row)});
  }
  const std::string title = grouped(output.wrong) + " of " + grouped(output.count) +
                            " elements of " + output.buffer + " are wrong";
  const std::string description =
      "The output as " + std::to_string(columns) + " × " + std::to_string(rows) + " tiles of " +
      grouped(step_x) + " × " + grouped(step_y) + " elements; a hatched tile has a wrong element.";
  return figure(svg.finish(kWidth, static_cast<double>(rows) * cell + 2, id, title, description),
                title, "", "", table);
}

}  // namespace warpshop::report

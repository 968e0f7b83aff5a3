#include "panels/contention_panel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::ContendedWord;
using timing::Contention;

constexpr float kRow = 19;      // unscaled pixels
constexpr float kColumn = 300;  // the least width of a column
constexpr float kBetweenColumns = 28;
constexpr float kChart = 84;      // height of the bars of requests
constexpr size_t kFewWords = 12;  // listed even where the panel has to be scrolled for them

// "4–7", the hits of the words in a bucket.
std::string bucket_text(size_t bucket) {
  const uint64_t first = uint64_t{1} << bucket, last = 2 * first - 1;
  return first == last ? with_separators(first)
                       : with_separators(first) + "–" + with_separators(last);
}

std::string mean_lanes_text(double lanes) { return decimal_text(lanes, lanes < 10 ? 2 : 1); }

std::string csv_of(const timing::LaunchContention& contention) {
  CsvTable table({"memory", "what", "of", "count", "blocks", "most in a block"});
  const auto add = [&](const char* memory, const Contention& of) {
    for (size_t d = 1; d < of.requests_by_lanes.size(); ++d) {
      if (of.requests_by_lanes[d] > 0)
        table.row({memory, "requests by lanes on their busiest word", std::to_string(d),
                   std::to_string(of.requests_by_lanes[d]), "", ""});
    }
    for (size_t b = 0; b < of.words_by_hits.size(); ++b) {
      if (of.words_by_hits[b] > 0)
        table.row({memory, "words by hits, from", std::to_string(uint64_t{1} << b),
                   std::to_string(of.words_by_hits[b]), "", ""});
    }
    for (const ContendedWord& word : of.hottest) {
      table.row({memory, "hits of a word", word.name, std::to_string(word.hits),
                 std::to_string(word.copies), std::to_string(word.most)});
    }
    if (of.hits_left_out > 0)
      table.row({memory, "hits left out", "", std::to_string(of.hits_left_out), "", ""});
  };
  add("global", contention.global);
  add("shared", contention.shared);
  return table.text();
}

// Whether the GPU's shared memory has an operation that counts lanes: those whose banks were
// measured do.
bool counts_at_once(const View& view) {
  return lab::bank_rule_of(view.result()->gpu) == models::BankRule::kMeasuredBanks;
}
// Whether no lane of these requests waits for another on the same word.
bool none_waits(const View& view, const Contention& of) {
  return of.lanes_on_busiest() < 1.5 || (of.counted == of.requests && counts_at_once(view));
}

void heading(std::string_view text) {
  ImGui::Dummy({0, px(2)});
  label(look().fonts->regular, 12, look()->muted, text);
}

// A bar for each number of lanes, 1 to 32: how many requests have as many on their busiest word.
void draw_requests(const View& view, const Contention& of, float width) {
  heading(tr("Requests by lanes on their busiest word"));
  const Theme& t = *look().theme;
  const Face& face = look().fonts->regular;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = line_height(face, kSmall), height = px(kChart);
  const uint64_t most = std::max<uint64_t>(
      1, *std::max_element(of.requests_by_lanes.begin() + 1, of.requests_by_lanes.end()));
  const float pitch = width / 32, bottom = at.y + line + height;
  const bool waits = !none_waits(view, of);
  list->AddLine({at.x, bottom}, {at.x + width, bottom}, t.line);
  for (size_t d = 1; d < of.requests_by_lanes.size(); ++d) {
    const uint64_t count = of.requests_by_lanes[d];
    const float x = at.x + pitch * static_cast<float>(d - 1);
    if (count > 0) {
      const float tall =
          std::max(px(2), height * static_cast<float>(count) / static_cast<float>(most));
      draw_bar(list, {std::round(x), bottom - tall},
               {std::round(x + pitch) - std::max(1.0f, pitch * 0.14f), bottom},
               d > 1 && waits ? t.poor : t.good, d > 1 && waits, px(1));
    }
    if (d == 1 || d % 8 == 0) {
      const ScaleMarks marks;
      draw_text(list, {x + pitch / 2, bottom + px(2)}, face, kSmall, t.muted, std::to_string(d),
                Align::kCenter);
    }
  }
  // The longest bar has its figure; the others show theirs under the mouse.
  const size_t longest = static_cast<size_t>(
      std::max_element(of.requests_by_lanes.begin() + 1, of.requests_by_lanes.end()) -
      of.requests_by_lanes.begin());
  const std::string text = with_separators(most);
  const float half = text_size(face, kSmall, text).x / 2;
  const float middle = std::clamp(at.x + pitch * (static_cast<float>(longest) - 0.5f), at.x + half,
                                  at.x + width - half);
  draw_text(list, {middle, at.y - px(1)}, face, kSmall, t.body, text, Align::kCenter);
  ImGui::InvisibleButton("requests", {width, line + height + line + px(3)});
  metric_area({middle - half, at.y}, {middle + half, at.y + line}, metric::kLanesOnBusiest);
  if (!ImGui::IsItemHovered()) return;
  const auto d =
      static_cast<size_t>(std::clamp((ImGui::GetMousePos().x - at.x) / pitch + 1, 1.0f, 32.0f));
  if (ImGui::GetMousePos().y < at.y + line) return;
  tooltip(tr_count(d, "{} lane on one word", "{} lanes on one word"),
          tr("{} of {} requests", with_separators(of.requests_by_lanes[d]),
             with_separators(of.requests)),
          d == 1 || (of.counted == of.requests && counts_at_once(view))
              ? tr("No lane waits for another of its warp.")
              : tr("They take turns; the request's other words have no more lanes."));
}

struct BarRow {
  std::string name, figure;
  double value = 0;
  ImU32 color = 0;
  bool poor = false;
};

// One row: a name, a bar, a figure. Returns its corners; the row is the last item.
std::pair<ImVec2, ImVec2> draw_row(const char* id, const BarRow& row, const Face& face, float width,
                                   float names, float figures, double most) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = px(kRow), y = at.y + (height - line_height(face, 12)) / 2;
  {
    const ScaleMarks marks;
    draw_text_cut(list, {at.x, y}, face, 12, look()->body, row.name, names);
  }
  const float left = names + px(8), room = width - left - figures - px(8);
  if (room > px(8) && row.value > 0) {
    const float bar = std::max(px(2), room * static_cast<float>(row.value / most));
    draw_bar(list, {at.x + left, at.y + px(4)}, {at.x + left + bar, at.y + height - px(4)},
             row.color, row.poor, px(2));
  }
  draw_text(list, {at.x + width, y}, look().fonts->regular, 12, look()->text, row.figure,
            Align::kRight);
  ImGui::PushID(id);
  ImGui::InvisibleButton(row.name.empty() ? "row" : row.name.c_str(), {width, height});
  ImGui::PopID();
  return {at, {at.x + width, at.y + height}};
}

float widest(const std::vector<BarRow>& rows, const Face& face, bool names) {
  float width = 0;
  for (const BarRow& row : rows)
    width = std::max(
        width,
        text_size(names ? face : look().fonts->regular, 12, names ? row.name : row.figure).x);
  return width;
}

// How many words are hit once, two or three times, four to seven times, and so on.
void draw_distribution(const Contention& of, float width) {
  heading(tr("Words by hits"));
  size_t first = of.words_by_hits.size(), last = 0;
  uint64_t most = 1;
  for (size_t b = 0; b < of.words_by_hits.size(); ++b) {
    if (of.words_by_hits[b] == 0) continue;
    first = std::min(first, b);
    last = b;
    most = std::max(most, of.words_by_hits[b]);
  }
  std::vector<BarRow> rows;
  for (size_t b = first; b <= last; ++b) {
    rows.push_back({.name = bucket_text(b),
                    .figure = with_separators(of.words_by_hits[b]),
                    .value = static_cast<double>(of.words_by_hits[b]),
                    .color = mix(look()->panel, look()->accent, 0.75f)});
  }
  const Face& face = look().fonts->regular;
  const float names = widest(rows, face, true), figures = widest(rows, face, false);
  for (size_t n = 0; n < rows.size(); ++n) {
    const auto [min, max] =
        draw_row("buckets", rows[n], face, width, names, figures, static_cast<double>(most));
    metric_area(min, max, metric::kWordsByHits);
  }
}

struct LineOfAtomics {
  int line = 0;
  timing::SiteContention sum;
};

std::vector<LineOfAtomics> lines_of(const lab::KernelRun& run, bool shared) {
  std::map<int, timing::SiteContention> lines;
  for (size_t s = 0; s < run.contention.by_site.size(); ++s) {
    const timing::SiteContention& site = run.contention.by_site[s];
    if (site.requests == 0 || (run.sites[s].space == ptx::Space::kShared) != shared) continue;
    timing::SiteContention& sum = lines[lab::student_line(run.sites[s])];
    sum.requests += site.requests;
    sum.lanes_on_busiest += site.lanes_on_busiest;
  }
  std::vector<LineOfAtomics> out;
  for (const auto& [line, sum] : lines) {
    if (line > 0) out.push_back({line, sum});
  }
  return out;
}

// Lanes in turn per request of each line, where several have atomics.
void draw_lines(const View& view, const std::vector<LineOfAtomics>& lines, float width,
                CommandQueue& queue) {
  if (lines.size() < 2) return;
  heading(tr("Lanes on the busiest word, by line"));
  std::vector<BarRow> rows;
  double most = 1;
  for (const LineOfAtomics& line : lines) {
    const double lanes =
        static_cast<double>(line.sum.lanes_on_busiest) / static_cast<double>(line.sum.requests);
    most = std::max(most, lanes);
    const bool poor = lanes >= 1.5;
    rows.push_back({.name = tr("line {}", line.line),
                    .figure = mean_lanes_text(lanes),
                    .value = lanes,
                    .color = poor ? look()->poor : look()->good,
                    .poor = poor});
  }
  const Face& face = look().fonts->regular;
  const float names = widest(rows, face, true), figures = widest(rows, face, false);
  for (size_t n = 0; n < rows.size(); ++n) {
    const auto [min, max] = draw_row("lines", rows[n], face, width, names, figures, most);
    note_metric(min, max, metric::kLanesOnBusiest);
    if (!ImGui::IsItemHovered()) continue;
    queue.point_at({.lanes = 0, .line = lines[n].line});
    tooltip(rows[n].name, tr("{} lanes on the busiest word, in {} requests", rows[n].figure,
                             with_separators(lines[n].sum.requests)));
    if (view.stale) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked())
      queue.push(
          command::GoTo{{.file = view.result()->file_name, .line = lines[n].line, .column = 1}});
  }
}

constexpr uint32_t kMarkedBytes = 4;  // of a word, in the other maps

void draw_hottest(const View& view, const Contention& of, bool shared, int line, float width,
                  float height, CommandQueue& queue) {
  heading(shared ? tr("Hottest words, hits in their busiest block") : tr("Hottest words"));
  const auto fit = static_cast<size_t>(std::max(0.0f, height / px(kRow) - 2));
  const size_t shown = std::min(of.hottest.size(), std::max(kFewWords, fit));
  std::vector<BarRow> rows;
  for (size_t n = 0; n < shown; ++n) {
    const ContendedWord& word = of.hottest[n];
    rows.push_back(
        {.name = word.name.empty() ? tr("address {}", with_separators(word.address)) : word.name,
         .figure = with_separators(word.most),
         .value = static_cast<double>(word.most),
         .color = mix(look()->panel, look()->accent, 0.75f)});
  }
  const Face& face = look().fonts->code;
  const float names = std::min(widest(rows, face, true), width * 0.5f),
              figures = widest(rows, face, false);
  const double most = of.hottest.empty() ? 1 : static_cast<double>(of.hottest.front().most);
  for (size_t n = 0; n < rows.size(); ++n) {
    const ContendedWord& word = of.hottest[n];
    const auto [min, max] = draw_row("hottest", rows[n], face, width, names, figures, most);
    note_metric(min, max, metric::kHits);
    if (!ImGui::IsItemHovered()) continue;
    if (!shared)
      point_and_jump(view, {.line = line, .address = word.address, .bytes = kMarkedBytes}, queue);
    const double part = static_cast<double>(word.hits) / static_cast<double>(of.hits);
    const std::string of_all = tr("{} of all hits", percent_text(std::round(part * 1000) / 1000));
    if (shared) {
      const double mean = static_cast<double>(word.hits) / static_cast<double>(word.copies);
      tooltip(rows[n].name,
              tr_count(word.most, "{} hit in the block that hits it most",
                       "{} hits in the block that hits it most") +
                  "\n" +
                  tr_count(word.copies, "{1} hits in {} block, {2} per block",
                           "{1} hits in {} blocks, {2} per block", with_separators(word.hits),
                           fraction_text(mean)),
              of_all);
    } else {
      tooltip(rows[n].name, tr_count(word.hits, "{} hit", "{} hits"), of_all);
    }
  }
  const uint64_t all = of.words;
  if (!shared && all > shown)
    paragraph(look().fonts->regular, kSmall, look()->muted,
              tr_count(all - shown, "{} more word", "{} more words"));
}

void notes(const View& view, const Contention& of) {
  if (of.counted > 0 && counts_at_once(view)) {
    paragraph(look().fonts->regular, kSmall, look()->muted,
              of.counted == of.requests
                  ? tr("Every lane adds 1 and none uses the old value: shared memory counts the "
                       "lanes of a word at once, and none waits for another of its warp.")
                  : tr("In {} of the requests every lane adds 1 and none uses the old value: "
                       "shared memory counts the lanes of a word at once.",
                       with_separators(of.counted)));
  }
  if (of.combined > 0) {
    paragraph(look().fonts->regular, kSmall, look()->muted,
              tr("The compiler adds up {} more values within warps before their atomics.",
                 with_separators(of.combined)));
  }
  if (of.hits_left_out > 0) {
    paragraph(look().fonts->regular, kSmall, look()->muted,
              tr("Of these hits, {} are not counted by word: only the first 8 MiB of what atomics "
                 "touch are.",
                 with_separators(of.hits_left_out)));
  }
}

void choose_memory(bool& shared, ContentionPanelState& state) {
  for (const bool choice : {false, true}) {
    if (choice) ImGui::SameLine();
    if (button(choice ? tr_id("Shared memory", "memory") : tr_id("Global memory", "memory"),
               choice == shared ? ButtonKind::kSelected : ButtonKind::kQuiet, {0, 0}, kLabel)) {
      state.shared = shared = choice;
    }
  }
}

}  // namespace

void contention_panel(const View& view, ContentionPanelState& state, CommandQueue& queue) {
  Panel panel("contention", tr("Contention"));
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  if (run == nullptr || !run->contention.any()) {
    panel.header(tr("Contention"));
    empty_panel(tr("This kernel uses no atomics."));
    return;
  }
  panel.header(tr("Contention"), tr("at {}", view.result()->sizes.front().size.label));
  Greyed grey(view.stale);
  const timing::LaunchContention& all = run->contention;
  const bool both = all.global.requests > 0 && all.shared.requests > 0;
  bool shared = both ? state.shared.value_or(all.mostly_shared()) : all.shared.requests > 0;
  if (both) choose_memory(shared, state);
  const Contention& of = shared ? all.shared : all.global;
  const double lanes = of.lanes_on_busiest();
  headline(mean_lanes_text(lanes), none_waits(view, of), tr("lanes on a request's busiest word"),
           std::string(tr("1 is ideal")) + " · " +
               tr_count(of.requests, "{} request", "{} requests") + " · " +
               tr_count(of.words, "{1} hits on {} word", "{1} hits on {} words",
                        with_separators(of.hits)),
           lab::Provenance::kSimulated, metric::kLanesOnBusiest);
  export_menu(
      tr("Contention"), [&all] { return csv_of(all); }, queue);
  const std::vector<LineOfAtomics> lines = lines_of(*run, shared);
  const int line = lines.size() == 1 ? lines.front().line : 0;
  const ImVec2 space = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorPos();
  const bool beside = space.x >= px(2 * kColumn + kBetweenColumns);
  const float width = beside ? std::min((space.x - px(kBetweenColumns)) / 2, px(520)) : space.x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 1));
  ImGui::BeginGroup();
  draw_requests(view, of, width);
  draw_distribution(of, width);
  draw_lines(view, lines, width, queue);
  ImGui::EndGroup();
  if (beside) ImGui::SetCursorPos({at.x + width + px(kBetweenColumns), at.y});
  ImGui::BeginGroup();
  draw_hottest(view, of, shared, line, width, beside ? space.y - px(40) : 0, queue);
  ImGui::EndGroup();
  notes(view, of);
  ImGui::PopStyleVar();
}

}  // namespace warpshop::ui

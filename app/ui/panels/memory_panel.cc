#include "panels/memory_panel.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "draw/legend.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/memory_chart.h"
#include "panels/export_menu.h"
#include "panels/model_note.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr float kNoArrows = 12;
constexpr float kMostWidth = 680;   // in a wider chart arrows and boxes would drift apart
constexpr float kShaft = 13;        // width of the arrow with the most bytes
constexpr float kNarrowLane = 118;  // narrower ones omit the reference's arrow but keep its words

// Heights of a chart's parts. A slide does not scroll, so there they may be lower.
struct ChartHeights {
  float box = 38, arrows = 66;
  bool flat = false;  // boxes of one line
  bool asked = true;  // what each request asks for has a line
};
constexpr ChartHeights kHeights[] = {
    {}, {22, 66, true, true}, {22, 52, true, false}, {20, 47, true, false}};

// Position of the chart, and the parameters for drawing its arrows.
struct ChartFrame {
  ImVec2 at;
  float width = 0;
  double most_bytes = 1;  // of all arrows, including the reference's
  bool with_reference = false;
  bool own_rules = false;  // of the GPU; see MemoryChart
  ChartHeights heights;
};

ImU32 arrow_color(const ChartArrow& arrow) {
  const Theme& t = *look().theme;
  const ChartFigure& figure = arrow.bytes.any()        ? arrow.bytes
                              : arrow.wavefronts.any() ? arrow.wavefronts
                                                       : arrow.requests;
  return figure.yours <= 0 ? mix(t.line, t.muted, 0.4f) : figure.worse() ? t.poor : t.good;
}

// Draws an arrow's shaft, as thick as its share of the bytes; `bytes` < 0: it carries none.
void draw_shaft(ImDrawList* list, float x, float top, float bottom, ChartArrow::Way way,
                double bytes, const ChartFrame& frame, ImU32 color, bool poor) {
  const float part = bytes < 0 ? 0.25f : static_cast<float>(bytes / frame.most_bytes);
  const float half = std::max(px(1), px(kShaft) * part / 2),
              head = std::max(px(4.5f), half + px(3));
  const bool up = way != ChartArrow::Way::kDown, down = way != ChartArrow::Way::kUp;
  const float from = top + (up ? head : 0), to = bottom - (down ? head : 0);
  draw_bar(list, {x - half, from}, {x + half, to}, color, poor, 0);
  if (up) list->AddTriangleFilled({x, top}, {x + head, top + head}, {x - head, top + head}, color);
  if (down)
    list->AddTriangleFilled({x - head, bottom - head}, {x + head, bottom - head}, {x, bottom},
                            color);
}

bool has_room(const std::string& text, float em, float room) {
  return text_size(em == kSmall ? look().fonts->regular : look().fonts->medium, em, text).x <= room;
}

// "8.39 M requests · 4 sectors each". In little room only the cost of a request, or the number of
// requests if they have no sectors. Empty if the level does not count requests.
std::string asked_text(const ChartArrow& arrow, bool own_rules, float room) {
  if (!arrow.requests.any()) return "";
  const std::string count = count_text(arrow.requests.yours);
  std::string requests = tr("{} requests", count);
  if (!has_room(requests, kSmall, room)) requests = tr("{} req.", count);
  if (arrow.wavefronts.any() || arrow.requests.yours <= 0) return requests;
  const double sectors = arrow.sectors.yours / arrow.requests.yours;
  const std::string sectors_text = fraction_text(sectors);
  const std::string each = own_rules             ? tr("{} bytes each", fraction_text(32 * sectors))
                           : sectors_text == "1" ? tr("1 sector each")
                                                 : tr("{} sectors each", sectors_text);
  const std::string both = requests + " · " + each;
  return has_room(both, kSmall, room) ? both : each;
}

// In little room, only the number; shared memory's box then says what it counts.
std::string arrow_figure(const ChartArrow& arrow, bool own_rules, float room) {
  if (!arrow.wavefronts.any()) return moved_text(arrow.bytes.yours);
  const std::string count = count_text(arrow.wavefronts.yours);
  const std::string whole = own_rules ? tr("{} passes", count) : tr("{} wavefronts", count);
  return has_room(whole, kLabel, room) ? whole : count;
}

std::string arrow_name(const ChartArrow& arrow, bool own_rules, float room) {
  const std::string name(tr(arrow.name));
  if (!arrow.wavefronts.any() ||
      arrow_figure(arrow, own_rules, room) != count_text(arrow.wavefronts.yours))
    return name;
  return own_rules ? tr("passes") : tr("wavefronts");
}

std::string reference_text(const ChartArrow& arrow, float room) {
  if (!arrow.bytes.reference) return "";
  const std::string figure = arrow.wavefronts.any()
                                 ? count_text(arrow.wavefronts.reference.value_or(0))
                                 : moved_text(*arrow.bytes.reference);
  const std::string whole = tr("reference {}", figure);
  return has_room(whole, kSmall, room) ? whole : tr("ref. {}", figure);
}

// Exact figures, for the tooltip.
std::string whole_text(const ChartArrow& arrow, bool own_rules) {
  std::string text;
  const auto add = [&](const ChartFigure& figure, const char* unit) {
    if (!figure.any()) return;
    const auto exact = [](double value) {
      return with_separators(static_cast<uint64_t>(std::llround(value)));
    };
    text += (text.empty() ? "" : "\n") + exact(figure.yours) + " " + tr(unit);
    if (figure.reference) text += " · " + tr("reference {}", exact(*figure.reference));
  };
  add(arrow.requests, tr_later("requests"));
  if (!own_rules) add(arrow.sectors, tr_later("sectors"));
  add(arrow.wavefronts, own_rules ? tr_later("passes") : tr_later("wavefronts"));
  add(arrow.bytes, tr_later("bytes"));
  return text;
}

// Draws arrows between two rows, side by side: name, bytes, requests, and the reference's.
void draw_arrows(ImDrawList* list, const ChartRow& row, const ChartFrame& frame, float top,
                 float lane) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const bool narrow = lane < px(kNarrowLane);
  float x = frame.at.x;
  for (const ChartArrow& arrow : row.arrows) {
    const ImU32 color = arrow_color(arrow);
    const bool counts = arrow.wavefronts.any();
    const float middle = x + px(narrow ? 9 : 12), bottom = top + px(frame.heights.arrows) - px(5);
    draw_shaft(list, middle, top + px(5), bottom, arrow.way, counts ? -1 : arrow.bytes.yours, frame,
               color, color == t.poor);
    float left = x + px(narrow ? 20 : 26);
    if (frame.with_reference && !narrow) {
      const double bytes = counts ? -1 : arrow.bytes.reference.value_or(0);
      draw_shaft(list, x + px(30), top + px(5), bottom, arrow.way, bytes, frame,
                 mix(t.panel, t.muted, 0.45f), false);
      left = x + px(44);
    }
    const float room = x + lane - left - px(2);
    float y = top + px(5);
    const auto line = [&](const Face& face, float em, ImU32 ink, const std::string& text) {
      if (text.empty()) return;
      draw_text_cut(list, {left, y}, face, em, ink, text, room);
      y += line_height(face, em) + px(0.5f);
    };
    line(f.regular, kSmall, t.muted, arrow_name(arrow, frame.own_rules, room));
    line(f.medium, kLabel, color == t.poor ? t.poor : t.text,
         arrow_figure(arrow, frame.own_rules, room));
    if (frame.heights.asked)
      line(f.regular, kSmall, t.body, asked_text(arrow, frame.own_rules, room));
    line(f.regular, kSmall, t.muted, reference_text(arrow, room));
    metric_area({x, top}, {x + lane, top + px(frame.heights.arrows)}, *arrow.words,
                whole_text(arrow, frame.own_rules));
    x += lane;
  }
}

// As many words as there is room for, the least important left out first.
std::string hit_text(const ChartBox& box, float room) {
  if (!box.hit_rate) return "";
  const auto percent = [](double rate) { return percent_text(std::round(rate * 1000) / 1000); };
  const std::string rate = tr("hit rate {}", percent(*box.hit_rate));
  const std::string with_bytes =
      box.looked_up_bytes > 0
          ? tr("hit rate {} of {} read", percent(*box.hit_rate), moved_text(box.looked_up_bytes))
          : rate;
  if (!box.reference_hit_rate) return has_room(with_bytes, kSmall, room) ? with_bytes : rate;
  const std::string reference = percent(*box.reference_hit_rate);
  for (const std::string& text :
       {with_bytes + " · " + tr("reference {}", reference),
        rate + " · " + tr("reference {}", reference), rate + " · " + tr("ref. {}", reference)}) {
    if (has_room(text, kSmall, room)) return text;
  }
  return rate;
}

constexpr float kBoxInset = 8, kBesideName = 10;

// What is left for a remark in a box of this width.
float room_for_remark(float width, const std::string& name, bool flat) {
  return width - px(2 * kBoxInset) -
         (flat ? text_size(look().fonts->medium, kLabel, name).x + px(kBesideName) : 0);
}

// Draws a box with a name and a remark below it, or beside it in a flat box.
void draw_box(ImDrawList* list, ImVec2 min, ImVec2 max, const std::string& name,
              const std::string& remark, bool there, bool flat) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  if (there) {
    list->AddRectFilled(min, max, t.raised, px(6));
  }
  list->AddRect(min, max, there ? mix(t.line, t.muted, 0.35f) : t.line, px(6),
                std::max(1.0f, px(1)));
  const float room = max.x - min.x - px(2 * kBoxInset);
  const Face& face = there ? f.medium : f.regular;
  float em = kLabel;  // a long name gets smaller rather than cut
  while (em > kSmall - 1.5f && text_size(face, em, name).x > room) em -= 0.5f;
  const float height =
      line_height(face, em) + (remark.empty() || flat ? 0 : line_height(f.regular, kSmall));
  const float y = (min.y + max.y - height) / 2, left = min.x + px(kBoxInset);
  draw_text_cut(list, {left, y}, face, em, there ? t.text : t.muted, name, room);
  if (remark.empty()) return;
  const float beside = room_for_remark(max.x - min.x, name, flat);
  if (!flat) {
    draw_text_cut(list, {left, y + line_height(face, em)}, f.regular, kSmall, t.body, remark, room);
  } else if (beside > 0) {
    draw_text_cut(list, {left + room - beside, y + px(1)}, f.regular, kSmall, t.body, remark,
                  beside);
  }
}

// Draws a row's boxes above their arrows; a single box is as wide as the chart.
void draw_boxes(ImDrawList* list, const ChartRow& row, const ChartFrame& frame, float top,
                float lane, const std::string& dram_remark) {
  const float bottom = top + px(frame.heights.box);
  for (size_t b = 0; b < row.boxes.size(); ++b) {
    const ChartBox& box = row.boxes[b];
    size_t first = row.arrows.size(), count = 0;
    for (size_t a = 0; a < row.arrows.size(); ++a) {
      if (row.arrows[a].box != b) continue;
      first = std::min(first, a);
      ++count;
    }
    const bool alone = row.boxes.size() == 1;
    if (!alone && count == 0) continue;
    const float left = alone ? frame.at.x : frame.at.x + lane * static_cast<float>(first);
    const float right =
        alone ? frame.at.x + frame.width
              : left + lane * static_cast<float>(count) - (b + 1 < row.boxes.size() ? px(8) : 0);
    std::string name = capitalized(std::string(tr(box.name)));
    if (box.size_bytes > 0) name += " · " + bytes_text(box.size_bytes);
    const std::string remark =
        dram_remark.empty() ? hit_text(box, room_for_remark(right - left, name, frame.heights.flat))
                            : dram_remark;
    draw_box(list, {left, top}, {right, bottom}, name, remark, box.cache, frame.heights.flat);
    if (!dram_remark.empty()) metric_area({left, top}, {right, bottom}, metric::kDramRate);
    if (box.hit_rate) metric_area({left, top}, {right, bottom}, *box.words);
    if (box.size_bytes > 0 && !box.hit_rate) metric_area({left, top}, {right, bottom}, *box.words);
  }
}

double most_bytes(const MemoryChart& chart) {
  double most = 1;
  for (const ChartRow& row : chart.rows) {
    for (const ChartArrow& arrow : row.arrows)
      most = std::max({most, arrow.bytes.yours, arrow.bytes.reference.value_or(0)});
  }
  return most;
}

std::string beside_reference(const ChartFigure& bytes) {
  return moved_text(bytes.yours) +
         (bytes.reference ? ", " + tr("reference {}", moved_text(*bytes.reference)) : "");
}

// Draws the headline: the level that is worst relative to the reference, else the DRAM traffic.
void chart_headline(const MemoryChart& chart, double useful_bytes) {
  if (chart.worst) {
    const double ratio = chart.worst->ratio();
    headline(ratio_text(std::round(ratio * 100) / 100), false, tr(chart.worst->name),
             beside_reference(chart.worst->bytes), lab::Provenance::kPredicted,
             *chart.worst->words);
    return;
  }
  const bool dram = chart.dram_bytes.yours > 0 || chart.l2_bytes.yours <= 0;
  const ChartFigure& bytes = dram ? chart.dram_bytes : chart.l2_bytes;
  const std::string figure = moved_text(bytes.yours);
  const size_t space = figure.rfind(' ');
  std::string beside;
  if (useful_bytes > 0 && dram)
    beside = tr("{}× what the task needs",
                fraction_text(std::round(bytes.yours / useful_bytes * 100) / 100));
  if (!dram) beside = tr("L2 holds all the data: DRAM moves nothing");
  if (bytes.reference)
    beside += (beside.empty() ? "" : " · ") + tr("reference {}", moved_text(*bytes.reference));
  headline(figure.substr(0, space), true,
           dram ? tr("{} between DRAM and the chip", figure.substr(space + 1))
                : tr("{} between L2 and the SMs", figure.substr(space + 1)),
           beside, lab::Provenance::kPredicted, dram ? metric::kDramBytes : metric::kL2Bytes);
}

// Rows without traffic between them move close together.
float gap_above(const ChartRow& row, const ChartHeights& heights) {
  return px(row.arrows.empty() ? kNoArrows : heights.arrows);
}

void draw_chart(const MemoryChart& chart, const lab::KernelRun& run, const ChartFrame& frame) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const timing::Prediction& p = *run.prediction;
  float y = frame.at.y;
  const std::string launch = tr("{} blocks of {} threads", with_separators(run.grid.count()),
                                with_separators(run.block.count()));
  draw_box(list, {frame.at.x, y}, {frame.at.x + frame.width, y + px(frame.heights.box)}, run.kernel,
           launch, true, frame.heights.flat);
  metric_area({frame.at.x, y}, {frame.at.x + frame.width, y + px(frame.heights.box)},
              metric::kThreadsABlock);
  y += px(frame.heights.box);
  for (const ChartRow& row : chart.rows) {
    const bool first = &row == &chart.rows.front(), last = &row == &chart.rows.back();
    // Keep two arrows away from the ends of a wide chart.
    const float lane =
        frame.width / static_cast<float>(std::max<size_t>(first ? 1 : 3, row.arrows.size()));
    draw_arrows(list, row, frame, y, lane);
    y += gap_above(row, frame.heights);
    std::string rate;
    if (last && p.dram_bytes > 0) {
      rate =
          tr("{} of {} GB/s", with_separators(static_cast<uint64_t>(std::llround(p.achieved_gb_s))),
             with_separators(static_cast<uint64_t>(std::llround(p.peak_gb_s))));
    } else if (last) {
      rate = tr("moves nothing");
    }
    draw_boxes(list, row, frame, y, lane, rate);
    y += px(frame.heights.box);
  }
}

float chart_height(const MemoryChart& chart, const ChartHeights& heights) {
  float height = px(heights.box);
  for (const ChartRow& row : chart.rows) height += gap_above(row, heights) + px(heights.box);
  return height;
}

// Legend of the arrows' colours, lengths and widths; the entries that need no explaining come last.
std::vector<LegendEntry> memory_legend(const MemoryChart& chart, bool with_reference) {
  const Theme& t = *look().theme;
  bool worse = false;
  for (const ChartRow& row : chart.rows) {
    for (const ChartArrow& arrow : row.arrows) worse |= arrow_color(arrow) == t.poor;
  }
  std::vector<LegendEntry> out = {{Swatch::kBar, t.good, tr("your kernel")}};
  if (worse) out.push_back({Swatch::kBar, t.poor, tr("a tenth more than the reference, or worse")});
  if (with_reference)
    out.push_back({Swatch::kBar, mix(t.panel, t.muted, 0.45f), tr("the reference")});
  out.push_back({Swatch::kWords, 0, tr("the thicker, the more bytes")});
  return out;
}

// Explains the basis of the figures. At an emulated size, the requests of the instructions are
// those in Counters.
std::string basis_of(const lab::KernelRun& run, const std::string& size) {
  const timing::Prediction& p = *run.prediction;
  const uint64_t blocks = run.grid.count();
  if (run.completed) {
    return tr_count(
        std::min(p.simulated_blocks, blocks),
        "At {1}: instructions are counted in all {2} blocks, as in Counters; caches and DRAM are "
        "predicted from {} block played.",
        "At {1}: instructions are counted in all {2} blocks, as in Counters; caches and DRAM are "
        "predicted from {} blocks played.",
        size, with_separators(blocks));
  }
  if (p.simulated_blocks == 0)
    return tr("Predicted at {} from the accesses of its blocks; none is played.", size);
  return tr("Predicted at {}: {} of {} blocks played, their counts scaled to the whole grid.", size,
            with_separators(std::min(p.simulated_blocks, blocks)), with_separators(blocks));
}

}  // namespace

void memory_panel(const View& view, CommandQueue& queue) {
  Panel panel("memory", tr("Memory"));
  if (!panel) return;
  const lab::SizeResult* size = view.result() ? view.result()->timed_size() : nullptr;
  const lab::KernelRun* run = size ? &size->student : nullptr;
  const bool predicted = run && run->prediction;
  // A slide's heading names the GPU.
  std::string context = view.result() && !view.lecture ? view.result()->gpu.name : "";
  if (predicted) context += (context.empty() ? "" : " · ") + tr("at {}", size->size.label);
  panel.header(tr("Memory"), context);
  if (!predicted) {
    say_why_not(view, tr("Run the kernel to see what it moves through the caches and DRAM."));
    return;
  }
  const MemoryChart chart = memory_chart(*size, view.result()->gpu);
  if (chart.empty()) {
    empty_panel(tr("The kernel makes no access to memory."));
    return;
  }
  Greyed grey(view.stale);
  chart_headline(chart, size->useful_bytes);
  export_menu(
      tr("Memory"), [&chart] { return memory_csv(chart); }, queue);
  const bool reference = size->reference.prediction.has_value();
  std::vector<LegendEntry> entries = memory_legend(chart, reference);
  // A slide does not scroll: rather a shorter legend than half of the chart.
  while (view.lecture && entries.size() > 1 &&
         legend_height(entries, content_width()) + px(4) +
                 chart_height(chart, std::end(kHeights)[-1]) + px(6) >
             ImGui::GetContentRegionAvail().y)
    entries.pop_back();
  legend(entries);
  gap(4);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  ChartHeights heights;
  for (const ChartHeights& lower : kHeights) {
    const bool last = &lower == &std::end(kHeights)[-1];  // only if the rest does not fit at all
    const float below = px(6) + (last ? 0 : model_note_height());
    if (view.lecture && chart_height(chart, heights) + below > space.y) heights = lower;
  }
  const float height = chart_height(chart, heights) + px(6);
  ImGui::Dummy({std::max(space.x, 1.0f), height});  // scrolls in a low panel
  draw_chart(chart, *run,
             {.at = at,
              .width = std::min(space.x, px(kMostWidth)),
              .most_bytes = most_bytes(chart),
              .with_reference = reference,
              .own_rules = chart.own_rules,
              .heights = heights});
  // A slide cannot be scrolled: rather no note than half of one.
  if (view.lecture && height + model_note_height() > space.y) return;
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + space.y - model_note_height(), at.y + height)});
  model_note(time_model(view), basis_of(*run, size->size.label));
}

}  // namespace warpshop::ui

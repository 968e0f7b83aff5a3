#include "svg.h"

#include <cstdio>

#include "html.h"
#include "lab/lane_colors.h"

namespace warpshop::report {
namespace {

// White has a contrast of at least 4.5 on these (WCAG 2.2), black on all others.
constexpr int kDarkLanes = 14;

// A coordinate with at most one decimal.
std::string units(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string out(text);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::string lane_color(int lane) {
  char text[8];
  std::snprintf(text, sizeof text, "#%06x", lab::kLaneColors[static_cast<size_t>(lane) & 31]);
  return text;
}
std::string_view text_on_lane(int lane) { return lane < kDarkLanes ? "#ffffff" : "#000000"; }

void Svg::rectangle(double x, double y, double width, double height, std::string_view style,
                    double corner) {
  shapes_ += "<rect x=\"" + units(x) + "\" y=\"" + units(y) + "\" width=\"" + units(width) +
             "\" height=\"" + units(height) + "\" rx=\"" + units(corner) + "\" " +
             std::string(style) + "/>\n";
}

void Svg::link(double x1, double y1, double x2, double y2, std::string_view color) {
  const double middle = (y1 + y2) / 2;
  shapes_ += "<path d=\"M" + units(x1) + " " + units(y1) + " C" + units(x1) + " " + units(middle) +
             " " + units(x2) + " " + units(middle) + " " + units(x2) + " " + units(y2) +
             "\" fill=\"none\" stroke=\"" + std::string(color) + "\" stroke-width=\"1.2\"/>\n";
}

void Svg::text(double x, double y, std::string_view words, std::string_view css_class, At at,
               std::string_view style) {
  const char* anchor = at == At::kStart ? "start" : at == At::kMiddle ? "middle" : "end";
  // Viewers without the page's style get the light colours.
  const bool digit = css_class == "digit";
  shapes_ += "<text x=\"" + units(x) + "\" y=\"" + units(y) + "\" class=\"" +
             std::string(css_class) + "\" text-anchor=\"" + anchor +
             "\" font-family=\"sans-serif\" font-size=\"" + (digit ? "9" : "11") + "\" " +
             (style.empty() ? "fill=\"#566274\"" : std::string(style)) + ">" + escaped(words) +
             "</text>\n";
}

std::string Svg::finish(double width, double height, std::string_view id, std::string_view title,
                        std::string_view description) const {
  const std::string name(id);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + units(width) + " " +
         units(height) + "\" role=\"img\" aria-labelledby=\"" + name + "-title " + name +
         "-words\">\n<title id=\"" + name + "-title\">" + escaped(title) + "</title>\n<desc id=\"" +
         name + "-words\">" + escaped(description) + "</desc>\n" + shapes_ + "</svg>\n";
}

}  // namespace warpshop::report

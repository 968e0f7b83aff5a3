// Builds a picture: shapes in user units, then the whole <svg> with title and description.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::report {

class Svg {
 public:
  void rectangle(double x, double y, double width, double height, std::string_view style,
                 double corner = 2);
  // A curve from the bottom of one shape to the top of another, vertical at both ends.
  void link(double x1, double y1, double x2, double y2, std::string_view color);
  enum class At { kStart, kMiddle, kEnd };
  void text(double x, double y, std::string_view words, std::string_view css_class,
            At at = At::kStart, std::string_view style = {});
  // The picture, `width` × `height` units.
  std::string finish(double width, double height, std::string_view id, std::string_view title,
                     std::string_view description) const;

 private:
  std::string shapes_;
};

// Viridis from lane 0 to lane 31, and black or white text, whichever reads better on it.
std::string lane_color(int lane);
std::string_view text_on_lane(int lane);

}  // namespace warpshop::report

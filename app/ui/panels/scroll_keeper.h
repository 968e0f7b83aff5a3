// Keeps what the student reads in its place while something above it grows, such as the questions,
// whose explanations open with the first result.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpshop::ui {

class ScrollKeeper {
 public:
  // Call in the scrolling window before its blocks. `open`: what is open; when it changes, the
  // topmost block in sight stays where it is for some frames, until all heights are known.
  void begin(const std::string& open);
  void block(const std::string& name);  // begins here
  void end();

 private:
  struct Block {
    std::string name;
    float top = 0;  // in the scrolling window's content
  };
  std::vector<Block> blocks_, before_;
  std::optional<std::string> open_;
  int frames_ = 0;
};

}  // namespace warpshop::ui

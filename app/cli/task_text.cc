#include "task_text.h"

#include <md4c.h>

#include <string_view>

#include "lab/markdown.h"
#include "lab/step_text.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

constexpr size_t kEnough =
    160;  // characters; whole sentences up to here, and the first in any case
constexpr std::string_view kHeading = "Your task";

// The first paragraph below the heading.
struct Found {
  std::string heading;
  std::string paragraph;
  bool in_heading = false, below = false, in_paragraph = false, done = false;
};

int enter_block(MD_BLOCKTYPE type, void*, void* data) {
  Found& found = *static_cast<Found*>(data);
  found.in_heading = type == MD_BLOCK_H;
  if (found.in_heading) found.heading.clear();
  found.in_paragraph = type == MD_BLOCK_P && found.below && !found.done;
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* data) {
  Found& found = *static_cast<Found*>(data);
  if (type == MD_BLOCK_H) found.below = found.heading == kHeading;
  if (type == MD_BLOCK_P && found.in_paragraph) found.done = true;
  found.in_heading = found.in_paragraph = false;
  return 0;
}

int nothing(MD_SPANTYPE, void*, void*) { return 0; }

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
  Found& found = *static_cast<Found*>(data);
  std::string* to = found.in_heading     ? &found.heading
                    : found.in_paragraph ? &found.paragraph
                                         : nullptr;
  if (to == nullptr) return 0;
  if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
    *to += ' ';
  } else {
    to->append(text, size);
  }
  return 0;
}

std::string paragraph_of(std::string_view markdown) {
  Found found;
  MD_PARSER parser{};
  parser.flags = lab::kMarkdownFlags;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = nothing;
  parser.leave_span = nothing;
  parser.text = take_text;
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &found);
  return found.paragraph;
}

// "a. B" ends a sentence after the full stop.
std::string first_sentences(const std::string& text) {
  size_t end = 0;
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    const bool stops = std::string_view(".!?").find(text[at]) != std::string_view::npos;
    if (!stops || text[at + 1] != ' ') continue;
    if (end > 0 && at > kEnough) break;
    end = at + 1;
  }
  // A sentence that ends in ":" announces what is not shown.
  const bool whole = end == 0 || (text.size() <= kEnough && text.back() != ':');
  return whole ? text : text.substr(0, end);
}

}  // namespace

std::string task_text(const lab::Step& step) {
  if (step.exercise && step.exercise->contract) return step.exercise->contract->text;
  return first_sentences(paragraph_of(lab::parts_of(step.text).before));
}

std::string wrapped(const std::string& text, size_t width, const std::string& indent) {
  std::string out;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && screen_width(indent + line) + 1 + screen_width(word) > width) {
      out += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + indent + line + "\n";
}

}  // namespace warpshop::cli

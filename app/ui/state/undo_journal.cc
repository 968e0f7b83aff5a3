#include "state/undo_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/json_text.h"
#include "core/write_all.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using nlohmann::json;

constexpr size_t kMostBytes = 4 << 20;  // larger journals are not read

bool inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Replaces bytes that are not UTF-8; such a journal
// then fails its check when read, and starts again.
std::string json_line(const json& value) { return json_text(value) + "\n"; }

std::string line_of(const TextChange& change, bool joined = false) {
  json line =
      json::object({{"at", change.at}, {"removed", change.removed}, {"inserted", change.inserted}});
  if (joined) line["joined"] = true;
  return json_line(line);
}

// False if the change does not fit the text.
bool make_change(std::string& text, const TextChange& change) {
  if (change.at > text.size() ||
      text.compare(change.at, change.removed.size(), change.removed) != 0)
    return false;
  text.replace(change.at, change.removed.size(), change.inserted);
  return true;
}

TextChange back(const TextChange& change) { return {change.at, change.inserted, change.removed}; }

Status append(const std::filesystem::path& file, const std::string& lines) {
  const auto failed = [&] {
    return make_error("undo", tr("{} cannot be written: {}", file.string(), std::strerror(errno)));
  };
  const int to = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (to < 0) return failed();
  const Status status = write_all(to, lines) ? success() : Status(failed());
  ::close(to);
  return status;
}

}  // namespace

TextChange change_between(const std::string& from, const std::string& to) {
  const size_t least = std::min(from.size(), to.size());
  size_t front = 0;
  while (front < least && from[front] == to[front]) ++front;
  // Do not split a character.
  while (front > 0 && ((front < from.size() && inside_character(from[front])) ||
                       (front < to.size() && inside_character(to[front])))) {
    --front;
  }
  size_t tail = 0;
  while (tail < least - front && from[from.size() - 1 - tail] == to[to.size() - 1 - tail]) ++tail;
  while (tail > 0 && inside_character(from[from.size() - tail])) --tail;
  return {front, from.substr(front, from.size() - tail - front),
          to.substr(front, to.size() - tail - front)};
}

bool UndoJournal::read(const std::string& content) {
  bool begun = false;
  for (size_t at = 0; at < content.size();) {
    const size_t end = content.find('\n', at);
    if (end == std::string::npos) break;  // a line truncated by a crash
    const json line = json::parse(content.begin() + static_cast<ptrdiff_t>(at),
                                  content.begin() + static_cast<ptrdiff_t>(end), nullptr, false);
    at = end + 1;
    if (!line.is_object()) return false;
    try {
      if (!begun) {
        if (line.at("version").get<int>() != 1) return false;
        base_ = text_ = line.at("text").get<std::string>();
        begun = true;
      } else if (line.contains("place")) {
        const auto place = line.at("place").get<size_t>();
        if (place > changes_.size()) return false;
        for (; place_ > place; --place_) {
          if (!make_change(text_, back(changes_[place_ - 1]))) return false;
        }
        for (; place_ < place; ++place_) {
          if (!make_change(text_, changes_[place_])) return false;
        }
      } else {
        TextChange change{line.at("at").get<size_t>(), line.at("removed").get<std::string>(),
                          line.at("inserted").get<std::string>()};
        if (!make_change(text_, change)) return false;
        add(std::move(change), line.value("joined", false));
      }
    } catch (const json::exception&) {
      return false;
    }
  }
  return begun;
}

void UndoJournal::open(std::filesystem::path file, const std::string& text) {
  *this = {};
  file_ = std::move(file);
  std::error_code error;
  const auto size = std::filesystem::file_size(file_, error);
  bool known = false;
  if (!error && size <= kMostBytes) {
    if (Result<std::string> content = read_file(file_); content.ok()) {
      known = read(*content);
      // A truncated line would corrupt the next one.
      rewrite_ = known && !content->ends_with('\n');
    }
  }
  if (!known) {
    base_ = text_ = text;
    changes_.clear();
    place_ = 0;
    rewrite_ = true;
    return;
  }
  note(text);
  if (changes_.size() > kMostChanges) forget_oldest();
}

// `text_` already includes the change.
void UndoJournal::add(TextChange change, bool joined) {
  if (joined && place_ > 0 && place_ == changes_.size()) {
    std::string before = text_;
    make_change(before, back(change));
    make_change(before, back(changes_.back()));
    changes_.back() = change_between(before, text_);
    return;
  }
  changes_.resize(place_);
  changes_.push_back(std::move(change));
  ++place_;
}

void UndoJournal::note(const std::string& text, bool joined) {
  if (text == text_) return;
  if (place_ > 0 && !joined) {
    std::string before = text_;
    if (make_change(before, back(changes_[place_ - 1])) && before == text) {
      text_ = text;
      unwritten_ += json_line(json::object({{"place", --place_}}));
      return;
    }
  }
  if (place_ < changes_.size() && !joined) {
    std::string after = text_;
    if (make_change(after, changes_[place_]) && after == text) {
      text_ = text;
      unwritten_ += json_line(json::object({{"place", ++place_}}));
      return;
    }
  }
  TextChange change = change_between(text_, text);
  unwritten_ += line_of(change, joined);
  text_ = text;
  add(std::move(change), joined);
  if (changes_.size() > kMostChanges * 2) forget_oldest();
}

void UndoJournal::forget_oldest() {
  const size_t gone = std::min(changes_.size() - kMostChanges, place_);
  for (size_t n = 0; n < gone; ++n) make_change(base_, changes_[n]);
  changes_.erase(changes_.begin(), changes_.begin() + static_cast<ptrdiff_t>(gone));
  place_ -= gone;
  rewrite_ = true;
}

std::string UndoJournal::whole() const {
  std::string out = json_line(json::object({{"version", 1}, {"text", base_}}));
  for (const TextChange& change : changes_) out += line_of(change);
  if (place_ < changes_.size()) out += json_line(json::object({{"place", place_}}));
  return out;
}

Status UndoJournal::write() {
  if (file_.empty() || (unwritten_.empty() && !(rewrite_ && !changes_.empty()))) return success();
  const Status written =
      rewrite_ ? write_file_atomically(file_, whole()) : append(file_, unwritten_);
  if (!written.ok()) {
    rewrite_ = true;  // write the whole file next time
    return written;
  }
  rewrite_ = false;
  unwritten_.clear();
  return success();
}

}  // namespace warpshop::ui

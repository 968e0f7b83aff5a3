#include "members.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <variant>

#include "core/utf8.h"

namespace warpshop::serve {
namespace {

constexpr size_t kMostNameCharacters = 60;
constexpr size_t kMostStudents = 5000;
constexpr size_t kKeyLength = 12;  // 57 bits

// "bcdf-ghjk-mnpq": easier to type.
std::string grouped(const std::string& key) {
  std::string out;
  for (size_t n = 0; n < key.size(); ++n) {
    if (n > 0 && n % 4 == 0) out += '-';
    out += key[n];
  }
  return out;
}

struct CodeRange {
  uint32_t first, last;
};

template <size_t kCount>
bool is_in(uint32_t c, const CodeRange (&ranges)[kCount]) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const CodeRange& range) { return c >= range.first && c <= range.last; });
}

// Unicode's spaces (category Zs), and the empty pattern of Braille.
bool is_space(uint32_t c) {
  static constexpr CodeRange kSpaces[] = {{' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680},
                                          {0x2000, 0x200a}, {0x202f, 0x202f}, {0x205f, 0x205f},
                                          {0x2800, 0x2800}, {0x3000, 0x3000}};
  return is_in(c, kSpaces);
}

// Part of names of some scripts, and of emoji: seen only together with others.
bool is_joiner(uint32_t c) { return c == 0x200c || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f); }

// Controls, separators of lines, marks of direction, and what a font shows as nothing
// (DerivedCoreProperties.txt of Unicode, Default_Ignorable_Code_Point), joiners apart.
bool is_unseen(uint32_t c) {
  static constexpr CodeRange kUnseen[] = {
      {0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},
      {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200b},  {0x200e, 0x200f},
      {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff},  {0xffa0, 0xffa0},
      {0xfff0, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  return is_in(c, kUnseen);
}

// Marks that are drawn above or below the letter before them.
bool is_mark(uint32_t c) {
  static constexpr CodeRange kMarks[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x1ab0, 0x1aff},
                                         {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}};
  return is_in(c, kMarks);
}

constexpr int kMostMarks = 4;  // on a letter: more reach into the lines above

// The small letter of a capital one, in the scripts that have them side by side.
uint32_t small_letter(uint32_t c) {
  const bool latin = (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
  const bool greek = c >= 0x391 && c <= 0x3a9;
  const bool cyrillic = c >= 0x410 && c <= 0x42f;
  if (latin || greek || cyrillic) return c + 0x20;
  return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
}

// Calls `see` with each character of valid UTF-8 and its bytes. False: it is not.
template <typename See>
bool for_each_character(std::string_view text, See see) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    see(code_point(text.substr(0, length)), text.substr(0, length));
    text.remove_prefix(length);
  }
  return true;
}

// Two names that look the same to most people are one.
std::string name_key(const std::string& name) {
  std::string out;
  for_each_character(name, [&out](uint32_t c, std::string_view bytes) {
    if (is_joiner(c)) return;
    const uint32_t small = small_letter(c);
    if (small == c) {
      out += bytes;
    } else if (small < 0x80) {
      out += static_cast<char>(small);
    } else {  // all of them have two bytes
      out += static_cast<char>(0xc0U | small >> 6);
      out += static_cast<char>(0x80U | (small & 0x3fU));
    }
  });
  return out;
}

void insert(Database& database, const Student& student) {
  database
      .query(
          "INSERT INTO students (student, name, name_key, rejoin, joined, seen) VALUES (?, ?, ?, "
          "?, ?, ?)")
      .bind(student.id)
      .bind(student.name)
      .bind(name_key(student.name))
      .bind(student.key)
      .bind(student.joined)
      .bind(student.seen)
      .run();
}

}  // namespace

int64_t now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::optional<std::string> shown_name(const std::string& typed) {
  std::string out;
  size_t characters = 0;
  int marks = 0;
  bool space = false, good = true;
  const bool valid = for_each_character(typed, [&](uint32_t c, std::string_view bytes) {
    marks = is_mark(c) ? marks + 1 : 0;
    good = good && !is_unseen(c) && marks <= kMostMarks;
    if (is_space(c)) {
      space = !out.empty();
    } else {
      characters += space ? 2 : 1;
      if (std::exchange(space, false)) out += ' ';
      out += bytes;
    }
  });
  if (!valid || !good || characters > kMostNameCharacters || name_key(out).empty())
    return std::nullopt;
  return out;
}

void Members::load(Database& database) {
  Query students = database.query(
      "SELECT student, name, rejoin, joined, seen, removed FROM students ORDER BY student");
  while (students.step()) {
    Student student{students.number(0), students.text(1), students.text(2), students.number(3),
                    students.number(4)};
    last_ = student.id;
    if (students.number(5) != 0) continue;
    by_name_[name_key(student.name)] = student.id;
    by_key_[student.key] = student.id;
    students_[student.id] = std::move(student);
  }
  Query sessions = database.query("SELECT token, student, lecturer FROM sessions");
  while (sessions.step())
    sessions_[sessions.text(0)] = {sessions.number(1), sessions.number(2) != 0};
}

const Student* Members::find(StudentId id) const {
  const auto found = students_.find(id);
  return found == students_.end() ? nullptr : &found->second;
}

Session Members::session(const std::string& token) const {
  const auto found = sessions_.find(token);
  if (found == sessions_.end()) return {};
  Session session = found->second;
  if (find(session.student) == nullptr) session.student = 0;
  return session;
}

void Members::join(const std::string& typed, const std::string& token, JoinDone done) {
  const std::optional<std::string> name = shown_name(typed);
  if (!name) return done(Refused::kName);
  if (by_name_.count(name_key(*name)) != 0) return done(Refused::kTaken);
  if (students_.size() >= kMostStudents) return done(Refused::kFull);
  const Student student{++last_, *name, random_code(kKeyLength), now_s(), now_s()};
  // Reserved from now on; released if it cannot be stored.
  by_name_[name_key(*name)] = student.id;
  start_session(student, token, true, std::move(done));
}

void Members::join_by_key(const std::string& typed, const std::string& token, JoinDone done) {
  const auto found = by_key_.find(plain_code(typed));
  if (found == by_key_.end()) return done(Refused::kUnknownKey);
  start_session(students_.at(found->second), token, false, std::move(done));
}

void Members::start_session(const Student& student, const std::string& old_token, bool is_new,
                            JoinDone done) {
  // A new token: one that was planted in the browser before is worth nothing afterwards.
  Joined joined{random_token(), student.id, student.name, grouped(student.key)};
  const bool lecturer = session(old_token).lecturer;
  store_.run(
      [=](Database& database) {
        if (is_new) insert(database, student);
        database.query("DELETE FROM sessions WHERE token = ?").bind(old_token).run();
        database.query("INSERT INTO sessions (token, student, lecturer, since) VALUES (?, ?, ?, ?)")
            .bind(joined.token)
            .bind(student.id)
            .bind(int64_t{lecturer})
            .bind(now_s())
            .run();
      },
      [=, this, done = std::move(done)](Store::Problem problem) {
        if (problem) {
          if (is_new) by_name_.erase(name_key(student.name));
          return done(*problem);
        }
        if (is_new) {
          by_key_[student.key] = student.id;
          students_[student.id] = student;
        }
        sessions_.erase(old_token);
        sessions_[joined.token] = {student.id, lecturer};
        done(joined);
      });
}

void Members::enter_as_lecturer(const std::string& old_token, TokenDone done) {
  const std::string token = random_token();
  const StudentId student = session(old_token).student;
  store_.run(
      [=](Database& database) {
        database.query("DELETE FROM sessions WHERE token = ?").bind(old_token).run();
        database.query("INSERT INTO sessions (token, student, lecturer, since) VALUES (?, ?, 1, ?)")
            .bind(token)
            .bind(student)
            .bind(now_s())
            .run();
      },
      [=, this, done = std::move(done)](Store::Problem problem) {
        if (problem) return done(*problem);
        sessions_.erase(old_token);
        sessions_[token] = {student, true};
        done(token);
      });
}

void Members::leave(const std::string& token, std::function<void(Store::Problem)> done) {
  sessions_.erase(token);
  store_.run(
      [=](Database& database) {
        database.query("DELETE FROM sessions WHERE token = ?").bind(token).run();
      },
      std::move(done));
}

void Members::new_key(StudentId id, TokenDone done) {
  const std::string key = random_code(kKeyLength);
  store_.run(
      [=](Database& database) {
        database.query("UPDATE students SET rejoin = ? WHERE student = ?").bind(key).bind(id).run();
      },
      [=, this, done = std::move(done)](Store::Problem problem) {
        if (problem) return done(*problem);
        const auto found = students_.find(id);
        if (found == students_.end())
          return done(make_error("missing", sentence("no such student")));
        by_key_.erase(found->second.key);
        by_key_[key] = id;
        found->second.key = key;
        done(grouped(key));
      });
}

void Members::remove(StudentId id, std::function<void(Store::Problem)> done) {
  store_.run(
      [=](Database& database) {
        database.query("UPDATE students SET removed = 1 WHERE student = ?").bind(id).run();
        database.query("DELETE FROM sessions WHERE student = ? AND lecturer = 0").bind(id).run();
      },
      [=, this, done = std::move(done)](Store::Problem problem) {
        const auto found = students_.find(id);
        if (!problem && found != students_.end()) {
          by_name_.erase(name_key(found->second.name));
          by_key_.erase(found->second.key);
          students_.erase(found);
          std::erase_if(sessions_, [id](const auto& entry) {
            return entry.second.student == id && !entry.second.lecturer;
          });
        }
        done(std::move(problem));
      });
}

void Members::saw(StudentId id) {
  const auto found = students_.find(id);
  if (found == students_.end()) return;
  found->second.seen = now_s();
  seen_[id] = found->second.seen;
}

void Members::save_seen() {
  if (seen_.empty()) return;
  store_.run(
      [seen = std::exchange(seen_, {})](Database& database) {
        for (const auto& [id, at] : seen)
          database.query("UPDATE students SET seen = ? WHERE student = ?").bind(at).bind(id).run();
      },
      [](const Store::Problem&) {});  // the next time says it again
}

StudentId Members::only_one(Database& database) {
  if (!students_.empty()) return students_.begin()->first;
  Student student{++last_, "me", random_code(kKeyLength), now_s(), now_s()};
  insert(database, student);
  students_[student.id] = student;
  return student.id;
}

}  // namespace warpshop::serve

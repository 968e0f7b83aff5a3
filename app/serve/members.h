// The members of a class (students, their browsers, the lecturer), in memory and in the store.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "secrets.h"
#include "store.h"

namespace warpshop::serve {

using StudentId = int64_t;  // 0: none

struct Student {
  StudentId id = 0;
  std::string name;
  std::string key;     // lets other devices in
  int64_t joined = 0;  // seconds since 1970
  int64_t seen = 0;
};

// The session that a cookie belongs to.
struct Session {
  StudentId student = 0;
  bool lecturer = false;
  bool is_anyone() const { return student != 0 || lecturer; }
};

struct Joined {
  std::string token;  // of the new session
  StudentId student = 0;
  std::string name;
  std::string key;
};

class Members {
 public:
  explicit Members(Store& store) : store_(store) {}
  void load(Database& database);

  // Null if not, or no longer, in the class.
  const Student* find(StudentId id) const;
  const std::map<StudentId, Student>& students() const { return students_; }
  Session session(const std::string& token) const;

  enum class Refused { kName, kTaken, kUnknownKey, kFull };
  using JoinDone = std::function<void(std::variant<Joined, Refused, Diagnostic>)>;
  // `token`: the browser's session so far; a lecturer's session remains a lecturer's.
  void join(const std::string& name, const std::string& token, JoinDone done);
  void join_by_key(const std::string& key, const std::string& token, JoinDone done);
  using TokenDone = std::function<void(Result<std::string>)>;
  void enter_as_lecturer(const std::string& token, TokenDone done);
  void leave(const std::string& token, std::function<void(Store::Problem)> done);
  void new_key(StudentId id, TokenDone done);
  void remove(StudentId id, std::function<void(Store::Problem)> done);
  void saw(StudentId id);
  void save_seen();  // of those seen since the last time

  // Adds one student without a name or code, for --one-user.
  StudentId only_one(Database& database);

 private:
  void start_session(const Student& student, const std::string& old_token, bool is_new,
                     JoinDone done);

  Store& store_;
  std::map<StudentId, Student> students_;
  std::map<std::string, StudentId> by_name_;
  std::map<std::string, StudentId> by_key_;
  std::unordered_map<std::string, Session> sessions_;
  std::map<StudentId, int64_t> seen_;
  StudentId last_ = 0;
};

// A name as shown: trimmed, with single spaces. No value if it is empty, too long, or contains
// characters that are invisible or change the text around them.
std::optional<std::string> shown_name(const std::string& typed);

int64_t now_s();  // seconds since 1970

}  // namespace warpshop::serve

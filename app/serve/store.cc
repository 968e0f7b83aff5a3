#include "store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "core/files.h"

namespace warpshop::serve {
namespace {

// Raise it with the tables, and write how the older ones become the new.
constexpr int kVersion = 1;

constexpr const char* kTables = R"(
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE students (
  student INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL, rejoin TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0, joined INTEGER NOT NULL, seen INTEGER NOT NULL);
CREATE TABLE sessions (
  token TEXT PRIMARY KEY, student INTEGER NOT NULL, lecturer INTEGER NOT NULL,
  since INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
  student INTEGER NOT NULL, path TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0, bytes BLOB NOT NULL, PRIMARY KEY (student, path));
CREATE TABLE versions (
  student INTEGER NOT NULL, path TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
  kept TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (student, path, version));
CREATE TABLE polls (
  poll INTEGER PRIMARY KEY, asked TEXT NOT NULL, state TEXT NOT NULL, round INTEGER NOT NULL);
CREATE TABLE votes (
  poll INTEGER NOT NULL, round INTEGER NOT NULL, student INTEGER NOT NULL, answer REAL NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (poll, round, student)) WITHOUT ROWID;
CREATE TABLE progress (
  student INTEGER NOT NULL, lab TEXT NOT NULL, step TEXT NOT NULL, passed INTEGER NOT NULL,
  checks INTEGER NOT NULL, failing TEXT NOT NULL, done INTEGER NOT NULL,
  attempts INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (student, lab, step)) WITHOUT ROWID;
)";

Diagnostic problem_of(const DatabaseError& error, const std::filesystem::path& folder) {
  if (error.is_full()) {
    return make_error_at(
        {folder.string()}, kDiskFull,
        sentence("the server's disk is full: {why}", {{"why", error.what()}}),
        sentence("nothing is lost that was saved before; the lecturer has to make room"));
  }
  return make_error_at({folder.string()}, "file",
                       sentence("the server cannot write: {why}", {{"why", error.what()}}));
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& folder,
                                           uint64_t most_bytes) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return make_error_at(
        {folder.string()}, "file",
        sentence("the folder cannot be created: {why}", {{"why", std::strerror(errno)}}),
        sentence("choose another folder with --data"));
  }
  Descriptor lock(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.is_open()) {
    return make_error_at(
        {folder.string()}, "file",
        sentence("the folder cannot be written: {why}", {{"why", std::strerror(errno)}}),
        sentence("choose another folder with --data"));
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return make_error_at({folder.string()}, "busy",
                         sentence("another warpshop serve uses this folder"),
                         sentence("end it, or choose another folder with --data"));
  }
  std::unique_ptr<Store> store(new Store(folder, std::move(lock)));
  try {
    store->database_ = std::make_unique<Database>(folder / "class.sqlite", most_bytes);
    Database& database = *store->database_;
    int64_t version = 0;
    {
      Query query = database.query("PRAGMA user_version");
      if (query.step()) version = query.number(0);
    }
    if (version > kVersion) {
      return make_error_at({(folder / "class.sqlite").string()}, "file",
                           sentence("a newer version of the program wrote this file"),
                           sentence("update this one, or choose another folder with --data"));
    }
    if (version == 0) {
      database.execute("BEGIN IMMEDIATE");
      database.execute(kTables);
      database.execute(("PRAGMA user_version=" + std::to_string(kVersion)).c_str());
      database.execute("COMMIT");
    }
  } catch (const DatabaseError& problem) {
    return problem_of(problem, folder);
  }
  return store;
}

Status Store::load(const std::function<void(Database&)>& work) {
  try {
    work(*database_);
    return success();
  } catch (const DatabaseError& error) {
    return problem_of(error, folder_);
  }
}

void Store::start(std::function<void(std::function<void()>)> post) {
  post_ = std::move(post);
  thread_ = std::thread([this] { work(); });
}

Store::~Store() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  there_is_work_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Store::run(std::function<void(Database&)> work, std::function<void(Problem)> done) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), std::move(done), {}});
  }
  there_is_work_.notify_one();
}

void Store::work() {
  for (;;) {
    std::deque<Job> jobs;
    {
      std::unique_lock lock(mutex_);
      there_is_work_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      jobs.swap(queue_);
    }
    commit(jobs);
    for (Job& job : jobs) {
      post_([done = std::move(job.done), problem = std::move(job.problem)]() mutable {
        done(std::move(problem));
      });
    }
  }
}

// All of them in one transaction, which costs one flush of the disk. If it fails, one by one: what
// has no room must not take the rest with it.
void Store::commit(std::deque<Job>& jobs) {
  const auto rollback = [this] {
    try {
      database_->execute("ROLLBACK");
    } catch (const DatabaseError&) {
      // There is no transaction any more.
    }
  };
  try {
    database_->execute("BEGIN IMMEDIATE");
    for (Job& job : jobs) job.work(*database_);
    database_->execute("COMMIT");
    return;
  } catch (const DatabaseError&) {
    rollback();
  }
  for (Job& job : jobs) {
    try {
      database_->execute("BEGIN IMMEDIATE");
      job.work(*database_);
      database_->execute("COMMIT");
    } catch (const DatabaseError& error) {
      rollback();
      job.problem = problem_of(error, folder_);
    }
  }
}

}  // namespace warpshop::serve

// Stores what the server keeps in one SQLite file, used by one thread. Work that is queued at the
// same time is committed together; an answer is sent only after its commit, so a server that is
// killed loses nothing that it has acknowledged.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/descriptor.h"
#include "core/result.h"
#include "sqlite.h"

namespace warpshop::serve {

class Store {
 public:
  // `folder` is created, readable only by its owner. Error: it cannot be used, or another server
  // uses it.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& folder,
                                             uint64_t most_bytes);
  ~Store();  // finishes queued work first

  // Before start(): loads on the caller's thread. Error: the file is damaged.
  Status load(const std::function<void(Database&)>& work);

  // Starts the thread that does the work. `post` runs an answer on the thread that waits for it.
  void start(std::function<void(std::function<void()>)> post);

  // Does `work` in a transaction, then calls `done`: with no value once stored, else with the
  // reason.
  using Problem = std::optional<Diagnostic>;
  void run(std::function<void(Database&)> work, std::function<void(Problem)> done);
  // The same for work with a value.
  template <typename Value>
  void run(std::function<Value(Database&)> work, std::function<void(Result<Value>)> done) {
    auto value = std::make_shared<std::optional<Value>>();
    run(std::function<void(Database&)>([value, work = std::move(work)](Database& database) {
          value->emplace(work(database));
        }),
        [value, done = std::move(done)](Problem problem) {
          if (problem) {
            done(*problem);
          } else {
            done(std::move(**value));
          }
        });
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Job {
    std::function<void(Database&)> work;
    std::function<void(Problem)> done;
    Problem problem;
  };
  Store(std::filesystem::path folder, Descriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  void work();
  void commit(std::deque<Job>& jobs);

  const std::filesystem::path folder_;
  Descriptor lock_;
  std::unique_ptr<Database> database_;
  std::function<void(std::function<void()>)> post_;
  std::mutex mutex_;
  std::condition_variable there_is_work_;
  std::deque<Job> queue_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace warpshop::serve

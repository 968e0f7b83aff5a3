// The class's compilations: a queue for several compile processes, and a cache of answers, since a
// class compiles the same skeletons.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "compile_process.h"
#include "compile_turns.h"
#include "core/result.h"

namespace warpshop::serve {

using SharedBytes = std::shared_ptr<const std::string>;

// Answers by request; evicts the least recently used.
class AnswerCache {
 public:
  explicit AnswerCache(size_t most_bytes) : most_bytes_(most_bytes) {}
  SharedBytes find(const std::string& request);  // null: unknown
  void insert(const std::string& request, SharedBytes answer);
  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string request;
    SharedBytes answer;
  };
  static size_t size_of(const Entry& entry) {
    return entry.request.size() + entry.answer->size() + 256;
  }
  size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // the most recent first
  // Keyed by the whole request, not by a hash, so no two requests can be made to collide.
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_request_;
};

struct PoolLimits {
  int children = 0;     // 0: one per core
  int per_student = 2;  // jobs waiting or running
  size_t queue = 2000;  // jobs waiting
  size_t cache_bytes = size_t{32} << 20;
  CompileLimits compile;
};

struct PoolFigures {
  int children = 0;
  size_t waiting = 0;
  uint64_t answered = 0;
  uint64_t from_cache = 0;
  uint64_t failed = 0;  // no answer: too late, too large, crashed
};

// compile() and figures() belong to one thread; answers come on any.
class CompilePool {
 public:
  // Returns when the first compile process is ready; the others follow. Error: none can start.
  static Result<std::unique_ptr<CompilePool>> start(const PoolLimits& limits,
                                                    std::function<void(const std::string&)> log);
  ~CompilePool();

  enum class Admitted { kYes, kTooManyOfStudent, kQueueFull };
  using Done = std::function<void(SharedBytes answer)>;
  // `student`: whose share of the pool this counts towards; any name. The answer always has the
  // form of compile::answer_of().
  Admitted compile(const std::string& student, std::string request, Done done);

  PoolFigures figures() const;
  const std::string& locks() const { return locks_; }
  const std::string& version() const { return version_; }
  const std::string& library() const { return library_; }

 private:
  struct Waiting {
    std::string student;
    Done done;
  };
  struct Job {
    std::string request;
    std::vector<Waiting> waiting;  // of equal requests
  };
  CompilePool(const PoolLimits& limits, std::function<void(const std::string&)> log)
      : limits_(limits), log_(std::move(log)), cache_(limits.cache_bytes) {}
  void work(std::unique_ptr<CompileChild> child);
  std::string answer_of(std::unique_ptr<CompileChild>& child, const std::string& request,
                        bool& keep);

  const PoolLimits limits_;
  std::function<void(const std::string&)> log_;
  std::string locks_, version_, library_;
  mutable std::mutex mutex_;
  std::condition_variable there_is_work_;
  bool ending_ = false;
  StopFlag stop_;
  AnswerCache cache_;
  CompileTurns<std::shared_ptr<Job>> queue_;
  std::map<std::string_view, std::shared_ptr<Job>> jobs_;  // waiting or running, by request
  std::map<std::string, int> of_student_;
  PoolFigures figures_;
  std::vector<std::thread> threads_;
};

}  // namespace warpshop::serve

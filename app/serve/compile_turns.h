// Chooses the next compilation: first come, first served, except that one likely to take long lets
// short ones go first for a while. A class's texts differ by a factor of ten, so a few long ones
// would otherwise make everybody wait.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace warpshop::serve {

template <typename Job>
class CompileTurns {
 public:
  using Clock = std::chrono::steady_clock;

  bool empty() const { return waiting_.empty(); }
  size_t size() const { return waiting_.size(); }

  void push(const std::string& student, Job job, Clock::time_point now) {
    const auto known = took_.find(student);
    const Clock::duration expected = known == took_.end() ? kUsual : known->second;
    waiting_.emplace(now + kPatience * expected, std::move(job));
  }
  Job pop() {
    Job job = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    return job;
  }
  // A student's next text takes about as long as the one before: the headers are the same.
  void note(const std::string& student, Clock::duration took) {
    if (took_.size() >= kMostKnown) took_.clear();
    took_[student] = took;
  }

 private:
  static constexpr auto kUsual = std::chrono::milliseconds(50);
  static constexpr int kPatience = 4;  // times as long as it is likely to take
  static constexpr size_t kMostKnown = 10'000;

  std::multimap<Clock::time_point, Job> waiting_;  // by when they should have begun
  std::unordered_map<std::string, Clock::duration> took_;
};

}  // namespace warpshop::serve

#include "compile_pool.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include "compile/remote.h"

namespace warpshop::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBeforeNextStart = std::chrono::seconds(2);

}  // namespace

SharedBytes AnswerCache::find(const std::string& request) {
  const auto found = by_request_.find(request);
  if (found == by_request_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::insert(const std::string& request, SharedBytes answer) {
  if (by_request_.count(request) != 0) return;
  entries_.push_front({request, std::move(answer)});
  by_request_[entries_.front().request] = entries_.begin();
  bytes_ += size_of(entries_.front());
  while (bytes_ > most_bytes_ && !entries_.empty()) {
    bytes_ -= size_of(entries_.back());
    by_request_.erase(entries_.back().request);
    entries_.pop_back();
  }
}

Result<std::unique_ptr<CompilePool>> CompilePool::start(
    const PoolLimits& limits, std::function<void(const std::string&)> log) {
  std::unique_ptr<CompilePool> pool(new CompilePool(limits, std::move(log)));
  Result<CompileChild> first = CompileChild::start(limits.compile);
  if (!first.ok()) return first.errors();
  pool->locks_ = first->locks();
  pool->version_ = first->version();
  pool->library_ = first->library();
  const int children = limits.children > 0
                           ? limits.children
                           : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  pool->figures_.children = children;
  pool->threads_.emplace_back(
      [self = pool.get(), child = std::make_unique<CompileChild>(std::move(*first))]() mutable {
        self->work(std::move(child));
      });
  for (int n = 1; n < children; ++n)
    pool->threads_.emplace_back([self = pool.get()] { self->work(nullptr); });
  return pool;
}

CompilePool::~CompilePool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  stop_.request();
  there_is_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

CompilePool::Admitted CompilePool::compile(const std::string& student, std::string request,
                                           Done done) {
  SharedBytes known;
  {
    const std::lock_guard lock(mutex_);
    known = cache_.find(request);
    if (known) {
      ++figures_.from_cache;
    } else {
      int& of_student = of_student_[student];
      if (of_student >= limits_.per_student) return Admitted::kTooManyOfStudent;
      const auto running = jobs_.find(request);
      if (running != jobs_.end()) {
        running->second->waiting.push_back({student, std::move(done)});
        ++figures_.from_cache;
      } else {
        if (queue_.size() >= limits_.queue) {
          if (of_student == 0) of_student_.erase(student);
          return Admitted::kQueueFull;
        }
        auto job = std::make_shared<Job>();
        job->request = std::move(request);
        job->waiting.push_back({student, std::move(done)});
        jobs_[job->request] = job;
        queue_.push(student, std::move(job), Clock::now());
      }
      ++of_student;
    }
  }
  if (known) {
    done(std::move(known));  // NOLINT(bugprone-use-after-move): a known answer has not moved it
  } else {
    there_is_work_.notify_one();
  }
  return Admitted::kYes;
}

PoolFigures CompilePool::figures() const {
  const std::lock_guard lock(mutex_);
  PoolFigures figures = figures_;
  figures.waiting = queue_.size();
  return figures;
}

void CompilePool::work(std::unique_ptr<CompileChild> child) {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      there_is_work_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (ending_) return;
      job = queue_.pop();
    }
    const Clock::time_point begin = Clock::now();
    bool keep = false;
    const auto answer = std::make_shared<const std::string>(answer_of(child, job->request, keep));
    std::vector<Waiting> waiting;
    {
      const std::lock_guard lock(mutex_);
      if (keep) {
        cache_.insert(job->request, answer);
      } else {
        ++figures_.failed;
      }
      jobs_.erase(job->request);
      waiting = std::move(job->waiting);
      queue_.note(waiting.front().student, Clock::now() - begin);
      for (const Waiting& one : waiting) {
        const auto of = of_student_.find(one.student);
        if (--of->second == 0) of_student_.erase(of);
      }
      figures_.answered += waiting.size();
    }
    for (Waiting& one : waiting) one.done(answer);
  }
}

std::string CompilePool::answer_of(std::unique_ptr<CompileChild>& child, const std::string& request,
                                   bool& keep) {
  using compile::NoAnswer;
  if (child == nullptr) {
    Result<CompileChild> started = CompileChild::start(limits_.compile);
    if (!started.ok()) {
      log_("a compiler's process did not start: " + started.errors().front().message.english());
      // The next start is not tried at once.
      std::unique_lock lock(mutex_);
      there_is_work_.wait_for(lock, kBeforeNextStart, [this] { return ending_; });
      return compile::answer_of(started.errors());
    }
    child = std::make_unique<CompileChild>(std::move(*started));
  }
  std::variant<std::string, NoAnswer> outcome = child->answer(request, &stop_);
  if (!child->is_well()) child.reset();
  if (auto* answer = std::get_if<std::string>(&outcome)) {
    keep = true;
    return std::move(*answer);
  }
  const NoAnswer& none = std::get<NoAnswer>(outcome);
  const Result<compile::CompileInput> input = compile::input_of(request);
  const Diagnostic why = compile::explain(none, input.ok() ? *input : compile::CompileInput(),
                                          limits_.compile.memory_bytes);
  log_("a compilation had no answer: " + (none.how.empty() ? why.message : none.how).english());
  return compile::answer_of(Diagnostics{why});
}

}  // namespace warpshop::serve

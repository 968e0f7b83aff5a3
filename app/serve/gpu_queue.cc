#include "gpu_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "compile/remote.h"
#include "core/child_process.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostJobBytes = size_t{8} << 20;  // of a job
constexpr size_t kMostWaiting = 4;                 // of a student
constexpr ptrdiff_t kMostGpuSockets = 4;           // likewise: each may be reading a job
constexpr double kMostGpuSeconds = 10;
constexpr int kMostLaunches = 51;
constexpr uint64_t kMostBufferBytes = uint64_t{4} << 30;
constexpr auto kBetweenStarts = std::chrono::seconds(30);

// The reason why a job may not run on a shared GPU; no value if it may.
std::optional<Diagnostic> tame(device::Job& job) {
  job.time_limit_s = std::clamp(job.time_limit_s, 0.1, kMostGpuSeconds);
  job.launches = std::clamp(job.launches, 1, kMostLaunches);
  uint64_t bytes = 0;
  for (const device::JobArg& arg : job.args) {
    if (arg.size_bytes > kMostBufferBytes) bytes = kMostBufferBytes;
    bytes += arg.is_buffer ? arg.size_bytes : 0;
  }
  if (bytes > kMostBufferBytes)
    return make_error("gpu-memory", sentence("the class's GPU gives each job up to {gib} GiB",
                                             {{"gib", kMostBufferBytes >> 30}}));
  std::vector<device::KernelSource*> kernels = {&job.student};
  if (job.reference) kernels.push_back(&*job.reference);
  for (device::KernelSource* kernel : kernels) {
    kernel->include_dirs.clear();
    compile::CompileInput input;
    input.source = kernel->source;
    input.file_name = kernel->file_name;
    input.options = kernel->options;
    const Result<compile::CompileInput> allowed = compile::input_of(compile::request_of(input));
    if (!allowed.ok()) return allowed.errors().front();
  }
  return std::nullopt;
}

Diagnostic no_gpu_now() {
  return make_error("gpu-none", sentence("the class's GPU cannot be used at the moment"),
                    sentence("the lecturer's page says why; the emulator goes on without it"));
}

}  // namespace

GpuQueue::GpuQueue(const std::vector<std::string>& commands,
                   std::function<void(std::function<void()>)> post,
                   std::function<void(const Json&)> changed,
                   std::function<void(const std::string&)> log)
    : post_(std::move(post)), changed_(std::move(changed)), log_(std::move(log)) {
  workers_.resize(commands.size());
  tell();
  for (size_t n = 0; n < commands.size(); ++n) {
    device::WorkerOptions options;
    if (const Result<std::vector<std::string>> words = split_command(commands[n]); words.ok())
      options.command = *words;
    threads_.emplace_back([this, n, options] { work(n, options); });
  }
}

GpuQueue::~GpuQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    stop_.request();
    for (const JobPtr& job : running_) job->stop.request();
  }
  there_is_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

SocketHandlers GpuQueue::socket(StudentId student) {
  auto client = std::make_shared<Client>();
  client->student = student;
  SocketHandlers out;
  out.most_bytes = kMostJobBytes;
  out.opened = [this, client](std::shared_ptr<Socket> socket) {
    {
      const std::lock_guard lock(mutex_);
      const auto of_student = std::count_if(
          clients_.begin(), clients_.end(),
          [&](const std::shared_ptr<Client>& other) { return other->student == client->student; });
      if (of_student >= kMostGpuSockets) return socket->close(1008, "too many sockets");
      client->socket = std::move(socket);
      clients_.push_back(client);
    }
    greet(*client);
  };
  out.message = [this, client](std::string_view line) { received(client, line); };
  out.closed = [this, client] { closed(client); };
  return out;
}

void GpuQueue::drop(StudentId student) {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Client>& client : clients_) {
    if (client->student == student) client->socket->close(1008, "removed");
  }
}

void GpuQueue::received(const std::shared_ptr<Client>& client, std::string_view line) {
  const auto refuse = [&](uint64_t id, const Diagnostics& errors) {
    client->socket->send(device::error_line(id, errors, false));
  };
  Result<device::Message> message = device::read_message(line);
  if (!message.ok()) return refuse(0, message.errors());
  if (message->kind == device::Message::Kind::kQuit) return client->socket->close(1000, "quit");
  if (message->kind != device::Message::Kind::kJob)
    return refuse(message->id, {make_error("gpu-protocol", sentence("a job is expected"))});
  auto job = std::make_shared<Job>();
  job->client = client;
  job->id = message->id;
  job->job = std::move(message->job);
  if (const std::optional<Diagnostic> refused = tame(job->job)) return refuse(job->id, {*refused});
  {
    const std::lock_guard lock(mutex_);
    if (none_is_left()) return refuse(job->id, {no_gpu_now()});
    const auto of_student = static_cast<size_t>(std::count_if(
        waiting_.begin(), waiting_.end(),
        [&](const JobPtr& other) { return other->client->student == client->student; }));
    if (of_student >= kMostWaiting) {
      return refuse(job->id,
                    {make_error("gpu-busy", sentence("{count} jobs of yours are waiting for the "
                                                     "class's GPU already",
                                                     {{"count", of_student}}))});
    }
    waiting_.push_back(std::move(job));
  }
  there_is_work_.notify_all();  // one alone might be a worker that waits for its next start
  tell();
}

void GpuQueue::closed(const std::shared_ptr<Client>& client) {
  {
    const std::lock_guard lock(mutex_);
    client->socket.reset();
    clients_.remove(client);
    waiting_.remove_if([&](const JobPtr& job) { return job->client == client; });
    for (const JobPtr& job : running_) {
      if (job->client == client) job->stop.request();
    }
  }
  tell();
}

// The student whose last turn was longest ago and who has no job running; of their jobs, the first.
GpuQueue::JobPtr GpuQueue::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (ending_) return nullptr;
    auto best = waiting_.end();
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      const StudentId student = (*at)->client->student;
      if (std::any_of(running_.begin(), running_.end(),
                      [&](const JobPtr& job) { return job->client->student == student; }))
        continue;
      if (best == waiting_.end() || turn_[student] < turn_[(*best)->client->student]) best = at;
    }
    if (best != waiting_.end()) {
      JobPtr job = *best;
      waiting_.erase(best);
      running_.push_back(job);
      turn_[job->client->student] = ++turns_;
      return job;
    }
    there_is_work_.wait(lock);
  }
}

void GpuQueue::finished(const JobPtr& job) {
  {
    const std::lock_guard lock(mutex_);
    running_.remove(job);
  }
  there_is_work_.notify_all();
  tell();
}

void GpuQueue::work(size_t worker, const device::WorkerOptions& options) {
  device::WorkerClient client(options);
  for (;;) {
    start(worker, client);
    bool is_ready = false;
    {
      std::unique_lock lock(mutex_);
      is_ready = workers_[worker].is_ready;
      if (ending_) return;
      if (!is_ready && there_is_work_.wait_for(lock, kBetweenStarts, [this] { return ending_; }))
        return;
    }
    if (!is_ready) {
      client = device::WorkerClient(options);  // one that has no GPU would keep its hello
      continue;
    }
    const JobPtr job = next();
    if (!job) return;
    tell();
    const Result<device::JobResult> result = client.run(
        job->job, &job->stop,
        [&](std::string_view stage) { send(job->client, device::stage_line(job->id, stage)); });
    if (!result.ok() && !job->stop.requested())
      log_("a job on the GPU failed: " + std::string(result.errors().front().kind.name()));
    send(job->client, result.ok() ? device::line_of(job->id, *result)
                                  : device::error_line(job->id, result.errors(), false));
    finished(job);
  }
}

// Starts the worker unless it is running, and notes whether it has a GPU.
void GpuQueue::start(size_t worker, device::WorkerClient& client) {
  const Result<device::Hello> hello = client.hello(&stop_);
  if (!hello.ok() && hello.errors().front().kind == "stopped") return;
  const Result<device::GpuInfo> gpu =
      hello.ok() ? device::usable_gpu(*hello, -1) : Result<device::GpuInfo>(hello.errors());
  Worker now;
  if (gpu.ok()) {
    now.is_ready = true;
    now.hello = device::line_of(*hello);
  } else {
    now.problem = gpu.errors().front();
    device::Hello none;
    none.protocol = device::kProtocolVersion;
    none.version = WARPSHOP_VERSION;
    none.problems = {no_gpu_now()};  // why is the lecturer's matter: it may name hosts
    now.hello = device::line_of(none);
  }
  set(worker, std::move(now));
}

void GpuQueue::set(size_t worker, Worker now) {
  std::list<JobPtr> refused;
  std::string said;
  {
    const std::lock_guard lock(mutex_);
    Worker& before = workers_[worker];
    const bool same_problem =
        before.problem.has_value() == now.problem.has_value() &&
        (!now.problem || before.problem->message.english() == now.problem->message.english());
    if (now.is_ready == before.is_ready && same_problem) return;
    if (now.is_ready) {
      said = "a GPU worker is ready";
    } else if (now.problem) {
      said = "a GPU worker cannot be used: " + now.problem->message.english();
    }
    before = std::move(now);
    if (none_is_left()) refused.swap(waiting_);
  }
  log_(said);
  for (const JobPtr& job : refused)
    send(job->client, device::error_line(job->id, {no_gpu_now()}, false));
  post_([this] {
    std::vector<std::shared_ptr<Client>> clients;
    {
      const std::lock_guard lock(mutex_);
      clients.assign(clients_.begin(), clients_.end());
    }
    for (const std::shared_ptr<Client>& client : clients) greet(*client);
  });
  tell();
}

bool GpuQueue::none_is_left() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.problem.has_value(); });
}

size_t GpuQueue::ready_workers() const {
  return static_cast<size_t>(std::count_if(workers_.begin(), workers_.end(),
                                           [](const Worker& worker) { return worker.is_ready; }));
}

// Whoever is told that there is no GPU may come again.
void GpuQueue::greet(Client& client) {
  if (!client.socket || client.greeted) return;
  std::string hello;
  bool is_ready = false;
  {
    const std::lock_guard lock(mutex_);
    is_ready = ready_workers() > 0;
    const auto first =
        std::find_if(workers_.begin(), workers_.end(), [is_ready](const Worker& worker) {
          return is_ready ? worker.is_ready : worker.problem.has_value();
        });
    if (!is_ready && !none_is_left()) return;
    hello = first->hello;
  }
  client.greeted = true;
  client.socket->send(hello);
  if (!is_ready) client.socket->close(1013, "no GPU now");
}

// On any thread.
void GpuQueue::send(const std::shared_ptr<Client>& client, std::string line) {
  post_([client, line = std::move(line)]() mutable {
    if (client->socket) client->socket->send(std::move(line));
  });
}

void GpuQueue::tell() {
  Json queue = Json::array();
  const std::lock_guard lock(mutex_);
  for (const JobPtr& job : running_)
    queue.push_back({{"student", job->client->student}, {"state", "running"}});
  // Places are counted in turns: a student's second job comes after everybody's first.
  std::map<StudentId, int> nth;
  std::vector<std::pair<int, JobPtr>> order;
  for (const JobPtr& job : waiting_) order.emplace_back(nth[job->client->student]++, job);
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return std::pair(a.first, turn_[a.second->client->student]) <
           std::pair(b.first, turn_[b.second->client->student]);
  });
  int place = 0;
  for (const auto& [round, job] : order) {
    ++place;
    queue.push_back({{"student", job->client->student}, {"state", "waiting"}});
    send(job->client, Json{{"type", "queue"}, {"id", job->id}, {"place", place}}.dump() + "\n");
  }
  Json message = {{"type", "gpu"},
                  {"queue", std::move(queue)},
                  {"workers", ready_workers()},
                  {"of", workers_.size()}};
  for (const Worker& worker : workers_) {
    if (worker.problem && !message.contains("problem"))
      message["problem"] = worker.problem->message.english();
  }
  post_([this, message = std::move(message)] { changed_(message); });
}

}  // namespace warpshop::serve

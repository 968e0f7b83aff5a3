// The class's GPU: jobs of the worker protocol (docs/worker-protocol.md) over WebSockets, one line
// per message, queued for the server's own workers. Students take turns, however many jobs each has
// sent.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/stop.h"
#include "device/protocol.h"
#include "device/worker_client.h"
#include "http.h"
#include "members.h"

namespace warpshop::serve {

class GpuQueue {
 public:
  // `commands`: start the workers; empty for this program's own. `post` takes work to the thread
  // that the sockets belong to; `changed` and all handlers run there.
  GpuQueue(const std::vector<std::string>& commands,
           std::function<void(std::function<void()>)> post,
           std::function<void(const nlohmann::json&)> changed,
           std::function<void(const std::string&)> log);
  ~GpuQueue();

  SocketHandlers socket(StudentId student);
  // Closes the student's sockets, which ends their jobs.
  void drop(StudentId student);

 private:
  // As it was when it last started: neither ready nor with a problem, it is still starting.
  struct Worker {
    bool is_ready = false;
    std::optional<Diagnostic> problem;
    std::string hello;  // for browsers: the worker's, or one that gives the problem
  };
  struct Client {
    StudentId student = 0;
    std::shared_ptr<Socket> socket;  // null: closed
    bool greeted = false;            // has got a hello
  };
  struct Job {
    std::shared_ptr<Client> client;
    uint64_t id = 0;
    device::Job job;
    StopFlag stop;
  };
  using JobPtr = std::shared_ptr<Job>;

  void received(const std::shared_ptr<Client>& client, std::string_view line);
  void closed(const std::shared_ptr<Client>& client);
  void work(size_t worker, const device::WorkerOptions& options);
  void start(size_t worker, device::WorkerClient& client);
  void set(size_t worker, Worker now);
  bool none_is_left() const;     // all have failed; with mutex_
  size_t ready_workers() const;  // with mutex_
  void greet(Client& client);    // on the sockets' thread
  JobPtr next();                 // blocks; null when the queue ends
  void finished(const JobPtr& job);
  void send(const std::shared_ptr<Client>& client, std::string line);
  void tell();  // sends everybody their place in the queue

  const std::function<void(std::function<void()>)> post_;
  const std::function<void(const nlohmann::json&)> changed_;
  const std::function<void(const std::string&)> log_;
  std::mutex mutex_;
  std::condition_variable there_is_work_;
  bool ending_ = false;
  std::list<JobPtr> waiting_;  // in the order of their turns
  std::list<JobPtr> running_;
  std::map<StudentId, uint64_t> turn_;  // the last turn that a student has had
  uint64_t turns_ = 0;
  std::vector<Worker> workers_;
  StopFlag stop_;  // for workers that start
  std::list<std::shared_ptr<Client>> clients_;
  std::vector<std::thread> threads_;
};

}  // namespace warpshop::serve

// The thread that plays a warp again, so that the window never waits: it opens films and works out
// the state at the step asked for last.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/stop.h"
#include "lab/film.h"

namespace warpshop::ui {

class FilmWorker {
 public:
  // `wake` is called from the worker's thread whenever there is something to take.
  explicit FilmWorker(std::function<void()> wake);
  ~FilmWorker();
  FilmWorker(const FilmWorker&) = delete;
  FilmWorker& operator=(const FilmWorker&) = delete;

  // Forgets the film before and opens this one.
  void open(std::shared_ptr<const lab::FilmSource> source, uint64_t block, uint32_t warp);
  // Looks who wrote that element of an output last, and opens the film of that warp.
  void open_writer(std::shared_ptr<const lab::FilmSource> source, const std::string& argument,
                   uint64_t element);
  void close();
  void seek(size_t step);

  struct News {
    std::shared_ptr<const lab::FilmScript> script;  // null: it could not be opened
    std::shared_ptr<const emulator::ReplayState>
        state;  // of the step sought last that has been worked out
    std::shared_ptr<const lab::VariableState>
        variables;  // of such a step, too: they come a moment after its state
    std::optional<lab::ElementWriter>
        writer;  // of the element asked for; none and no script: nobody wrote it
  };
  // What has changed since the last call, of the film opened last.
  std::optional<News> take();
  bool busy() const;

 private:
  struct Element {
    std::string argument;
    uint64_t index = 0;
  };
  void ask(std::shared_ptr<const lab::FilmSource> source, uint64_t block, uint32_t warp,
           std::optional<Element> element);
  void work();

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::shared_ptr<const lab::FilmSource> source_;
  uint64_t block_ = 0;
  uint32_t warp_ = 0;
  std::optional<Element> element_;  // whose writer is to be found first
  bool open_due_ = false;
  std::optional<size_t> step_due_;
  std::shared_ptr<const emulator::ReplayState> variables_due_;  // of this state
  uint64_t film_number_ = 0;                                    // of the film asked for last
  std::shared_ptr<StopFlag> stop_;  // of the film, or its variables, being opened
  bool working_ = false;
  bool fresh_ = false;
  News news_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace warpshop::ui

// The thread that replays a warp, so that the window never waits: it opens films and computes the
// state at the step requested last.
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
  // `wake` is called on the worker's thread whenever there is something to take.
  explicit FilmWorker(std::function<void()> wake);
  ~FilmWorker();
  FilmWorker(const FilmWorker&) = delete;
  FilmWorker& operator=(const FilmWorker&) = delete;

  // Drops the previous film and opens this one.
  void open(std::shared_ptr<const lab::FilmSource> source, uint64_t block, uint32_t warp);
  // Finds the last thread that wrote that element of an output, and opens the film of its warp.
  void open_writer(std::shared_ptr<const lab::FilmSource> source, const std::string& argument,
                   uint64_t element);
  void close();
  void seek(size_t step);

  struct News {
    std::shared_ptr<const lab::FilmScript> script;  // null: could not be opened
    // At the last requested step that has been computed.
    std::shared_ptr<const emulator::ReplayState> state;
    // Likewise; they arrive a moment after the state.
    std::shared_ptr<const lab::VariableState> variables;
    // Of the requested element; none and no script: no thread wrote it.
    std::optional<lab::ElementWriter> writer;
  };
  // Changes since the last call, of the film opened last.
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
  std::optional<Element> element_;  // whose writer must be found first
  bool open_due_ = false;
  std::optional<size_t> step_due_;
  std::shared_ptr<const emulator::ReplayState> variables_due_;  // for this state
  uint64_t film_number_ = 0;                                    // of the film requested last
  std::shared_ptr<StopFlag> stop_;  // for the film, or its variables, being opened
  bool working_ = false;
  bool fresh_ = false;
  News news_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace warpshop::ui

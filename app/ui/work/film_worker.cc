#include "work/film_worker.h"

#include <utility>

namespace warpshop::ui {

FilmWorker::FilmWorker(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { work(); }) {}

FilmWorker::~FilmWorker() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
    if (stop_) stop_->request();
  }
  ready_.notify_all();
  thread_.join();
}

void FilmWorker::open(std::shared_ptr<const lab::FilmSource> source, uint64_t block,
                      uint32_t warp) {
  ask(std::move(source), block, warp, std::nullopt);
}

void FilmWorker::open_writer(std::shared_ptr<const lab::FilmSource> source,
                             const std::string& argument, uint64_t element) {
  ask(std::move(source), 0, 0, Element{argument, element});
}

void FilmWorker::ask(std::shared_ptr<const lab::FilmSource> source, uint64_t block, uint32_t warp,
                     std::optional<Element> element) {
  {
    std::lock_guard lock(mutex_);
    source_ = std::move(source);
    block_ = block;
    warp_ = warp;
    element_ = std::move(element);
    open_due_ = true;
    step_due_.reset();
    variables_due_.reset();
    ++film_number_;
    if (stop_) stop_->request();
    news_ = {};
    fresh_ = false;
  }
  ready_.notify_all();
}

void FilmWorker::close() { open(nullptr, 0, 0); }

void FilmWorker::seek(size_t step) {
  {
    std::lock_guard lock(mutex_);
    step_due_ = step;
  }
  ready_.notify_all();
}

std::optional<FilmWorker::News> FilmWorker::take() {
  std::lock_guard lock(mutex_);
  if (!std::exchange(fresh_, false)) return std::nullopt;
  return news_;
}

bool FilmWorker::busy() const {
  std::lock_guard lock(mutex_);
  return working_ || open_due_ || step_due_.has_value() || variables_due_;
}

void FilmWorker::work() {
  std::optional<lab::Film> film;
  std::unique_lock lock(mutex_);
  for (;;) {
    ready_.wait(lock,
                [&] { return quit_ || open_due_ || ((step_due_ || variables_due_) && film); });
    if (quit_) return;
    const uint64_t number = film_number_;
    working_ = true;
    if (open_due_) {
      open_due_ = false;
      const std::shared_ptr<const lab::FilmSource> source = source_;
      uint64_t block = block_;
      uint32_t warp = warp_;
      const std::optional<Element> element = element_;
      std::optional<lab::ElementWriter> writer;
      stop_ = std::make_shared<StopFlag>();
      const std::shared_ptr<StopFlag> stop = stop_;
      lock.unlock();
      film.reset();  // free it before opening the next one: both may be large
      if (source && element) {
        if (auto found = source->writer_of(element->argument, element->index, stop.get());
            found.ok())
          writer = *found;
        if (writer) {
          block = writer->block;
          warp = writer->warp;
        }
      }
      if (source && (writer || !element)) {
        if (Result<lab::Film> opened = source->open(block, warp, stop.get()); opened.ok()) {
          film = std::move(opened).value();
        }
      }
      lock.lock();
      stop_.reset();
      if (number == film_number_) {
        news_ = {film ? film->script() : nullptr, nullptr, nullptr, writer};
        fresh_ = source != nullptr;
        if (!film) step_due_.reset();
      }
    } else if (!step_due_) {
      const auto state = std::exchange(variables_due_, nullptr);
      stop_ = std::make_shared<StopFlag>();
      const std::shared_ptr<StopFlag> stop = stop_;
      lock.unlock();
      auto variables =
          std::make_shared<const lab::VariableState>(film->variables_at(*state, stop.get()));
      lock.lock();
      stop_.reset();
      if (number == film_number_) {
        news_.variables = std::move(variables);
        fresh_ = true;
      }
    } else {
      const size_t step = *std::exchange(step_due_, std::nullopt);
      lock.unlock();
      std::shared_ptr<const emulator::ReplayState> state;
      if (step < film->script()->steps.size()) {
        state = std::make_shared<const emulator::ReplayState>(film->at(step));
      }
      lock.lock();
      if (number == film_number_ && state) {
        variables_due_ = state;
        news_.state = std::move(state);
        fresh_ = true;
      }
    }
    working_ = false;
    const bool tell = fresh_;
    lock.unlock();
    if (tell) wake_();
    lock.lock();
  }
}

}  // namespace warpshop::ui

// What `warpshop watch` shows: one thing that is wrong at a time. Each function returns whole
// lines.
#pragma once

#include <string>
#include <vector>

#include "lab/run_result.h"
#include "terminal.h"
#include "watched_lab.h"

namespace warpshop::cli {

struct WatchScreen {
  const lab::Lab& lab;
  const std::vector<WatchedExercise>& exercises;
  const WatchedProgress& progress;
  size_t width = 80;
  Paint paint;

  // The lab, the exercise, its number, file and task.
  std::string heading(size_t exercise) const;
  // "Passed", or the first thing to do something about: an error, a finding, or a check that fails;
  // with its place, and how many others there are.
  std::string verdict(const lab::RunResult& result) const;
  // The hints shown so far.
  std::string hints(const lab::Step& step) const;
  // How much of the lab is passed.
  std::string bar() const;
  // Every exercise, with the chosen one marked.
  std::string list(size_t chosen) const;
  std::string all_passed() const;
};

}  // namespace warpshop::cli

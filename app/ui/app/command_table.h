// Maps each command to its handler. Each controller registers its own commands in its constructor.
#pragma once

#include <any>
#include <cassert>
#include <functional>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "app/commands.h"

namespace warpshop::ui {

class CommandTable {
 public:
  // `handle` takes the command that it is for: [this](const command::Save&) { … }.
  template <typename F>
  void on(F handle) {
    add(std::move(handle), false, &F::operator());
  }
  // For a command on the student's work, which a lecture refuses.
  template <typename F>
  void on_work(F handle) {
    add(std::move(handle), true, &F::operator());
  }

  void apply(const Command& command) const { handler(command).apply(command); }
  bool is_work(const Command& command) const { return handler(command).work; }

 private:
  struct Handler {
    std::function<void(const Command&)> apply;
    bool work = false;
  };

  template <typename F, typename C>
  void add(F handle, bool work, void (F::*)(const C&) const) {
    [[maybe_unused]] const bool first =
        handlers_
            .emplace(typeid(C), Handler{[handle = std::move(handle)](const Command& command) {
                                          handle(*command.get_if<C>());
                                        },
                                        work})
            .second;
    assert(first);
  }
  // Every command has one: tests/ui/commands_test.cc.
  const Handler& handler(const Command& command) const {
    return handlers_.at(std::type_index(command.type()));
  }

  std::unordered_map<std::type_index, Handler> handlers_;
};

}  // namespace warpshop::ui

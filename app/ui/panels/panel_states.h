// The state that panels keep between frames: one of each type, made when first asked for.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace warpshop::ui {

class PanelStates {
 public:
  template <typename State>
  State& of() {
    std::shared_ptr<void>& state = all_[typeid(State)];
    if (!state) state = std::make_shared<State>();
    return *static_cast<State*>(state.get());
  }
  void clear() { all_.clear(); }

 private:
  std::map<std::type_index, std::shared_ptr<void>> all_;
};

}  // namespace warpshop::ui

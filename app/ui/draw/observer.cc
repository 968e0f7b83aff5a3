#include "draw/observer.h"

#include <utility>

namespace warpshop::ui {
namespace {

DrawObserver* current_observer = nullptr;

}  // namespace

DrawObserver* observe_drawing(DrawObserver* observer) {
  return std::exchange(current_observer, observer);
}

DrawObserver* draw_observer() { return current_observer; }

}  // namespace warpshop::ui

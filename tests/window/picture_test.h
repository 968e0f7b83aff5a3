// Tests that compare what the window shows with what is kept of it in tests/window/pictures.
#pragma once

#include <string>
#include <vector>

#include "picture_check.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {

class PictureTest : public WindowTest {
 protected:
  // One of the looks that a test compares; hides the notices. `texts`: those in sight, of which the
  // times that this computer took are left out. `panel`: of this one alone, with its tabs.
  void take(ImGuiTestContext* ctx, const std::string& look, const std::vector<DrawnText>& texts,
            const std::string& panel = "");

  // Compares all that were taken since the last call with the file of this name; a region that
  // differs fails the test, and what is there and what was kept are left in window-pictures/.
  // WARPSHOP_KEEP_PICTURES in the environment keeps what is there now instead, where it differs,
  // and leaves the whole pictures of that there to be looked at.
  void compare_taken(const std::string& name);

 private:
  struct Taken {
    std::string look;
    Picture picture, regions;
  };
  std::vector<Taken> taken_;
};

}  // namespace warpshop::ui

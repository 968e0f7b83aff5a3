// For tests that compare the window with its pictures in tests/window/pictures.
#pragma once

#include <string>
#include <vector>

#include "picture_check.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {

class PictureTest : public WindowTest {
 protected:
  // Takes a picture of one of the looks that a test compares, and hides the notices. `texts`: those
  // visible, of which the times taken by this computer are left out. `panel`: takes this panel
  // alone, with its tabs.
  void take(ImGuiTestContext* ctx, const std::string& look, const std::vector<DrawnText>& texts,
            const std::string& panel = "");

  // Compares everything taken since the last call with the file of this name. A region that differs
  // fails the test, and the present and the reference picture are left in window-pictures/. If
  // WARPSHOP_KEEP_PICTURES is set in the environment, updates references that differ instead, and
  // leaves the whole new pictures there to be looked at.
  void compare_taken(const std::string& name);

 private:
  struct Taken {
    std::string look;
    Picture picture, regions;
  };
  std::vector<Taken> taken_;
};

}  // namespace warpshop::ui

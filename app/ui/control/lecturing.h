// Gives a lecture: the script's scenes run in their own session, so that the student's work is not
// touched.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "control/results.h"
#include "control/runs.h"
#include "control/steps.h"
#include "control/versions.h"
#include "draw/laser_pointer.h"
#include "draw/pen.h"
#include "state/lecture_place.h"

namespace warpshop::ui {

class Lecturing {
 public:
  Lecturing(Shell& shell, Docks& docks, OpenWork& work, Results& results, Runs& runs, Steps& steps,
            Versions& versions);

  ~Lecturing();
  Lecturing(const Lecturing&) = delete;
  Lecturing& operator=(const Lecturing&) = delete;

  void open_scene(size_t scene, bool revealed);
  // Goes on at the same scene of the script as it now is; if it has a mistake, says so.
  void take_script(std::shared_ptr<const lab::LabLibrary> labs);
  // Shows a panel instead of the map; called again with the same panel, restores the scene's own.
  void bring_panel(const std::string& panel);
  void type_scene_number();
  void draw();
  void use_magnifier();
  double mouse_rests_at_s() const;  // when it has not moved for long; 0: already
  // The lecture covers a text of the student's that could not be saved.
  bool covers_unsaved() const {
    return lecture_.on() && student_session_ && !student_session_->kept();
  }
  const Pen& pen() const { return pen_; }

 private:
  void give(const std::string& wanted_lab);
  void begin(const lab::Lab& lab);
  void end();
  void leave();        // closes one thing
  bool light_again();  // true if the screen was dark
  void toggle_blank();
  void tell_place();  // to the window with the speaker's notes
  void move_scene(int by);
  void put_back_panel();

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Results& results_;
  Runs& runs_;
  Steps& steps_;
  Versions& versions_;
  Lecture& lecture_;
  EditorPanelState& editor_;
  std::shared_ptr<const lab::LabLibrary> script_labs_;  // of a script read again; else null
  LaserPointer laser_;
  Pen pen_;
  LecturePlace told_;                             // lab "": nothing yet
  int64_t started_ = 0;                           // seconds since 1970
  std::unique_ptr<Session> student_session_;      // while a lecture is given
  std::map<std::string, Lecture> left_lectures_;  // by lab: their state when they ended
  std::string left_last_;                         // the lab whose lecture ended last
};

}  // namespace warpshop::ui

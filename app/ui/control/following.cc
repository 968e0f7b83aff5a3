#include "control/following.h"

#include <memory>
#include <utility>

#include "text/text.h"

namespace warpshop::ui {

Following::Following(Shell& shell, Docks& docks, OpenWork& work, Leaving& leaving, Runs& runs,
                     Steps& steps, Versions& versions)
    : shell_(shell),
      docks_(docks),
      work_(work),
      leaving_(leaving),
      runs_(runs),
      steps_(steps),
      versions_(versions) {
  shell.commands.on_work([this](const command::FollowText& c) { follow(c); });
  shell.commands.on([this](const command::EndFollowing&) { end(); });
}

void Following::follow(const command::FollowText& shown) {
  if (!work_.session->lab()) return;
  if (!shell_.following) {
    work_.leave_step();
    if (!work_.session->kept()) return;  // the notice says why
    own_lab_ = work_.session->lab()->id;
    own_step_ = work_.session->step()->id;
    from_home_ = docks_.home_open();
    work_.history.close();
    work_.session = std::make_unique<Session>(*work_.labs, true);
    shell_.following = true;
    shell_.dialog.open = Dialog::kNone;
  }
  const bool other = work_.session->place() != shown.lab + "/" + shown.step;
  if (other) {
    docks_.leave_home();
    runs_.forget();
    runs_.use_first_block();
    shell_.say(work_.session->open(shown.lab, shown.step));
    if (!work_.session->step()) return end();
    shell_.editor().shown.clear();  // the student's undo must not lead into the lecturer's text
    work_.name_window();
    work_.use_step_gpu();
  }
  if (!work_.session->step()->exercise || work_.session->text() == shown.source) return;
  work_.session->edit(shown.source);
  versions_.text_replaced();
}

void Following::end() {
  if (!std::exchange(shell_.following, false)) return;
  work_.session =
      std::make_unique<Session>(*work_.labs, shell_.options.read_only, leaving_.window_number());
  shell_.editor().shown.clear();
  runs_.forget();
  steps_.open(own_lab_, own_step_);
  if (from_home_) shell_.apply(command::OpenHome{});
}

}  // namespace warpshop::ui

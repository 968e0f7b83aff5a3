// All controllers, each with those that it needs; a later one may use an earlier one.
#pragma once

#include "control/appearance.h"
#include "control/docks.h"
#include "control/exports.h"
#include "control/film.h"
#include "control/following.h"
#include "control/help.h"
#include "control/labs.h"
#include "control/leaving.h"
#include "control/lecturing.h"
#include "control/measuring.h"
#include "control/navigation.h"
#include "control/open_work.h"
#include "control/profiles.h"
#include "control/results.h"
#include "control/runs.h"
#include "control/speaking.h"
#include "control/steps.h"
#include "control/touring.h"
#include "control/versions.h"

namespace warpshop::ui {

struct Controllers {
  explicit Controllers(Shell& shell)
      : appearance(shell),
        help(shell),
        work(shell),
        docks(shell, work),
        leaving(shell, docks, work),
        exports(shell, work),
        results(shell, docks, work),
        film(shell, docks, results),
        measuring(shell, docks, work, results),
        profiles(shell, docks, work, results),
        runs(shell, docks, work, results, film, measuring),
        steps(shell, appearance, docks, work, leaving, runs),
        labs(shell, docks, work, results, leaving, runs, steps),
        versions(shell, appearance, work, results, runs),
        following(shell, docks, work, leaving, runs, steps, versions),
        lecturing(shell, docks, work, results, runs, steps, versions),
        speaking(shell, work),
        touring(shell, docks, work),
        navigation(shell, docks, results, film, lecturing) {}

  Appearance appearance;
  Help help;
  OpenWork work;
  Docks docks;
  Leaving leaving;
  Exports exports;
  Results results;
  Film film;
  Measuring measuring;
  Profiles profiles;
  Runs runs;
  Steps steps;
  Labs labs;
  Versions versions;
  Following following;
  Lecturing lecturing;
  Speaking speaking;
  Touring touring;
  Navigation navigation;
};

}  // namespace warpshop::ui

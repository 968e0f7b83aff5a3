// Exports: the lab's report and handout, kernels to hand in, pictures, numbers as
// CSV.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/shell.h"
#include "control/open_work.h"
#include "window/png_file.h"
#include "work/report_worker.h"

namespace warpshop::ui {

class Exports {
 public:
  Exports(Shell& shell, OpenWork& work);

  void take_report();
  void note_frame();  // takes the picture of a panel once its menu has closed
  bool writing_report() const { return report_worker_.busy(); }

 private:
  void save_picture(const Picture& picture, const std::string& name);
  void save_panel_picture();
  void open_path(const std::string& chosen);
  // Writes the page into the folder of reports; false while another is being written.
  bool write(const lab::Lab& lab, ReportJob::Of of, const std::string& name);

  Shell& shell_;
  OpenWork& work_;
  ReportWorker report_worker_;
  std::optional<command::SavePanelPicture> panel_picture_;
  int panel_picture_frames_ = 0;  // frames until it is taken
  int export_frames_ = 0;         // frames in which a panel may answer ExportPanel
};

}  // namespace warpshop::ui

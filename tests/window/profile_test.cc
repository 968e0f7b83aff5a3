// A student imports a profile of Nsight Compute: it is shown beside the counters and the time,
// stays with the exercise, and goes when it is removed.
#include "core/files.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

// A profile of the run's kernel at the checked size with `sectors` sectors of global loads, and at
// the size for times.
std::string profile_of(const lab::RunResult& result, uint64_t sectors) {
  std::string out =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid "
      "Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\","
      "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"smsp__inst_executed.sum\"\n"
      "\"\",\"\",\"\",\"\",\"\",\"\",\"us\",\"sector\",\"inst\"\n";
  const auto add = [&out](const lab::KernelRun& run, const std::string& time, uint64_t count) {
    out += "\"0\",\"" + run.kernel + "\",\"" + text_of(run.block) + "\",\"" + text_of(run.grid) +
           "\",\"0\",\"9.0\",\"" + time + "\",\"" + std::to_string(count) + "\",\"4711\"\n";
  };
  add(result.sizes.front().student, "4.25", sectors);
  if (result.timed) add(result.timed->student, "51.5", 0);
  return out;
}

TEST_F(WindowTest, AProfileIsImportedShownKeptAndRemoved) {
  open("coalescing", "stride");
  const fs::path file = home() / "brighten.csv";
  walk([&](ImGuiTestContext* ctx) {
    answer_everything();
    app().send(command::EditText{app().session().step()->exercise->solution});
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] {
      const PreparedResult* latest = app().view().latest;
      return latest->result.timed && latest->result.timed->student.prediction && !app().busy();
    }));
    const lab::RunResult& result = app().view().latest->result;
    IM_CHECK(write_file_atomically(
                 file, profile_of(result, result.student()->counters.global_load_sectors + 7))
                 .ok());

    // A file that cannot be used leaves the dialog open, with its line.
    app().send(command::ImportProfile{});
    ctx->Yield(3);
    IM_CHECK(write_file_atomically(home() / "cut.csv", "\"ID\",\"Kernel Name\"\n\"0\",\"bri").ok());
    ctx->ItemClick("**/##path");
    ctx->KeyCharsReplaceEnter((home() / "cut.csv").c_str());
    ctx->Yield(3);
    IM_CHECK(app().view().profile == nullptr);
    keep_picture(ctx, "profile-refused");
    ctx->ItemClick("**/##path");
    ctx->KeyCharsReplaceEnter(file.c_str());
    ctx->Yield(3);
    const ImportedProfile* imported = app().view().profile;
    IM_CHECK(imported != nullptr);
    IM_CHECK_STR_EQ(imported->profile.file.c_str(), "brighten.csv");
    IM_CHECK_EQ(imported->sizes.size(), size_t{2});
    const lab::ProfileComparison* compared =
        imported->of(app().view().prepared->result.sizes.front());
    IM_CHECK(compared != nullptr);
    IM_CHECK(compared->find("global_load_sectors")->differs());
    IM_CHECK(imported->of(*app().view().prepared->result.timed) != nullptr);
    ctx->Yield(5);
    keep_picture(ctx, "profile-counters");
    app().send(command::FocusPanel{"times"});
    ctx->Yield(5);
    keep_picture(ctx, "profile-times");
    // The user's file may go.
    fs::remove(file);
    // An edit brings a new result, which is compared as well.
    app().send(command::EditText{app().session().text() + "// later\n"});
    wait_for_result(ctx);
    ctx->Yield(3);
    IM_CHECK(app().view().profile != nullptr);
    IM_CHECK(app().view().profile->of(app().view().prepared->result.sizes.front()) != nullptr);
    // Another step has none.
    app().send(command::OpenStep{"coalescing", "offset"});
    ctx->Yield(3);
    IM_CHECK(app().view().profile == nullptr);
  });
  reopen("coalescing", "stride");
  walk([&](ImGuiTestContext* ctx) {
    wait_for_result(ctx);
    ctx->Yield(3);
    IM_CHECK(app().view().profile != nullptr);
    IM_CHECK_STR_EQ(app().view().profile->profile.file.c_str(), "brighten.csv");
    app().send(command::RemoveProfile{});
    ctx->Yield(3);
    IM_CHECK(app().view().profile == nullptr);
  });
  reopen("coalescing", "stride");
  walk([&](ImGuiTestContext* ctx) {
    wait_for_result(ctx);
    ctx->Yield(3);
    IM_CHECK(app().view().profile == nullptr);
  });
}

}  // namespace
}  // namespace warpshop::ui

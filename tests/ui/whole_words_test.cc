#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "draw/draw.h"
#include "draw/widgets.h"
#include "imgui.h"

namespace warpshop::ui {
namespace {

class WholeWords : public ::testing::Test {
 protected:
  void SetUp() override {
    context_ = ImGui::CreateContext();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    ImGui::GetIO().DisplaySize = {640, 480};
    ImGui::NewFrame();
  }
  void TearDown() override {
    ImGui::EndFrame();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->WantDestroyNextFrame = true;
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext(context_);
  }
  // The lines as ImGui draws the text at that width.
  static std::vector<std::string> lines(const std::string& text, float width) {
    std::vector<std::string> out;
    for (size_t at = 0; at < text.size();) {
      const char* end = ImGui::GetFont()->CalcWordWrapPosition(
          ImGui::GetFontSize(), text.data() + at, text.data() + text.size(), width);
      const auto to = static_cast<size_t>(end - text.data());
      out.push_back(text.substr(at, to - at));
      at = text.find_first_not_of(" \n", to);
    }
    return out;
  }
  ImGuiContext* context_ = nullptr;
};

TEST_F(WholeWords, AWordIsNotBrokenAfterItsDot) {
  const std::string text =
      "Each lane of the warp reads in[threadIdx.x * 32 + threadIdx.y]: give threadIdx.x the factor "
      "1, as in a[i].x,b; at last. Done!";
  bool broken_without = false;
  const float longest = ImGui::CalcTextSize("in[threadIdx.x").x;
  for (float width = longest; width < 600; ++width) {
    for (const std::string& line : lines(text, width))
      broken_without |= line.ends_with("threadIdx.");
    const std::string whole = with_whole_words(text, width);
    ASSERT_EQ(whole.size(), text.size());
    std::string words;
    for (const std::string& line : lines(whole, width)) {
      words += (words.empty() ? "" : " ") + line;
      EXPECT_LE(ImGui::CalcTextSize(line.c_str()).x, width + 1) << line;
    }
    EXPECT_EQ(words, text) << "at a width of " << width;  // each line ends at a blank
  }
  EXPECT_TRUE(broken_without);
}

// Text that is drawn in a panel's own place is wrapped in the same way.
TEST_F(WholeWords, RowsEndAtBlanks) {
  const Face face{ImGui::GetFont(), 1};
  const std::string text = "The index has the form (independent) + threadIdx.x: coalesced.";
  bool broken_without = false;
  for (float width = text_size(face, kLabel, "threadIdx.x: coalesced.").x; width < 400; ++width) {
    std::string words;
    for (const std::string& row : wrapped_rows(face, kLabel, text, width)) {
      words += words.empty() || words.ends_with(' ') ? row : " " + row;
    }
    EXPECT_EQ(words, text) << "at a width of " << width;
    const float rows = wrapped_height(face, kLabel, text, width) / line_height(face, kLabel);
    EXPECT_NEAR(rows, static_cast<float>(wrapped_rows(face, kLabel, text, width).size()), 0.1f);
    broken_without |= std::ranges::any_of(
        lines(text, width), [](const std::string& line) { return line.ends_with("threadIdx."); });
  }
  EXPECT_TRUE(broken_without);
}

TEST_F(WholeWords, AWordWiderThanTheLineIsCut) {
  const std::string text = "threadIdx.x.y.z.threadIdx.x.y.z";
  EXPECT_EQ(with_whole_words(text, 40), text);
  EXPECT_EQ(with_whole_words("", 40), "");
  EXPECT_EQ(with_whole_words("a b", 0), "a b");
}

}  // namespace
}  // namespace warpshop::ui

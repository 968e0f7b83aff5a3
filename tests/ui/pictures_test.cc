#include "draw/pictures.h"

#include <gtest/gtest.h>

#include "../lab/temporary_folder.h"
#include "imgui.h"
#include "window/png_file.h"

namespace warpshop::ui {
namespace {

using Pixels = std::vector<uint8_t>;

TEST(Pictures, SmallerPixelsAreMeansAndLargerOnesLieBetween) {
  const Picture four{
      4, 1, {0, 0, 0, 255, 100, 100, 100, 255, 200, 200, 200, 255, 100, 100, 100, 255}};
  EXPECT_EQ(resized(four, 4, 1).rgba, four.rgba);
  EXPECT_EQ(resized(four, 2, 1).rgba, (Pixels{50, 50, 50, 255, 150, 150, 150, 255}));
  // 4 pixels to 3: the first and the last take in a third of the adjacent middle pixel.
  EXPECT_EQ(resized(four, 3, 1).rgba,
            (Pixels{25, 25, 25, 255, 150, 150, 150, 255, 125, 125, 125, 255}));
  const Picture two{1, 2, {0, 0, 0, 255, 200, 200, 200, 255}};
  EXPECT_EQ(resized(two, 1, 4).rgba,
            (Pixels{0, 0, 0, 255, 50, 50, 50, 255, 150, 150, 150, 255, 200, 200, 200, 255}));
  // Transparent pixels contribute no colour.
  const Picture edge{2, 1, {0, 0, 0, 0, 200, 100, 50, 255}};
  EXPECT_EQ(resized(edge, 1, 1).rgba, (Pixels{200, 100, 50, 128}));
}

// A context whose renderer does at once what it is asked for.
class PicturesOfFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    context_ = ImGui::CreateContext();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    ImGui::GetIO().DisplaySize = {640, 480};
    ASSERT_TRUE(write_png({4, 2, Pixels(32, 200)}, file_).ok());
  }
  void TearDown() override {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->WantDestroyNextFrame = true;
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext(context_);
  }
  // Draws one frame with the picture `width` pixels wide, or without it if 0. Returns the number of
  // textures alive afterwards.
  size_t frame(int width) {
    ImGui::NewFrame();
    if (width > 0) {
      EXPECT_NE(pictures_.find(file_), nullptr);
      ImGui::GetForegroundDrawList()->AddImage(pictures_.texture(file_, width, width / 2), {0, 0},
                                               {10, 10});
    }
    pictures_.end_frame();
    ImGui::Render();
    size_t living = 0;
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_WantDestroy)
        texture->SetStatus(ImTextureStatus_Destroyed);
      if (texture->Status == ImTextureStatus_WantCreate ||
          texture->Status == ImTextureStatus_WantUpdates) {
        texture->SetTexID(1);
        texture->SetStatus(ImTextureStatus_OK);
      }
      living += texture->Status == ImTextureStatus_OK ? 1 : 0;
    }
    return living;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "picture.png";
  Pictures pictures_;
  ImGuiContext* context_ = nullptr;
};

TEST_F(PicturesOfFrames, TexturesAreOneForASizeAndFreedOnceTheyAreNotDrawn) {
  const size_t before = frame(0);
  EXPECT_EQ(frame(4), before + 1);
  EXPECT_EQ(frame(4), before + 1);
  EXPECT_EQ(frame(8), before + 2);  // after zooming
  for (int n = 0; n < 100; ++n) frame(8);
  EXPECT_EQ(frame(8), before + 1);
  EXPECT_EQ(pictures_.textures(), 1u);
  for (int n = 0; n < 100; ++n) frame(0);
  EXPECT_EQ(frame(0), before);
  EXPECT_EQ(pictures_.textures(), 0u);
}

TEST_F(PicturesOfFrames, AFileThatIsMissingIsNoPicture) {
  EXPECT_EQ(pictures_.find("/nowhere/at/all.png"), nullptr);
}

}  // namespace
}  // namespace warpshop::ui

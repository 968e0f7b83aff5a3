#include "window/fallback_font.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/files.h"
#include "core/utf8.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

// File names on Debian, Ubuntu, Fedora and Arch. Excludes fonts with colour bitmaps only, which
// have no outlines.
constexpr std::string_view kKnown[] = {
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJK-VF.otf.ttc",
    "NotoSansCJKsc-Regular.otf",
    "NotoSansCJKjp-Regular.otf",
    "NotoSansSC-Regular.otf",
    "NotoSansSC-Regular.ttf",
    "SourceHanSansSC-Regular.otf",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "NanumGothic.ttf",
    "ipag.ttf",
    "TakaoGothic.ttf",
    "NotoEmoji-Regular.ttf",
    "Symbola.ttf",
    "Symbola_hint.ttf",
    "unifont.ttf",
};
constexpr size_t kMostFonts = 4;  // each takes several megabytes

// Scale in the code fonts: a sign is as wide as its em, a letter half as wide as its em.
constexpr float kInAColumn = 0.55f;

}  // namespace

std::vector<ImWchar> characters_beyond(std::string_view text) {
  std::set<ImWchar> found;
  while (!text.empty()) {
    const size_t length = std::max<size_t>(utf8_length(text), 1);
    const uint32_t c = code_point(text.substr(0, length));
    text.remove_prefix(length);
    // U+FEFF and U+FFFD are not signs of their own; U+FE00 to U+FE0F select a variant of the
    // preceding one.
    if (c >= 0x2E80 && c != 0xFEFF && c != 0xFFFD && (c < 0xFE00 || c > 0xFE0F))
      found.insert(static_cast<ImWchar>(c));
  }
  return {found.begin(), found.end()};
}

std::vector<fs::path> find_fallback_fonts(const std::vector<fs::path>& folders) {
  std::map<size_t, fs::path> found;
  for (const fs::path& folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        error);
    for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      const auto known = std::find(std::begin(kKnown), std::end(kKnown), name);
      if (known != std::end(kKnown))
        found.emplace(static_cast<size_t>(known - std::begin(kKnown)), at->path());
    }
  }
  std::vector<fs::path> out;
  for (const auto& [rank, file] : found) {
    if (out.size() < kMostFonts) out.push_back(file);
  }
  return out;
}

std::vector<fs::path> system_font_folders() {
  std::vector<fs::path> out;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    out = {fs::path(home) / ".local/share/fonts", fs::path(home) / ".fonts"};
  }
  for (const char* folder :
       {"/usr/local/share/fonts", "/usr/share/fonts", "/Library/Fonts", "/System/Library/Fonts"}) {
    out.emplace_back(folder);
  }
  return out;
}

void add_fallback_fonts(const std::vector<fs::path>& files, const Fonts& fonts) {
  static std::deque<std::string> contents;  // the atlas reads them until the program ends
  for (const fs::path& file : files) {
    Result<std::string> read = read_file(file, kMostDataBytes);
    if (!read.ok() || read->empty()) continue;
    contents.push_back(std::move(*read));
    std::string& content = contents.back();
    std::vector<ImFont*> done;
    for (const Face* face : {&fonts.regular, &fonts.medium, &fonts.bold, &fonts.italic,
                             &fonts.bold_italic, &fonts.code, &fonts.editor}) {
      if (!face->font || std::find(done.begin(), done.end(), face->font) != done.end()) continue;
      done.push_back(face->font);
      const bool code = face == &fonts.code || face == &fonts.editor;
      const float size = kBody * face->line_per_em;
      ImFontConfig config;
      config.MergeMode = true;
      config.DstFont = face->font;
      config.FontDataOwnedByAtlas = false;
      if (code) config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = kBody / 2;
      if (face == &fonts.editor) config.GlyphOffset.y = size * (kEditorLine - 1) / 2;
      ImGui::GetIO().Fonts->AddFontFromMemoryTTF(content.data(), static_cast<int>(content.size()),
                                                 code ? size * kInAColumn : size, &config);
    }
  }
}

}  // namespace warpshop::ui

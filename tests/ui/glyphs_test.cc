// Every character that the window shows exists in the typeface that shows it; otherwise it would be
// drawn as "�".
#include <gtest/gtest.h>

#include <map>

#include "core/files.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "lab/lab.h"
#include "lab/translation.h"
#include "text/formula_layout.h"
#include "text/glossary.h"
#include "text/markdown.h"
#include "text/text.h"
#include "window/fonts.h"

namespace warpshop::ui {
namespace {

class Glyphs : public ::testing::Test {
 protected:
  void SetUp() override {
    context_ = ImGui::CreateContext();
    const Status loaded = load_fonts(data_dir() / "fonts", fonts_);
    ASSERT_TRUE(loaded.ok()) << "fonts are missing: run ./start";
  }
  void TearDown() override {
    ImGui::DestroyContext(context_);
    for (const auto& [what, where] : missing_)
      ADD_FAILURE() << what << " is missing, first in " << where;
  }

  void say(const Face& face, std::string_view name, std::string_view text,
           const std::string& where) {
    const char* end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
      unsigned int sign = 0;
      const char* begin = at;
      at += ImTextCharFromUtf8(&sign, at, end);
      ++seen_;
      if (sign <= ' ' || face.font->IsGlyphInFont(static_cast<ImWchar>(sign))) continue;
      missing_.try_emplace(std::string(begin, at) + " of the " + std::string(name) + " face",
                           where);
    }
  }
  void code(std::string_view text, const std::string& where) {
    say(fonts_.code, "code", text, where);
  }
  // Titles and labels, which may be in any of the upright typefaces.
  void words(std::string_view text, const std::string& where) {
    say(fonts_.regular, "regular", text, where);
    say(fonts_.medium, "medium", text, where);
    say(fonts_.bold, "bold", text, where);
  }
  void inlines(const std::vector<Inline>& all, const std::string& where) {
    for (const Inline& part : all) {
      if (part.formula) {
        formula(*part.formula, part.bold, where);
      } else if (part.code) {
        code(part.text, where);
      } else if (part.italic) {
        say(part.bold ? fonts_.bold_italic : fonts_.italic, "italic", part.text, where);
      } else {
        say(part.bold ? fonts_.bold : fonts_.regular, part.bold ? "bold" : "regular", part.text,
            where);
      }
    }
  }
  // Letters are italic; arrows and the brackets of ceiling and floor are drawn, not text.
  void formula(const lab::FormulaNode& node, bool bold, const std::string& where) {
    if (node.kind == lab::FormulaNode::Kind::kLetter) {
      say(bold ? fonts_.bold_italic : fonts_.italic, "italic", node.text, where);
    } else if (!is_drawn_sign(node.text) && node.kind != lab::FormulaNode::Kind::kFence) {
      say(bold ? fonts_.bold : fonts_.regular, bold ? "bold" : "regular", node.text, where);
    }
    for (const lab::FormulaNode& child : node.children) formula(child, bold, where);
  }
  void markdown(std::string_view text, const std::string& where) {
    for (const Block& block : parse_markdown(text)) {
      code(block.code, where);
      inlines(block.text, where);
      for (const auto& row : block.rows) {
        for (const Block::Cell& cell : row) inlines(cell.text, where);
      }
    }
  }

  Fonts fonts_;
  size_t seen_ = 0;

 private:
  ImGuiContext* context_ = nullptr;
  std::map<std::string, std::string> missing_;  // character, and where it was first seen
};

TEST_F(Glyphs, EverySignIsInTheFaceThatSaysIt) {
  for (const std::string& language : languages(data_dir())) {
    const Result<Catalogue> catalogue = load_language(data_dir(), language);
    ASSERT_TRUE(catalogue.ok());
    for (const auto& [key, entry] : catalogue->texts) words(entry.text, language + ": " + key);
    for (const GlossaryEntry& entry : load_glossary(data_dir(), language))
      words(entry.term + entry.meaning + entry.section, "glossary");
    for (const lab::Lab& lab : lab::load_labs_in(data_dir(), language).labs) {
      words(lab.title + lab.summary, lab.id);
      for (const lab::Step& step : lab.steps) {
        const std::string where = language + ": " + lab.id + "/" + step.id;
        words(step.title, where);
        markdown(step.text, where);
        for (const lab::Question& question : step.questions) {
          words(question.ask + question.explanation, where);
          for (const std::string& choice : question.choices) words(choice, where);
          if (question.number) words(question.number->unit, where);
        }
        markdown(step.able, where);
        for (const std::string& line : step.learned) markdown(line, where);
        for (const lab::FurtherQuestion& further : step.further)
          markdown(further.ask + "\n\n" + further.answer, where);
        if (!step.exercise) continue;
        if (step.exercise->estimate) markdown(step.exercise->estimate->ask, where);
        if (step.exercise->contract) {
          markdown(step.exercise->contract->text, where);
          for (const std::string& line : step.exercise->contract->budget) markdown(line, where);
        }
        for (const std::string& hint : step.exercise->hints) markdown(hint, where);
        markdown(step.exercise->solution_note, where);
        for (const lab::CheckRule& check : step.exercise->checks)
          words(check.title + check.message, where);
        code(step.exercise->skeleton + step.exercise->solution, where);
      }
      if (!lab.demo) continue;
      for (const lab::Scene& scene : lab.demo->scenes) {
        words(scene.title + scene.say + scene.ask + scene.answer + scene.unit,
              lab.id + "'s lecture");
        code(scene.source, lab.id + "'s lecture");
      }
    }
  }
  EXPECT_GT(seen_, 100'000u);  // the labs were read
}

// Every symbol that a formula may contain is in a typeface or drawn.
TEST_F(Glyphs, EverySignOfFormulasIsInItsFaces) {
  const char* all =
      "$+ - \\pm \\cdot \\times \\div a \\bmod / = < > \\le \\ge \\ne \\approx \\to : ( ) [ ] \\{ "
      "\\} \\lceil \\rceil \\lfloor \\rfloor | , ; . ! % \\_ \\infty \\dots \\sum \\prod \\alpha "
      "\\beta \\gamma \\delta \\epsilon \\zeta \\eta \\theta \\iota \\kappa \\lambda \\mu \\nu "
      "\\xi \\pi \\rho \\sigma \\tau \\upsilon \\phi \\chi \\psi \\omega \\Gamma \\Delta \\Theta "
      "\\Lambda \\Xi \\Pi \\Sigma \\Phi \\Psi \\Omega$";
  markdown(all, "a formula");
  markdown("**" + std::string(all) + "**", "a bold formula");
  EXPECT_GT(seen_, 130u);
}

// Columns of a text figure stay aligned, even with characters that we draw ourselves.
TEST_F(Glyphs, SignsOfFiguresAreAsWideAsLettersAndInTheLine) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  io.DisplaySize = {640, 480};
  ImGui::NewFrame();
  for (const Face* face : {&fonts_.code, &fonts_.editor}) {
    for (const float size : {11.0f, 15.2f, 61.0f}) {
      ImFontBaked* baked = face->font->GetFontBaked(size);
      const ImFontGlyph letter = *baked->FindGlyph('H');
      for (const ImWchar sign : {0x25A0, 0x25A1, 0x25B6}) {
        const ImFontGlyph glyph = *baked->FindGlyph(sign);
        ASSERT_EQ(glyph.Codepoint, sign);
        EXPECT_NEAR(glyph.AdvanceX, letter.AdvanceX, 0.01f) << size;
        EXPECT_GE(glyph.X0, -1) << size;
        EXPECT_LE(glyph.X1, letter.AdvanceX + 1) << size;
        EXPECT_GT(glyph.Y0, letter.Y0 - 1) << size;  // no higher than a capital
        EXPECT_LT(glyph.Y1, letter.Y1 + 1) << size;  // above the baseline
        EXPECT_GT(glyph.Y1 - glyph.Y0, 0.3f * size) << size;
      }
    }
  }
  ImGui::EndFrame();
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    texture->SetStatus(ImTextureStatus_Destroyed);
}

}  // namespace
}  // namespace warpshop::ui

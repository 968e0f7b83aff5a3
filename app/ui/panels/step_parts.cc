#include "panels/step_parts.h"

#include "draw/markdown_view.h"
#include "draw/widgets.h"
#include "panels/card.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

void prose(const View& view, const std::string& text, const FollowLink& follow) {
  MarkdownView of;
  of.folder = view.session->lab()->folder;
  of.copies_code = true;
  markdown(of, text, follow);
}

std::string list_of(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += "- " + item + "\n";
  return out;
}

// What is still to be done for the text's second part.
std::string waiting_words(const StepOpening& opening, bool exercise) {
  const auto left = static_cast<uint64_t>(opening.questions_left);
  if (!exercise) {
    return tr_count(left, "Answer the open question: then the text goes on.",
                    "Answer the {} open questions: then the text goes on.");
  }
  if (left == 0 && opening.estimate_left) {
    return opening.run_left
               ? tr("Say what you expect and run once: then you see what the GPU says.")
               : tr("Say what you expect: then you see what the GPU says.");
  }
  if (left == 0) return tr("Run once: then you see what the GPU says.");
  if (!opening.run_left) {
    return tr_count(left, "Answer the open question: then you see what the GPU says.",
                    "Answer the {} open questions: then you see what the GPU says.");
  }
  return tr_count(left, "Answer the open question and run once: then you see what the GPU says.",
                  "Answer the {} open questions and run once: then you see what the GPU says.");
}

}  // namespace

void able_line(const View& view, const FollowLink& follow) {
  const std::string& able = view.session->step()->able;
  if (able.empty()) return;
  const float left = ImGui::GetCursorScreenPos().x, top = ImGui::GetCursorScreenPos().y;
  ImGui::Indent(px(14));
  // Apart from it, since a lab may not speak the window's language.
  label(look().fonts->medium, kLabel, look()->accent, tr("After this step you can"));
  prose(view, able + ".", follow);
  ImGui::Unindent(px(14));
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {left + px(3), bottom}, look()->accent,
                                            px(1.5f));
}

void contract_card(const View& view, const FollowLink& follow) {
  const lab::Exercise* exercise = view.exercise();
  if (!exercise || !exercise->contract) return;
  const lab::Contract& contract = *exercise->contract;
  Card card("contract");
  card_heading(tr("What you will write"), "");
  prose(view, contract.text, follow);
  gap(6);
  paragraph(look().fonts->regular, kLabel, look()->muted,
            tr_count(static_cast<uint64_t>(contract.lines),
                     "About {} line, within this budget:", "About {} lines, within this budget:"));
  prose(view, list_of(contract.budget), follow);
}

void waiting_card(const StepOpening& opening, bool exercise) {
  const Face& face = look().fonts->regular;
  const std::string text = waiting_words(opening, exercise);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), inset = px(14), above = px(11);
  const float words = wrapped_height(face, kBody, text, width - 2 * inset);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Paler than a card: nothing can be done here.
  list->AddRectFilled(at, {at.x + width, at.y + words + 2 * above},
                      with_alpha(look()->raised, 0.5f), px(8));
  draw_text_wrapped(list, {at.x + inset, at.y + above}, face, kBody, look()->muted, text,
                    width - 2 * inset);
  ImGui::Dummy({width, words + 2 * above});
}

void learned_card(const View& view, const FollowLink& follow) {
  const std::vector<std::string>& learned = view.session->step()->learned;
  if (learned.empty()) return;
  Card card("learned");
  card_heading(tr("What you learned"), "");
  prose(view, list_of(learned), follow);
}

void further_questions(const View& view, bool open, std::set<size_t>& shown,
                       const FollowLink& follow) {
  const std::vector<lab::FurtherQuestion>& further = view.session->step()->further;
  if (further.empty()) return;
  prose(view, std::string("## ") + tr("Go further"), follow);
  if (!open) {
    gap(4);
    paragraph(look().fonts->regular, kLabel, look()->muted,
              view.exercise() ? tr("The answers open when a version passes.")
                              : tr("The answers open when the questions are answered."));
  }
  for (size_t i = 0; i < further.size(); ++i) {
    gap(8);
    ImGui::PushID(static_cast<int>(i));
    prose(view, further[i].ask, follow);
    if (open) {
      const bool unfolded = shown.contains(i);
      if (link(unfolded ? tr_id("Hide the answer", "further") : tr_id("Show the answer", "further"),
               kLabel)) {
        if (unfolded) {
          shown.erase(i);
        } else {
          shown.insert(i);
        }
      }
      if (unfolded) {
        ImGui::Indent(px(14));
        prose(view, further[i].answer, follow);
        ImGui::Unindent(px(14));
      }
    }
    ImGui::PopID();
  }
}

}  // namespace warpshop::ui

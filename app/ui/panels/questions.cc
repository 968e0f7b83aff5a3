#include "panels/questions.h"

#include <algorithm>
#include <utility>

#include "draw/markdown_view.h"
#include "draw/spots.h"

namespace warpshop::ui {
namespace {

// Frames until a card's height has adapted to its new text.
constexpr int kFramesUntilSettled = 4;

// Draws the choices as buttons, in as many rows as needed.
void choice_buttons(const lab::Question& question, int number, int answer, bool revealed,
                    FollowedAnswer& followed, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const float width = content_width(), spacing = px(8);
  float widest = px(60);
  for (const std::string& choice : question.choices) {
    widest = std::max(widest, text_size(f.medium, kBody, choice).x + px(28));
  }
  const int count = static_cast<int>(question.choices.size());
  int per_row = std::max(1, static_cast<int>((width + spacing) / (widest + spacing)));
  per_row = std::min(per_row, count);
  // Rows of equal length look calmer than a full row and a remainder.
  const int rows = (count + per_row - 1) / per_row;
  per_row = (count + rows - 1) / rows;
  const float each =
      std::min((width - spacing * static_cast<float>(per_row - 1)) / static_cast<float>(per_row),
               per_row == 1 ? width : std::max(widest, px(84)));
  float height = 0;
  for (const std::string& choice : question.choices)
    height = std::max(height, wrapped_button_height(choice, each));
  for (int i = 0; i < count; ++i) {
    if (i % per_row != 0) ImGui::SameLine(0, spacing);
    const bool chosen = i == answer;
    const std::string id = question.choices[static_cast<size_t>(i)] + "##q" +
                           std::to_string(number) + "c" + std::to_string(i);
    ImGui::BeginDisabled(revealed);
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0f);
    if (button(id, chosen ? ButtonKind::kSelected : ButtonKind::kOutline, {each, height})) {
      queue.push(command::AnswerQuestion{number, i});
      followed.question = number;
      followed.frames = kFramesUntilSettled;
    }
    ImGui::PopStyleVar();
    ImGui::EndDisabled();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 mark{max.x - px(11), min.y + px(11)};
    if (revealed && i == question.answer) {
      draw_check(list, mark, px(9), look()->good, px(2));
      list->AddRect(min, max, look()->good, px(6), px(1.5f));
    } else if (revealed && chosen) {
      draw_cross(list, mark, px(9), look()->poor, px(2));
      list->AddRect(min, max, look()->poor, px(6), px(1.5f));
    }
  }
}

// Draws the kind of question and, beside it, a note that the answer is kept: a line below the
// choices would move the ones that somebody is about to click.
void heading_line(const char* heading, bool kept) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  label(f.medium, kLabel, look()->accent, heading);
  if (!kept) return;
  const char* text = tr("checked when you run");
  const float room = width - text_size(f.medium, kLabel, heading).x - px(12);
  draw_text_cut(ImGui::GetWindowDrawList(), {at.x + width, at.y}, f.regular, kLabel, look()->muted,
                text, room, Align::kRight);
}

}  // namespace

Card::Card(const char* id) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, look()->raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(14, 12));
  ImGui::BeginChild(id, {0, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding |
                        ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

Card::~Card() { ImGui::EndChild(); }

bool all_answered(const Session& session) {
  if (!session.step()) return true;
  const lab::StepProgress* progress = session.progress_of(*session.step());
  const size_t answers = progress ? progress->answers.size() : 0;
  return answers >= session.step()->questions.size();
}

UnansweredBelow questions(const View& view, FollowedAnswer& followed, CommandQueue& queue) {
  UnansweredBelow below;
  bool pointed = false;    // the first unanswered question's spot was noted
  bool all_below = false;  // the first one in sight leads to the others
  const lab::Step& step = *view.session->step();
  const lab::StepProgress* progress = view.session->progress_of(step);
  const bool has_run = !step.exercise || view.latest || (progress && progress->runs > 0);
  int number = 0;
  for (const lab::Question& question : step.questions) {
    int answer = -1;
    if (progress) {
      if (auto found = progress->answers.find(number); found != progress->answers.end()) {
        answer = found->second;
      }
    }
    const bool revealed = answer >= 0 && has_run;
    const float top = ImGui::GetCursorPosY();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float card_width = content_width();
    if (number == 0) {
      all_below = !has_run && ImGui::GetCursorScreenPos().y >
                                  ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - px(60);
    }
    if (answer < 0 && all_below && below.count++ == 0) below.first_y = top;
    {
      Card card(("question" + std::to_string(number)).c_str());
      const char* heading = !step.exercise ? tr("Think first")
                            : has_run      ? tr("What did you expect?")
                                           : tr("Before you run");
      heading_line(heading, answer >= 0 && !revealed);
      MarkdownView ask;
      ask.folder = view.session->lab()->folder;
      markdown(ask, question.ask, [](const std::string&) {});
      gap(6);
      choice_buttons(question, number, answer, revealed, followed, queue);
      if (revealed) {
        gap(2);
        const bool right = answer == question.answer;
        label(look().fonts->medium, kLabel, right ? look()->accent : look()->poor_on_raised,
              right ? tr("You were right.") : tr("Not quite."));
        MarkdownView explanation;
        explanation.folder = view.session->lab()->folder;
        markdown(explanation, question.explanation, [](const std::string&) {});
      }
    }
    if (answer < 0 && !std::exchange(pointed, true)) {
      note_spot("question", corner, {corner.x + card_width, ImGui::GetItemRectMax().y});
      if (followed.framed && !all_below && followed.brought != number) {
        followed.brought = followed.question = number;
        followed.frames = kFramesUntilSettled;
      }
    }
    if (followed.frames > 0 && followed.question == number) {
      --followed.frames;
      const float below_sight =
          ImGui::GetItemRectMax().y + px(8) - (ImGui::GetWindowPos().y + ImGui::GetWindowHeight());
      const float above_sight = ImGui::GetWindowPos().y + px(8) - corner.y;
      if (below_sight > 0) {
        ImGui::SetScrollY(ImGui::GetScrollY() + below_sight);
      } else if (answer < 0 && above_sight > 0) {
        ImGui::SetScrollY(ImGui::GetScrollY() - above_sight);
      }
    }
    ++number;
  }
  return below;
}

}  // namespace warpshop::ui

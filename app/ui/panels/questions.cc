#include "panels/questions.h"

#include <algorithm>
#include <cfloat>
#include <optional>
#include <string>
#include <utility>

#include "draw/markdown_view.h"
#include "draw/spots.h"
#include "draw/widgets.h"
#include "panels/card.h"
#include "state/step_state.h"
#include "text/text.h"
#include "text/typed_number.h"

namespace warpshop::ui {
namespace {

// Frames until a card's height has adapted to its new text.
constexpr int kFramesUntilSettled = 4;

// `first`: the question was open. One that is answered anew stays where it is.
void follow(int number, bool first, FollowedAnswer& followed) {
  followed.question = number;
  followed.frames = kFramesUntilSettled;
  followed.leads_on = first;
}

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
  for (int at = 0; at < count; ++at) {
    const int i = question.order[static_cast<size_t>(at)];
    if (at % per_row != 0) ImGui::SameLine(0, spacing);
    const bool chosen = i == answer;
    const std::string id = question.choices[static_cast<size_t>(i)] + "##q" +
                           std::to_string(number) + "c" + std::to_string(i);
    // The right answer is what is to be read now.
    const bool plain = chosen || i == question.answer;
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha,
                        plain ? 1.0f : ImGui::GetStyle().DisabledAlpha);
    ImGui::BeginDisabled(revealed);
    if (button(id, chosen ? ButtonKind::kSelected : ButtonKind::kOutline, {each, height})) {
      queue.push(command::AnswerQuestion{number, i});
      follow(number, answer < 0, followed);
    }
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
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

// What the student has answered, if anything.
struct Given {
  int choice = -1;
  std::optional<double> number;
  bool any() const { return choice >= 0 || number; }
};

Given given_to(const lab::Step& step, int number, const lab::StepProgress* progress) {
  Given out;
  if (!progress || !progress->answered(step, number)) return out;
  if (step.questions[static_cast<size_t>(number)].number) {
    out.number = progress->numbers.at(number);
  } else {
    out.choice = progress->answers.at(number);
  }
  return out;
}

// True if Return has submitted an answer, so that the typing goes on in the next field.
bool number_answer(const lab::Question& question, int number, const Given& given,
                   QuestionsState& state, CommandQueue& queue) {
  const auto typed = number_field("q" + std::to_string(number), question.number->unit, false,
                                  given.number, state.fields[number]);
  if (!typed) return false;
  queue.push(command::AnswerNumber{number, *typed});
  follow(number, !given.any(), state.followed);
  return state.fields[number].by_return;
}

// "You said 64 bytes; it is 128 bytes."
std::string number_verdict(const lab::NumberAnswer& asked, double said) {
  const auto words = [&](double value) { return with_unit(value, asked.unit_of(value)); };
  const std::string mine = words(said), right = words(asked.value);
  if (mine == right) return tr("You said {}: right.", mine);
  if (asked.accepts(said)) return tr("You said {}; it is {}: close enough.", mine, right);
  return tr("You said {}; it is {}.", mine, right);
}

void verdict(const View& view, const lab::Question& question, const Given& given) {
  const bool right =
      question.number ? question.number->accepts(*given.number) : given.choice == question.answer;
  const ImU32 color = right ? look()->accent : look()->poor_on_raised;
  if (question.number) {
    paragraph(look().fonts->medium, kBody, color, number_verdict(*question.number, *given.number));
  } else {
    label(look().fonts->medium, kLabel, color, right ? tr("You were right.") : tr("Not quite."));
  }
  MarkdownView explanation;
  explanation.folder = view.session->lab()->folder;
  markdown(explanation, question.explanation, [](const std::string&) {});
}

// Follows the first open question after the answered one, or before it if there is none; with all
// of them answered, the estimate.
void lead_on(const lab::Step& step, const lab::StepProgress* progress, FollowedAnswer& followed) {
  const int count = static_cast<int>(step.questions.size());
  for (int n = 1; n < count; ++n) {
    const int next = (followed.question + n) % count;
    if (given_to(step, next, progress).any()) continue;
    followed.question = next;
    followed.frames = kFramesUntilSettled;
    return;
  }
  followed.frames = 0;
  if (!progress->estimate) followed.estimate_frames = kFramesUntilSettled;
}

}  // namespace

bool all_answered(const Session& session) {
  return !session.step() ||
         questions_left(*session.step(), session.progress_of(*session.step())) == 0;
}

void bring_card_into_sight(float top) {
  const float below_sight =
      ImGui::GetItemRectMax().y + px(8) - (ImGui::GetWindowPos().y + ImGui::GetWindowHeight());
  const float above_sight = ImGui::GetWindowPos().y + px(8) - top;
  if (below_sight > 0) {
    ImGui::SetScrollY(ImGui::GetScrollY() + below_sight);
  } else if (above_sight > 0) {
    ImGui::SetScrollY(ImGui::GetScrollY() - above_sight);
  }
}

void type_into_question(int number, QuestionsState& state) {
  state.typing_next = number;
  state.frames_until_typing = kFramesUntilSettled;
}

UnansweredBelow questions(const View& view, QuestionsState& state, ScrollKeeper& keeper,
                          CommandQueue& queue) {
  UnansweredBelow below;
  FollowedAnswer& followed = state.followed;
  bool pointed = false;    // the first unanswered question's spot was noted
  bool all_below = false;  // the first one in sight leads to the others
  const lab::Step& step = *view.session->step();
  const lab::StepProgress* progress = view.session->progress_of(step);
  const bool has_run = !step.exercise || view.prepared || (progress && progress->runs > 0);
  bool typing_goes_on = false;  // in the next question, if it asks for a number
  int number = 0;
  if (followed.leads_on && given_to(step, followed.question, progress).any()) {
    followed.leads_on = false;
    // After the run the explanation is to be read first.
    if (!has_run) lead_on(step, progress, followed);
  }
  for (const lab::Question& question : step.questions) {
    const Given given = given_to(step, number, progress);
    if (!given.any() && std::exchange(typing_goes_on, false)) type_into_question(number, state);
    if (question.number && state.frames_until_typing > 0 && state.typing_next == number)
      state.fields[number].refocus = --state.frames_until_typing == 0;
    const bool revealed = given.any() && has_run;
    const float top = ImGui::GetCursorPosY();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float card_width = content_width();
    keeper.block("question" + std::to_string(number));
    if (number == 0) {
      all_below = !has_run && ImGui::GetCursorScreenPos().y >
                                  ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - px(60);
    }
    if (!given.any() && all_below && below.count++ == 0) {
      below.first = number;
      below.first_y = top;
    }
    {
      Card card(("question" + std::to_string(number)).c_str());
      const char* heading = !step.exercise ? tr("Think first")
                            : has_run      ? tr("What did you expect?")
                                           : tr("Before you run");
      card_heading(heading, given.any() && !revealed ? tr("checked when you run") : "");
      MarkdownView ask;
      ask.folder = view.session->lab()->folder;
      markdown(ask, question.ask, [](const std::string&) {});
      gap(6);
      if (!question.number) {
        choice_buttons(question, number, given.choice, revealed, followed, queue);
      } else if (!revealed) {
        typing_goes_on = number_answer(question, number, given, state, queue);
      }
      if (revealed) {
        gap(2);
        verdict(view, question, given);
      }
    }
    if (!given.any() && !std::exchange(pointed, true)) {
      note_spot("question", corner, {corner.x + card_width, ImGui::GetItemRectMax().y});
      if (followed.framed && !all_below && followed.brought != number) {
        followed.brought = followed.question = number;
        followed.frames = kFramesUntilSettled;
      }
    }
    if (followed.frames > 0 && followed.question == number) {
      --followed.frames;
      bring_card_into_sight(given.any() ? FLT_MAX : corner.y);
    }
    ++number;
  }
  return below;
}

}  // namespace warpshop::ui

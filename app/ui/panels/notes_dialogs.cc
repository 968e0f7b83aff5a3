#include "panels/notes_dialogs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/expression.h"
#include "draw/widgets.h"
#include "panels/dialog_parts.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Markdown in at most this part of the window's height; arrows scroll it.
constexpr float kMostOfHeight = 0.6f;

void scrolled_text(const View& view, MarkdownView& text, const std::string& markdown_text) {
  text.folder = view.lecture ? view.lecture->lab->folder : view.session->lab()->folder;
  ImGui::BeginChild("notes", {0, ImGui::GetMainViewport()->Size.y * kMostOfHeight},
                    ImGuiChildFlags_NavFlattened);
  scroll_by_arrows();
  markdown(text, markdown_text, [](const std::string&) {});
  ImGui::EndChild();
}

// Minutes since the start beside those planned up to the end of this scene.
std::string time_words(const View& view) {
  const Lecture& lecture = *view.lecture;
  double planned = 0;
  for (size_t n = 0; n <= lecture.scene; ++n) planned += lecture.demo().scenes[n].minutes;
  const auto spent = std::round((view.now_s - lecture.started_s) / 60);
  std::string words = tr("{} min since the start", local_number(number_text(spent)));
  if (planned > 0) {
    words += " · " +
             tr("{} min planned up to the end of this scene", local_number(number_text(planned)));
  }
  return words;
}

void close_with(ImGuiKey key, CommandQueue& queue) {
  if (!ImGui::IsWindowAppearing() && ImGui::IsKeyPressed(key, false))
    queue.push(command::CloseDialog{});
}

}  // namespace

void speaker_notes_dialog(const View& view, MarkdownView& text, CommandQueue& queue) {
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  dialog_heading(scene.title);
  label(look().fonts->regular, kLabel, look()->muted, time_words(view));
  gap(6);
  if (scene.notes.empty()) {
    dialog_prose(tr("This scene has no notes."));
  } else {
    scrolled_text(view, text, scene.notes);
  }
  if (!lecture.last()) {
    gap(6);
    label(look().fonts->regular, kLabel, look()->muted,
          tr("Next: {}", lecture.demo().scenes[lecture.scene + 1].title));
  }
  close_with(ImGuiKey_N, queue);
}

void speaker_page(const View& view, MarkdownView& text) {
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  label(f.regular, kBody, t.muted,
        tr("{} of {}", lecture.scene + 1, lecture.demo().scenes.size()) + " · " + time_words(view));
  paragraph(f.bold, 20, t.text, scene.title);
  gap(6);
  if (!scene.ask.empty()) {
    paragraph(f.medium, kBody, t.accent, scene.ask);
    paragraph(f.medium, kBody, lecture.hidden() ? t.muted : t.text, scene.answer);
    gap(10);
  }
  if (scene.notes.empty()) {
    paragraph(f.regular, kBody, t.body, tr("This scene has no notes."));
  } else {
    text.folder = lecture.lab->folder;
    markdown(text, scene.notes, [](const std::string&) {});
  }
  if (lecture.last()) return;
  const lab::Scene& next = lecture.demo().scenes[lecture.scene + 1];
  gap(16);
  paragraph(f.medium, kBody, t.muted, tr("Next: {}", next.title));
  paragraph(f.regular, kBody, t.muted, next.say);
}

void instructor_dialog(const View& view, MarkdownView& text, CommandQueue& queue) {
  const lab::Lab* lab = view.lecture ? view.lecture->lab : view.session->lab();
  if (lab == nullptr || lab->instructor.empty()) {
    dialog_heading(tr("Notes for instructors"));
    dialog_prose(tr("This lab has no INSTRUCTOR.md."));
  } else {
    scrolled_text(view, text, lab->instructor);
  }
  close_with(ImGuiKey_I, queue);
}

}  // namespace warpshop::ui

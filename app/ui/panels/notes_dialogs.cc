#include "panels/notes_dialogs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/expression.h"
#include "draw/widgets.h"
#include "panels/dialog_parts.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Markdown in at most this part of the window's height; arrows scroll it.
constexpr float kMostOfHeight = 0.6f;

void text_of_lab(const View& view, MarkdownView& text, const std::string& markdown_text) {
  text.folder = view.lecture ? view.lecture->lab->folder : view.session->lab()->folder;
  scrolled_text(text, markdown_text, [](const std::string&) {});
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

struct PagePart {
  const Face* face = nullptr;
  float em = kBody;
  ImU32 color = 0;
  std::string text;
  float above = 0;
  bool notes = false;  // Markdown
};

// The page of the current scene, from top to bottom, and what the next one will ask.
std::vector<PagePart> speaker_parts(const View& view) {
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  std::vector<PagePart> parts;
  const auto add = [&](const Face& face, float em, ImU32 color, const std::string& text,
                       float above = 0) {
    if (!text.empty()) parts.push_back({&face, em, color, text, above});
  };
  const std::vector<lab::Scene>& scenes = lecture.demo().scenes;
  add(f.regular, kBody, t.muted,
      tr("{} of {}", lecture.scene + 1, scenes.size()) + " · " + time_words(view));
  add(f.bold, 20, t.text, scene.title);
  add(f.medium, kBody, t.accent, scene.ask, 6);
  if (!scene.ask.empty()) add(f.medium, kBody, lecture.hidden() ? t.muted : t.text, scene.answer);
  add(f.regular, kBody, t.body,
      scene.notes.empty() ? std::string(tr("This scene has no notes.")) : scene.notes, 10);
  parts.back().notes = !scene.notes.empty();
  if (lecture.last()) return parts;
  const lab::Scene& next = scenes[lecture.scene + 1];
  add(f.medium, kBody, t.muted, tr("Next: {}", next.title), 16);
  add(f.regular, kBody, t.muted, next.say);
  add(f.medium, kBody, t.muted, next.ask);
  return parts;
}

void use_scale(Look page, float times) {
  page.scale *= times;
  use_look(page);
}

// How much larger than usual the page may be and still fit into the window: it is read from beside
// a lectern.
float largest_scale(const Look& before, const std::vector<PagePart>& parts) {
  constexpr float kMost = 2.5f, kStep = 0.1f;
  constexpr float kMarkdown = 1.12f;  // its paragraphs have more space between lines
  const ImVec2 room = ImGui::GetContentRegionAvail();
  float times = kMost;
  for (; times > 1; times -= kStep) {
    use_scale(before, times);
    float height = 0;
    for (const PagePart& part : parts) {
      height +=
          px(part.above) + ImGui::GetStyle().ItemSpacing.y +
          wrapped_height(*part.face, part.em, part.text, room.x) * (part.notes ? kMarkdown : 1);
    }
    if (height <= room.y) break;
  }
  return std::max(times, 1.0f);
}

void close_with(ImGuiKey key, CommandQueue& queue) {
  if (!ImGui::IsWindowAppearing() && ImGui::IsKeyPressed(key, false))
    queue.push(command::CloseDialog{});
}

}  // namespace

void scrolled_text(MarkdownView& view, const std::string& text,
                   const std::function<void(const std::string&)>& on_link) {
  ImGui::BeginChild("notes", {0, ImGui::GetMainViewport()->Size.y * kMostOfHeight},
                    ImGuiChildFlags_NavFlattened);
  scroll_by_arrows();
  markdown(view, text, on_link);
  ImGui::EndChild();
}

void speaker_notes_dialog(const View& view, MarkdownView& text, CommandQueue& queue) {
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  dialog_heading(scene.title);
  label(look().fonts->regular, kLabel, look()->muted, time_words(view));
  gap(6);
  if (scene.notes.empty()) {
    dialog_prose(tr("This scene has no notes."));
  } else {
    text_of_lab(view, text, scene.notes);
  }
  if (!lecture.last()) {
    gap(6);
    label(look().fonts->regular, kLabel, look()->muted,
          tr("Next: {}", lecture.demo().scenes[lecture.scene + 1].title));
  }
  close_with(ImGuiKey_N, queue);
}

void speaker_page(const View& view, MarkdownView& text) {
  const std::vector<PagePart> parts = speaker_parts(view);
  const Look before = look();
  use_scale(before, largest_scale(before, parts));
  for (const PagePart& part : parts) {
    gap(part.above);
    if (!part.notes) {
      // Unlike paragraph(), in the size of this page.
      const float width = content_width();
      const float height =
          draw_text_wrapped(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), *part.face,
                            part.em, part.color, part.text, width);
      ImGui::Dummy({width, height});
      continue;
    }
    text.folder = view.lecture->lab->folder;
    markdown(text, part.text, [](const std::string&) {});
  }
  use_look(before);
}

void instructor_dialog(const View& view, MarkdownView& text, CommandQueue& queue) {
  const lab::Lab* lab = view.lecture ? view.lecture->lab : view.session->lab();
  if (lab == nullptr || lab->instructor.empty()) {
    dialog_heading(tr("Notes for instructors"));
    dialog_prose(tr("This lab has no INSTRUCTOR.md."));
  } else {
    text_of_lab(view, text, lab->instructor);
  }
  close_with(ImGuiKey_I, queue);
}

}  // namespace warpshop::ui

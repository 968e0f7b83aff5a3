// What only the lecturer reads: the notes of a scene, and a lab's page for instructors.
#pragma once

#include <functional>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"

namespace warpshop::ui {

// The current scene's notes, how the time stands, and what comes next.
void speaker_notes_dialog(const View& view, MarkdownView& text, CommandQueue& queue);
// The same on a page of its own, as large as fits, with the question and its answer and the next
// scene's words and question.
void speaker_page(const View& view, MarkdownView& text);
// labs/ID/INSTRUCTOR.md.
void instructor_dialog(const View& view, MarkdownView& text, CommandQueue& queue);
// Markdown in a part of the window's height, scrolled by the arrows.
void scrolled_text(MarkdownView& view, const std::string& text,
                   const std::function<void(const std::string&)>& on_link);

}  // namespace warpshop::ui

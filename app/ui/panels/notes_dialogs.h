// What only the lecturer reads: the notes of a scene, and a lab's page for instructors.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"

namespace warpshop::ui {

// The current scene's notes, how the time stands, and what comes next.
void speaker_notes_dialog(const View& view, MarkdownView& text, CommandQueue& queue);
// The same on a page of its own, with the question and its answer and the next scene's words.
void speaker_page(const View& view, MarkdownView& text);
// labs/ID/INSTRUCTOR.md.
void instructor_dialog(const View& view, MarkdownView& text, CommandQueue& queue);

}  // namespace warpshop::ui

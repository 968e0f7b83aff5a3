// All commands as one type: for who applies them. Everybody else makes do with Command. A new command is a struct in
// commands.h, a name here, and an App::apply.
#pragma once

#include <variant>

#include "app/commands.h"

namespace warpshop::ui {

using CommandVariant = std::variant<
    command::OpenStep, command::MoveStep, command::AnswerQuestion, command::ShowHint,
    command::EditText, command::Save, command::AskReset, command::Reset, command::AskSolution,
    command::ShowSolution, command::TakeSolution, command::ResolveConflict, command::TakeVersion,
    command::OpenChanges, command::PinBaseline, command::PinLatest, command::Run, command::Stop,
    command::SelectGpu, command::SelectSecondGpu, command::StepSecondGpu, command::SelectBlock,
    command::StepBlock, command::OpenDevices, command::SelectDevice, command::ConnectDevice,
    command::AddWorker, command::RemoveWorker, command::SelectAccess, command::SelectGlobalAccess,
    command::StepAccess, command::StepWarp, command::StepMoment, command::SelectEditorLine,
    command::GoToAccess, command::StepGpu, command::SelectLine, command::GoTo, command::MoveFilm,
    command::SeekFilm, command::PlayFilm, command::FilmOfFinding, command::FilmOfElement,
    command::MoveTimeline,
    command::SetMode, command::GiveLecture, command::Advance, command::MoveScene,
    command::ToggleLaser, command::ToggleBlank, command::LeaveLecture, command::SetTheme,
    command::Zoom, command::SetLanguage, command::SetMotion, command::SetDigits, command::SetLineMeasure,
    command::SetAutoRun, command::LockLayout, command::ResetLayout, command::FocusPanel,
    command::ShowStage, command::OpenPalette, command::OpenGlossary, command::OpenKeys,
    command::SetKey, command::ResetKeys, command::OpenDoctor, command::ShowTour,
    command::SkipTour, command::LeaveTour, command::CloseDialog, command::CopyText,
    command::WriteReport, command::SavePicture, command::SavePanelPicture, command::ExportPanel, command::ExplainFigures,
    command::ShowFrameTime,
    command::Quit>;

struct AnyCommand : CommandVariant {
  using CommandVariant::CommandVariant;
};

}  // namespace warpshop::ui

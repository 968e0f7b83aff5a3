// All commands as one variant, for the code that applies them; all other code uses Command. To add
// a command, add a struct to commands.h, a name here, and an App::apply.
#pragma once

#include <variant>

#include "app/commands.h"

namespace warpshop::ui {

using CommandVariant = std::variant<
    command::OpenStep, command::OpenHome, command::CloseHome, command::MoveStep,
    command::AnswerQuestion, command::ShowHint, command::EditText, command::EditorGesture,
    command::SetWrap, command::Save, command::AskReset, command::Reset, command::AskSolution,
    command::ShowSolution, command::TakeSolution, command::RetryUnsaved, command::SaveElsewhere,
    command::LeaveUnsaved, command::ResolveConflict, command::TakeVersion, command::RestorePassed,
    command::OpenChanges, command::PinBaseline, command::PinLatest, command::Run, command::Stop,
    command::SelectGpu, command::SelectSecondGpu, command::StepSecondGpu, command::SelectBlock,
    command::StepBlock, command::OpenDevices, command::SelectDevice, command::ConnectDevice,
    command::AddWorker, command::RemoveWorker, command::SelectAccess, command::SelectGlobalAccess,
    command::StepAccess, command::StepWarp, command::StepMoment, command::SelectEditorLine,
    command::GoToAccess, command::StepGpu, command::SelectLine, command::GoTo, command::MoveFilm,
    command::SeekFilm, command::PlayFilm, command::FilmToLine, command::FilmOfFinding,
    command::FilmOfElement, command::MoveTimeline, command::SetMode, command::GiveLecture,
    command::Advance, command::MoveScene, command::GoToScene, command::OpenScenes,
    command::ToggleLaser, command::ToggleBlank, command::TogglePen, command::NextPenColor,
    command::ChoosePenColor, command::WipePen, command::KeepPen, command::Magnify,
    command::ToggleClock, command::RestoreKernel, command::LeaveLecture, command::ToggleFullScreen,
    command::SetTheme, command::Zoom, command::StepZoom, command::SetLanguage, command::SetMotion,
    command::SetDigits, command::SetLineMeasure, command::SetAutoRun, command::LockLayout,
    command::ResetLayout, command::FocusPanel, command::ShowStage, command::OpenPalette,
    command::OpenGlossary, command::OpenKeys, command::SetKey, command::ResetKeys,
    command::OpenDoctor, command::OpenProgress, command::ExportProgress, command::ImportProgress,
    command::OpenWorkFolder, command::OpenPath, command::ReloadLabs, command::OpenOwnKernel,
    command::MakeKernelLab, command::OpenKernelLab, command::ShowTour, command::SkipTour,
    command::LeaveTour, command::CloseDialog, command::CopyText, command::HandIn, command::OpenMenu,
    command::WriteReport, command::SavePicture, command::SavePanelPicture, command::ExportPanel,
    command::ExplainFigures, command::ShowFrameTime, command::Quit>;

struct AnyCommand : CommandVariant {
  using CommandVariant::CommandVariant;
};

}  // namespace warpshop::ui

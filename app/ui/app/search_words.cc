#include "app/search_words.h"

namespace warpshop::ui {
namespace {

struct SearchWords {
  std::string_view action, words;
  bool setting = false;  // found by kSettingWords, too
};

constexpr const char* kSettingWords = " settings preferences options einstellungen optionen";

// clang-format off
constexpr SearchWords kSearchWords[] = {
    {"run", "start execute launch compile starten ausführen übersetzen"},
    {"stop", "abort cancel interrupt kill abbrechen anhalten"},
    {"auto-run-on", "automatic live automatisch", true},
    {"auto-run-off", "automatic manual automatisch", true},
    {"devices", "gpu worker ssh slurm cluster device hardware gerät messen", true},
    {"save", "write speichern sichern"},
    {"reset", "restart again revert skeleton zurücksetzen neu beginnen"},
    {"report", "hand in handout submit export html abgeben abgabe bericht"},
    {"own-kernel", "load file cu mine import datei laden eigener kernel öffnen"},
    {"profile", "ncu nsight compute csv compare measured counters import "
                "profil vergleichen gemessen zähler importieren"},
    {"profile-remove", "ncu nsight compute csv delete profil löschen entfernen"},
    {"progress", "transfer backup another machine "
                 "fortschritt sichern umziehen mitnehmen exportieren importieren"},
    {"work-folder", "files directory my text ordner dateien verzeichnis"},
    {"picture", "screenshot image png bildschirmfoto bild"},
    {"export-csv", "export table spreadsheet excel tabelle kopieren exportieren"},
    {"export-picture", "export this screenshot image png bild exportieren"},
    {"quit", "exit close window beenden schließen"},
    {"changes", "diff compare versions history unterschiede vergleichen versionen"},
    {"pin", "compare bezug anheften"},
    {"next-step", "forward continue weiter"},
    {"previous-step", "back zurück"},
    {"hint", "help tip hilfe tipp hinweis"},
    {"solution", "answer diff lösung antwort"},
    {"everything-on", "answers hidden spoiler instructor lecturer "
                      "alles antworten verborgen dozent"},
    {"everything-off", "answers hidden spoiler instructor lecturer antworten verbergen dozent"},
    {"reload-labs", "refresh update own lab toml neu laden aktualisieren"},
    {"film-play", "animation debug abspielen"},
    {"film-step", "debug debugger step into"},
    {"go-contention", "atomic histogram hot word collision serialisation serialization lock "
                      "atomar kollision"},
    {"layouts", "cute shape stride swizzle tile padding bank conflict cutlass "
                "anordnung schrittweite verschränkt"},
    {"go-pipeline", "cp.async bulk tma mbarrier stage overlap asynchronous copy ring buffer "
                    "überlappen asynchron kopie"},
    {"go-memory", "cache l1 l2 hit rate traffic nsight speicherdiagramm treffer verkehr"},
    {"wrap-on", "umbrechen", true},
    {"wrap-off", "umbrechen", true},
    {"home", "course overview labs start page kurs übersicht startseite"},
    {"machine-code", "sass assembly assembler instructions disassembly maschinencode"},
    {"go-ptx", "sass assembly assembler machine code maschinencode"},
    {"go-registers", "registers values watch debug register werte beobachten"},
    {"go-occupancy", "what would it do if registers calculator what-if was wäre wenn rechner"},
    {"instructor", "course teacher lecturer kurs dozent lehrende"},
    {"zoom-in", "bigger larger font size schrift größer vergrößern", true},
    {"zoom-out", "smaller font size schrift kleiner verkleinern", true},
    {"zoom-reset", "actual size font schrift größe"},
    {"theme-dark", "mode night black colours colors dunkel nacht farben design", true},
    {"theme-light", "mode bright white day colours colors hell tag farben design", true},
    {"theme-system", "mode automatic colours colors automatisch farben design", true},
    {"motion-on", "animation bewegung", true},
    {"motion-off", "animation reduce motion still bewegung", true},
    {"digits-on", "colour-blind color-blind accessibility pattern farbenblind barrierefrei", true},
    {"digits-off", "colour-blind color-blind accessibility pattern farbenblind barrierefrei", true},
    {"lines-memory", "editor figures memory zeile"},
    {"lines-executed", "editor figures zeile"},
    {"lines-lanes", "editor figures divergence zeile"},
    {"lines-stalls", "editor figures stall zeile"},
    {"mode-student", "layout panels ansicht modus", true},
    {"mode-analysis", "layout panels ansicht modus profiler", true},
    {"mode-minimal", "layout panels focus zen ansicht modus"},
    {"layout-reset", "default panels windows anordnung fenster zurücksetzen", true},
    {"layout-lock", "fix panels windows docking anordnung fenster"},
    {"layout-unlock", "move panels windows docking anordnung fenster"},
    {"frame-time", "fps speed performance geschwindigkeit"},
    {"lecture", "present presentation slides projector "
                "vortrag vorlesung folien präsentation beamer"},
    {"handout", "print paper export html script drucken papier skript"},
    {"handout-notes", "print paper export html script speaker drucken papier skript"},
    {"lecture-guide", "documentation manual presentation anleitung handbuch"},
    {"courses", "curriculum syllabus schedule plan teach lehrplan kursplan stundenplan"},
    {"class-guide", "documentation serve server students anleitung kurs unterricht"},
    {"grading-guide", "documentation marks correct assess benoten korrigieren bewerten anleitung"},
    {"laser", "presentation zeiger"},
    {"blank", "black presentation schwarz"},
    {"restore-kernel", "reset undo original edit zurücksetzen rückgängig ursprünglich"},
    {"palette", "command search menu befehl suchen"},
    {"glossary", "words terms definition dictionary wörter begriffe lexikon"},
    {"lab-guide", "own labs create new documentation toml eigene erstellen anleitung"},
    {"figures", "explain help metric counter erklären hilfe"},
    {"keys", "shortcuts keyboard hotkeys bindings tastatur tastenkürzel kürzel", true},
    {"doctor", "health diagnose check system compiler driver prüfen"},
    // of every language's entry
    {"language", "language sprache langue idioma translation übersetzung", true},
    {"tour", "introduction tutorial welcome help einführung hilfe"},
};
// clang-format on

}  // namespace

std::string search_words(std::string_view action_id) {
  for (const SearchWords& each : kSearchWords) {
    if (each.action == action_id)
      return std::string(each.words) + (each.setting ? kSettingWords : "");
  }
  return {};
}

}  // namespace warpshop::ui

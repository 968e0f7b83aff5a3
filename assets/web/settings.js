// Language and colours, at the foot of every page.
import {el} from "./dom.js";
import {stored, store} from "./stored.js";
import {choose_language, language, languages, tr} from "./text.js";

function apply_colours() {
  const theme = stored("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function choice(label, options, chosen, choose) {
  return el("span", {class: "setting"},
    el("select", {"aria-label": label, onchange: (event) => choose(event.target.value)},
      Object.entries(options).map(([value, name]) =>
        el("option", {value, selected: value === chosen}, name))));
}

export function settings() {
  return [
    choice("Language · Sprache",
      Object.fromEntries(Object.entries(languages).map(([code, {name}]) => [code, name])), language,
      choose_language),
    choice(tr("Colours"), {system: tr("System colours"), light: tr("Light"), dark: tr("Dark")},
      stored("theme") ?? "system", (theme) => {
        store("theme", theme === "system" ? null : theme);
        apply_colours();
      }),
  ];
}

apply_colours();

// The pages' texts and numbers in the reader's language. English texts are the keys; text/LANG.json
// has the translations, and what is missing there is shown in English.
import {stored, store} from "./stored.js";

export const languages = {
  en: {name: "English", decimal: ".", group: ","},
  de: {name: "Deutsch", decimal: ",", group: "."},
};

function wanted() {
  const chosen = stored("language");
  if (Object.hasOwn(languages, chosen)) return chosen;
  for (const tag of navigator.languages ?? []) {
    const code = tag.toLowerCase().split("-")[0];
    if (Object.hasOwn(languages, code)) return code;
  }
  return "en";
}

export const language = wanted();
const {decimal, group} = languages[language];
const texts = language === "en" ? {} : await translations();

async function translations() {
  try {
    const answer = await fetch(new URL(`text/${language}.json`, import.meta.url));
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

export function choose_language(code) {
  store("language", code);
  location.reload();
}

// tr("{n} of {all} answers", {n: 3, all: 24})
export function tr(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole);
}

// counted(n, "{n} student", "{n} students")
export function counted(n, one, other, values = {}) {
  return tr(n === 1 ? one : other, {n: shown(n), ...values});
}

// Translates the texts that stand in a page: elements with data-text, and labels with data-label.
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-text]"))
    element.textContent = tr(element.textContent.trim().replace(/\s+/g, " "));
  for (const element of root.querySelectorAll("[data-label]"))
    element.setAttribute("aria-label", tr(element.dataset.label));
}

// "1,024", "0.125", with the marks of the language.
export function shown(value) {
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15))
    return String(Number(value.toPrecision(6))).replace(".", decimal);
  const whole = Math.trunc(Math.abs(value)).toString();
  const digits = Math.max(0, 6 - (whole === "0" ? 0 : whole.length));
  const [before, after] =
    Math.abs(value).toFixed(Number.isInteger(value) ? 0 : digits).split(".");
  const grouped = before.replace(/\B(?=(\d{3})+$)/g, group);
  const rest = (after ?? "").replace(/0+$/, "");
  return (value < 0 ? "−" : "") + grouped + (rest ? decimal + rest : "");
}

// of: {unit, unit_one}, both may be missing: "3 sectors", "1 sector", "50%"
export function with_unit(value, of) {
  const unit = (Math.abs(value) === 1 && of?.unit_one) || of?.unit;
  return shown(value) + (!unit ? "" : unit.startsWith("%") ? unit : " " + unit);
}

// The number that somebody typed, or null. As the lab's window reads it: a group mark must separate
// thousands; one that cannot is taken as a decimal mark, since phones offer the key of their own
// language.
export function typed_number(text) {
  let typed = text.trim().replace(/[\u00a0\u202f]/g, " ").replace(/^[−–]/, "-");
  if (!/^[-+]?[\d.,eE +-]+$/.test(typed)) return null;
  const grouped = (mark) => new RegExp(`^([-+]?[1-9]\\d{0,2}(?:\\${mark}\\d{3})+)(?!\\d)`);
  for (const mark of [group, " "]) {
    if (grouped(mark).test(typed))
      typed = typed.replace(grouped(mark), (whole) => whole.replaceAll(mark, ""));
  }
  typed = typed.replace(/[.,]/, ".");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(typed)) return null;
  const value = Number(typed);
  return Number.isFinite(value) ? value : null;
}

// The desk's dialogs: one at a time, closed by Esc like the browser's own.
import {by_id, el, put} from "./dom.js";
import {tr} from "./text.js";

// Shows `content` under a title with the buttons [{text, main, danger, value}]; gives the value of the
// one that was pressed, or null. check(): false keeps the dialog open.
export function show_dialog(title, content, buttons, check = () => true) {
  const dialog = by_id("dialog");
  return new Promise((resolve) => {
    let result = null;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    dialog.setAttribute("aria-labelledby", "dialog-title");
    put(dialog, el("h2", {id: "dialog-title"}, title), el("form", {
        method: "dialog",
        onsubmit(event) {
          event.preventDefault();
          const value = event.submitter?.value ?? null;
          if (value === "" || check()) close(value || null);
        },
      }, content, el("div", {class: "controls"}, buttons.map(({text, main, danger, value}) =>
        el("button", {type: "submit", value, class: main ? "main" : danger ? "danger" : "", formnovalidate: true}, text)))));
    dialog.addEventListener("close", () => resolve(result), {once: true});
    dialog.showModal();
  });
}

export async function ask_to_confirm(title, text, action, danger = false) {
  const content = typeof text === "string" ? el("p", {}, text) : text;
  return (await show_dialog(title, content, [
    {text: action, main: !danger, danger, value: "yes"}, {text: tr("Cancel"), value: ""}])) === "yes";
}

// What the plain pages share: their texts, their foot, and the line that says whether they are connected.
import {by_id, put, say} from "./dom.js";
import {settings} from "./settings.js";
import {tr, translate} from "./text.js";

export function start_page(title) {
  translate();
  if (title) document.title = `${title} · Warpshop`;
  const foot = by_id("settings");
  if (foot) put(foot, settings());
}

export function show_connection(connected) {
  const line = by_id("connection");
  line.hidden = connected;
  say(line, connected ? "" : tr("No connection. Trying again…"));
}

// Shows one of the page's views, elements with data-view, and hides the others.
export function show_view(name) {
  for (const view of document.querySelectorAll("[data-view]"))
    view.hidden = view.dataset.view !== name;
}

// Why the server has ended a page's connection, in the reader's language.
export function kicked_because(why) {
  const known = {
    "the lecturer has removed you from the class": tr("The lecturer removed you from the class."),
    "too many windows of this browser are open": tr("Too many windows of this browser are in the class. Close some, then load this page again."),
  };
  return known[why] ?? why;
}

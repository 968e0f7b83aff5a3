// Elements without HTML: texts become text nodes, whatever they contain.

// el("p", {class: "muted", onclick: f, hidden: true}, "text", element, …). Attributes that are null,
// undefined or false are left out; a child that is one of these as well.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  put(element, ...children);
  return element;
}

// Replaces the element's content.
export function put(element, ...children) {
  element.replaceChildren(
    ...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
}

export const by_id = (id) => document.getElementById(id);

// Sets a text only if it differs, so that screen readers announce changes only.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A bar that fills `share` (0 to 1) of its place. The number beside it says the same in words.
export function bar(share, kind = "") {
  const filled = el("span", {class: `bar-filled ${kind}`});
  filled.style.width = `${100 * Math.min(1, Math.max(0, share || 0))}%`;
  return el("span", {class: "bar", "aria-hidden": "true"}, filled);
}

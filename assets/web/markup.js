// The marks that questions and explanations use, as elements: `code`, *emphasis*, $formula$.
import {el} from "./dom.js";

const kMark = /`([^`]+)`|\*\*(\S(?:[^*]*\S)?)\*\*|\*(\S(?:[^*]*\S)?)\*|\$([^$\s](?:[^$]*[^$\s])?)\$/g;

// A list of nodes.
export function marked(text) {
  const nodes = [];
  let end = 0;
  for (const mark of text.matchAll(kMark)) {
    nodes.push(document.createTextNode(text.slice(end, mark.index)));
    const [whole, code, strong, emphasis, formula] = mark;
    if (code) nodes.push(el("code", {}, code));
    else if (strong) nodes.push(el("strong", {}, strong));
    else if (emphasis) nodes.push(el("em", {}, emphasis));
    else nodes.push(...formula_nodes(formula));
    end = mark.index + whole.length;
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

// Powers and indices; everything else of a formula stays as it is written.
function formula_nodes(formula) {
  const nodes = [];
  let end = 0;
  for (const part of formula.matchAll(/([\^_])(?:\{([^{}]*)\}|(\w))/g)) {
    nodes.push(document.createTextNode(formula.slice(end, part.index)));
    nodes.push(el(part[1] === "^" ? "sup" : "sub", {}, part[2] ?? part[3]));
    end = part.index + part[0].length;
  }
  nodes.push(document.createTextNode(formula.slice(end)));
  return nodes;
}

// Choices that this browser keeps. Private windows may refuse to store: then they last for the page.
const prefix = "warpshop-";
const kept = {};

export function stored(name) {
  try {
    return localStorage.getItem(prefix + name) ?? kept[name] ?? null;
  } catch {
    return kept[name] ?? null;
  }
}

export function store(name, value) {
  kept[name] = value;
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // kept above
  }
}

// The addresses under which students may open the class.
import {root} from "./api.js";

export const is_loopback = (address) => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(address).hostname);

// The one under which this page was opened comes first: it may be a proxy's, which the server does not know.
// Not if only this machine knows it, as long as the server names others.
export function addresses_of(given) {
  const own = is_loopback(root) && given.some((address) => !is_loopback(address)) ? [] : [root.href];
  return [...new Set([...own, ...given])];
}

// The addresses under which students may open the class.
import {root} from "./api.js";

export const is_loopback = (address) => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(address).hostname);

// The one under which this page was opened comes first: it may be a proxy's, which the server does not know.
// Those that only this machine knows are left out, as long as there are others.
export function addresses_of(given) {
  const all = [...new Set([root.href, ...given])];
  const reachable = all.filter((address) => !is_loopback(address));
  return reachable.length ? reachable : all;
}

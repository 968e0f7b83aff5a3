// Requests to the server. The pages may lie below any path: everything is relative to this module,
// which is in web/ below the server's root.
import {tr} from "./text.js";

export const root = new URL("..", import.meta.url);

// {status, body, wait}: status 0 when nobody answered; body {} when the answer is no JSON; wait: the
// seconds of Retry-After.
async function request(path, options) {
  let answer;
  try {
    answer = await fetch(new URL(path, root), {credentials: "same-origin", cache: "no-store", ...options});
  } catch {
    return {status: 0, body: {}, wait: 0};
  }
  let body = {};
  try {
    body = await answer.json();
  } catch {
    // a proxy's page
  }
  return {status: answer.status, body, wait: Number(answer.headers.get("Retry-After")) || 0};
}

export const get = (path) => request(path, {});
export const post = (path, body = {}) => request(path, {
  method: "POST",
  headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body),
});

// What to tell people about an answer that no page knows.
export function problem({status, body, wait}) {
  if (status === 0) return tr("The server does not answer. Are you in the right network?");
  if (status === 429) return tr("Too many attempts. Try again in {n} seconds.", {n: wait || 30});
  if (status === 502 || status === 503 || status === 504)
    return tr("The server is not running at the moment. Try again in a minute.");
  return tr("The server answered with error {status}: {message}", {status, message: body.message ?? ""});
}

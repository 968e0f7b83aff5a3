// The first page: name and code, or the key of somebody who is in the class already.
import {get, post, problem} from "./api.js";
import {by_id, put, say} from "./dom.js";
import {show_view, start_page} from "./page.js";
import {stored, store} from "./stored.js";
import {tr} from "./text.js";

const kLongestName = 60;

start_page();
const phone = matchMedia("(pointer: coarse) and (max-width: 700px)").matches;
if (phone) by_id("actions").prepend(by_id("to-vote"));
else say(by_id("to-vote"), tr("Only vote"));
(phone ? by_id("to-lab") : by_id("to-vote")).classList.remove("main");

// The page that sent people here to join first.
const wanted = new Map([["vote", "vote"], ["lab", "lab/"], ["board", "board"]])
  .get(new URLSearchParams(location.search).get("to"));

let sure = false;  // the next press on "leave" leaves; who has no key is told first

async function look() {
  const answer = await get("api/me");
  say(by_id("class-title"), answer.body.class ?? "");
  if (answer.status === 200 && answer.body.student) show_in(answer.body);
  else if (answer.status === 200 || answer.status === 401) show_join();
  else {
    say(by_id("down-why"), problem(answer));
    show_view("down");
  }
}

function show_join() {
  show_view("join");
  // A code in the address, as from a QR code, was for this page only.
  const code = location.hash.slice(1);
  if (/^[\w-]{1,20}$/.test(code)) {
    by_id("code-field").value = code;
    history.replaceState(null, "", location.pathname + location.search);
  }
  by_id("name-field").focus();
}

function show_in({name, student}) {
  const as = document.createElement("bdi");
  as.textContent = name;
  const [before, after] = tr("You are in the class as {name}.").split("{name}");
  put(by_id("in-as"), before, as, after);
  const kept = JSON.parse(stored("key") ?? "null");
  const has_key = kept?.student === student;
  if (has_key) say(by_id("key"), kept.key);
  by_id("key-box").hidden = !has_key;
  say(by_id("leave"), tr("Not you? Leave the class in this browser"));
  sure = has_key;
  show_view("in");
}

function entered({student, name, key}, direct) {
  if (key) store("key", JSON.stringify({student, key}));
  if (direct && wanted) location.assign(wanted);
  else show_in({student, name});
}

// Says what is wrong with a field, or with none.
function complain(error, field, text) {
  say(error, text);
  for (const input of error.form_fields ?? []) input.removeAttribute("aria-invalid");
  if (!field) return;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

async function submit(form, request) {
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    return await post("api/join", request);
  } finally {
    button.disabled = false;
  }
}

by_id("join-error").form_fields = [by_id("name-field"), by_id("code-field")];
by_id("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const error = by_id("join-error"), name_field = by_id("name-field"), code_field = by_id("code-field");
  const name = name_field.value.trim().replace(/\s+/g, " "), code = code_field.value.replace(/\s/g, "");
  if (!name) return complain(error, name_field, tr("Type your name."));
  if ([...name].length > kLongestName)
    return complain(error, name_field, tr("The name is too long: at most {n} characters.", {n: kLongestName}));
  if (!code) return complain(error, code_field, tr("Type the join code. It is on the board."));
  const answer = await submit(event.target, {name, code});
  if (answer.status === 200) return entered(answer.body, false);
  if (answer.status === 403)
    return complain(error, code_field, tr("This is not the code of this class. Look at the board."));
  if (answer.status === 409) {
    by_id("second").open = true;
    return complain(error, name_field,
      tr("Somebody with this name is in the class. If it is you, use your key below; else add to the name."));
  }
  if (answer.status === 422) return complain(error, name_field, tr("The server does not accept this name: it may have up to {n} characters, and no control characters.", {n: kLongestName}));
  complain(error, null, problem(answer));
});

by_id("key-error").form_fields = [by_id("key-field")];
by_id("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const error = by_id("key-error"), field = by_id("key-field");
  const key = field.value.trim();
  if (!key) return complain(error, field, tr("Type your key."));
  const answer = await submit(event.target, {key});
  if (answer.status === 200) return entered(answer.body, true);
  if (answer.status === 403)
    return complain(error, field, tr("Nobody has this key. Check it, or ask the lecturer for a new one."));
  complain(error, null, problem(answer));
});

by_id("leave").addEventListener("click", async () => {
  if (!sure) {
    sure = true;
    say(by_id("leave"), tr("Without your key, you cannot come back under this name. Leave anyway"));
    return;
  }
  await post("api/leave");
  store("key", null);
  store("vote", null);
  by_id("key-box").hidden = true;
  look();
});
by_id("retry").addEventListener("click", look);
addEventListener("pageshow", (event) => event.persisted && look());
look();

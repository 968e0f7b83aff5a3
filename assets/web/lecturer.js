// The lecturer's desk: login, and what the parts below it share.
import {addresses_of, is_loopback} from "./addresses.js";
import {get, post, problem} from "./api.js";
import {by_id, el, put, say} from "./dom.js";
import {ask_to_confirm} from "./lecturer_dialog.js";
import {Place} from "./lecturer_place.js";
import {Polls} from "./lecturer_polls.js";
import {Students} from "./lecturer_students.js";
import {Live} from "./live.js";
import {show_connection, show_view, start_page} from "./page.js";
import {counted, language, shown, tr} from "./text.js";

start_page(tr("Lecturer"));
let live = null;

// A message that must arrive: says so if there is no connection.
function send(message) {
  if (live?.send(message)) return notice("");
  notice(tr("No connection to the server: nothing was sent. Try again when the connection is back."));
}

function notice(text) {
  const line = by_id("notice");
  line.hidden = !text;
  say(line, text);
}

const polls = new Polls(send);
const place = new Place(send, (lab, step) => polls.list(lab, step));
const students = new Students(notice);

// --- login ----------------------------------------------------------------------------------------

async function start() {
  const answer = await get("api/me");
  say(by_id("class-title"), answer.body.class ?? "");
  if (answer.status === 200 && answer.body.lecturer) return open_desk();
  show_view("login");
  if (answer.status !== 200 && answer.status !== 401) say(by_id("token-error"), problem(answer));
  by_id("token").focus();
}

by_id("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = by_id("token"), error = by_id("token-error");
  const answer = await post("api/lecturer", {token: field.value.trim()});
  if (answer.status === 200) {
    field.value = "";
    say(error, "");
    return open_desk();
  }
  say(error, answer.status === 403 ? tr("This is not the token. Copy it from the terminal.") : problem(answer));
  field.focus();
  field.select();
});

async function open_desk() {
  const [labs] = await Promise.all([get(`api/labs?lang=${language}`), show_join()]);
  if (labs.status === 200) {
    place.load(labs.body.labs);
    students.load(labs.body.labs);
  } else {
    notice(problem(labs));
  }
  by_id("links").hidden = false;
  show_view("desk");
  connect();
}

// --- how to join ----------------------------------------------------------------------------------

async function show_join() {
  const answer = await get("api/class");
  if (answer.status !== 200) return notice(problem(answer));
  const {code, addresses, data} = answer.body;
  const all = addresses_of(addresses ?? []);
  say(by_id("join-note"), all.every(is_loopback) ? tr("Only this machine can open this address.")
    : all[0].startsWith("http:")
      ? tr("Over http, students can vote, but their browsers do not run the lab: it needs https (docs/class.md).") : "");
  put(by_id("join"),
    all.map((address) => [el("dt", {}, tr("Address")), el("dd", {}, address)]).flat(),
    el("dt", {}, tr("Join code")), el("dd", {class: "large", id: "code"}, code),
    data && [el("dt", {}, tr("Work is kept in")), el("dd", {}, data)]);
}

by_id("new-code").addEventListener("click", async () => {
  const sure = await ask_to_confirm(tr("New join code"),
    tr("The old code admits nobody any more. Those who are in the class stay in it."), tr("Make a new code"));
  if (!sure) return;
  const answer = await post("api/code");
  if (answer.status !== 200) return notice(problem(answer));
  notice("");
  await show_join();
});

// --- live -----------------------------------------------------------------------------------------

function connect() {
  live = new Live("lecturer", {
    welcome(message) {
      say(by_id("class-title"), message.class);
      polls.show(message.poll);
      place.show_follow(message.follow);
      show_students(message.students ?? []);
    },
    poll: (poll) => polls.show(poll),
    follow: (follow) => place.show_follow(follow),
    students: (message) => show_students(message.students),
    code: show_join,
    gpu: show_gpu,
    refused: ({message}) => notice(message),
    state: show_connection,
    out() {
      location.reload();
    },
  });
}

function show_students(list) {
  const online = list.filter((student) => student.online).length;
  polls.people = online;
  polls.show(polls.poll);
  say(by_id("here"), list.length === 0 ? tr("Nobody has joined yet")
    : tr("{n} of {all} students here", {n: shown(online), all: shown(list.length)}));
  students.show(list);
}

function show_gpu({queue, workers, of, problem}) {
  by_id("gpu-panel").hidden = !of;
  say(by_id("gpu-workers"), workers < of ? tr("{n} of {all} workers are ready", {n: shown(workers), all: shown(of)})
    : queue.length === 0
      ? counted(workers, "{n} worker, idle", "{n} workers, idle") : counted(workers, "{n} worker", "{n} workers"));
  say(by_id("gpu-problem"), problem ?? "");
  // A lecturer is no student, and a student who has just been removed has no name any more.
  const who = ({name, mine}) => name ?? (mine ? tr("the lecturer") : tr("somebody"));
  put(by_id("gpu"), queue.map((job) => el("li", {}, el("bdi", {}, who(job)),
    job.state === "running" ? " · " + tr("running") : "")));
}

start();

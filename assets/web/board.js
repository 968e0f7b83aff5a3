// The projector's page: how to join, the question, or where the class is. It names nobody.
import {addresses_of} from "./addresses.js";
import {get} from "./api.js";
import {check_title} from "./checks.js";
import {bar, by_id, el, put, say} from "./dom.js";
import {Live} from "./live.js";
import {show_connection, show_view, start_page} from "./page.js";
import {PollView} from "./poll.js";
import {qr_picture} from "./qr.js";
import {counted, language, shown, tr} from "./text.js";

const kMostSteps = 10;
const kSmallest = 0.55;  // of the usual size
const kAllFailing = 5;   // steps: up to so many say what most people miss,
const kMostFailing = 4;  // of more only these
const kLongAddress = 30;

start_page(tr("Board"));
const view = new PollView();
put(by_id("poll"), view.element);
let board = {students: 0, online: 0, steps: []};
let poll = null;
let labs = new Map();  // id → {title, steps}
let wants_join = null;  // what the button asked for; null: as the class needs it

function show() {
  const moving = board.steps.some((step) => step.here > 0 || step.passed > 0);
  const join = wants_join ?? (!poll && !moving);
  show_view(join ? "join" : poll ? "poll" : "steps");
  by_id("join-line").hidden = join || !by_id("join-code").textContent;
  const button = by_id("switch");
  button.hidden = false;
  say(button, join ? (poll ? tr("Show the question") : tr("Show the steps")) : tr("Show how to join"));
  button.onclick = () => {
    wants_join = !join;
    show();
  };
  const here = board.online === 0 ? tr("Nobody is here yet")
    : counted(board.online, "{n} person is here", "{n} people are here");
  say(by_id("here"), join ? "" : here);
  say(by_id("large-here"), here);
  if (poll) {
    view.show(poll, {people: board.online});
  }
  draw_steps();
  fit();
}

// Nobody can scroll a projector: what is too much becomes smaller.
function fit() {
  const main = document.querySelector("main");
  for (let size = 1; size >= kSmallest; size -= 0.05) {
    main.style.setProperty("--fit", size.toFixed(2));
    if (main.scrollHeight <= main.clientHeight) return;
  }
}
addEventListener("resize", fit);

// The lab where most are, and its steps where anybody is or was.
function draw_steps() {
  const here = new Map();
  for (const step of board.steps) here.set(step.lab, (here.get(step.lab) ?? 0) + step.here);
  const lab = [...here.keys()].sort((a, b) => here.get(b) - here.get(a))[0];
  const numbers = new Map((labs.get(lab)?.steps ?? []).map((step, index) => [step.id, index + 1]));
  say(by_id("lab-title"), labs.get(lab)?.title ?? lab ?? tr("Nobody has opened a lab yet"));
  const order = (step) => numbers.get(step.step) ?? Infinity;
  const steps = board.steps.filter((step) => step.lab === lab && (step.here > 0 || step.passed > 0))
    .sort((a, b) => order(a) - order(b));
  while (steps.length > kMostSteps) {
    const empty = steps.findIndex((step) => step.here === 0);
    steps.splice(Math.max(0, empty), 1);
  }
  // With many steps, only those that most people are stuck at say with what.
  const stuck = steps.map((step) => step.failing[0]?.count ?? 0).sort((a, b) => b - a);
  const least = steps.length > kAllFailing ? Math.max(1, stuck[kMostFailing - 1]) : 1;
  put(by_id("steps"), steps.map((step) => draw_step(step, numbers.get(step.step), least)));
  const others = [...here].filter(([id, n]) => id !== lab && n > 0)
    .map(([id, n]) => `${labs.get(id)?.title ?? id}: ${shown(n)}`);
  say(by_id("elsewhere"), others.length ? tr("Elsewhere: {labs}", {labs: others.join(", ")}) : "");
}

function draw_step(step, number, least) {
  const known = labs.get(step.lab)?.steps[number - 1];  // in the board's language
  const worst = step.failing[0]?.count >= least ? step.failing[0] : null;
  return el("li", {class: "step"},
    el("span", {class: "step-title"}, el("span", {class: "step-number"}, number ? String(number) : ""), known?.title ?? step.title),
    el("span", {class: `step-here${step.here ? "" : " none"}`},
      el("span", {class: "unseen"}, tr("here now") + ": "), shown(step.here)),
    el("span", {class: "step-passed"}, bar(step.passed / board.students, "good"),
      el("span", {class: "count"}, el("span", {class: "unseen"}, tr("passed") + ": "),
        tr("{n} of {all}", {n: shown(step.passed), all: shown(board.students)}))),
    worst && el("span", {class: "step-failing"},
      tr("most often missed: {check} ({n})", {check: check_title(known, worst.check) ?? worst.title, n: shown(worst.count)})));
}

// --- how to join ----------------------------------------------------------------------------------

async function load_class() {
  const answer = await get("api/class");
  if (answer.status !== 200) return;  // a student's board
  const {code, addresses} = answer.body;
  const all = addresses_of(addresses ?? []);
  const select = by_id("addresses");
  const chosen = all.includes(select.value) ? select.value : all[0];
  put(select, all.map((address) => el("option", {value: address, selected: address === chosen}, address)));
  by_id("address-choice").hidden = all.length < 2;
  const use = async (address) => {
    const plain = address.replace(/^https?:\/\//, "").replace(/\/$/, "");
    const spoken = address.startsWith("https:") ? address.replace(/\/$/, "") : plain;
    for (const id of ["join-address", "large-address"]) say(by_id(id), spoken);
    by_id("large-address").classList.toggle("long", spoken.length > kLongAddress);
    for (const id of ["join-code", "large-code"]) say(by_id(id), code);
    const picture = await qr_picture(`${address}#${code}`);
    by_id("qr").hidden = !picture;
    if (picture) put(by_id("qr"), picture);
    show();
  };
  select.onchange = () => use(select.value);
  await use(chosen);
}

async function load_labs() {
  const answer = await get(`api/labs?lang=${language}`);
  if (answer.status === 200) labs = new Map(answer.body.labs.map((lab) => [lab.id, lab]));
}

// --- live -----------------------------------------------------------------------------------------

const live = new Live("board", {
  async welcome(message) {
    say(by_id("class-title"), message.class);
    take_poll(message.poll);
    show();
    await Promise.all([load_labs(), message.lecturer && load_class()]);
    if (!message.lecturer) say(by_id("join-title"), tr("The class begins soon"));
    document.querySelector(".code-line").hidden = !message.lecturer;
    show();
  },
  poll(message) {
    take_poll(message);
    show();
  },
  board(message) {
    board = message;
    show();
  },
  code: load_class,
  state: show_connection,
  kicked: () => show_view("ended"),
  out: () => show_view("ended"),
});

// A new question comes to the front.
function take_poll(message) {
  const next = message && message.state !== "none" ? message : null;
  if (next?.id !== poll?.id || next?.round !== poll?.round) wants_join = null;
  poll = next;
}

addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "j" && !event.ctrlKey && !event.metaKey && !event.altKey && !live.stopped)
    by_id("switch").click();
});

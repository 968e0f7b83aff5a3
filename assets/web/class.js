// The class in the lab's page: questions to answer, "follow me", and whether the class is still there. The
// lab is the program's ClassLink:
//   on_place         set here; called with {lab, step, passed, failing, of, mode, source} when they change
//   open(lab, step)  goes there
//   follow({lab, step, source}), unfollow()   shows a text instead of the student's own, and the own again
//   question()       the question at hand: {lab, step, question, text, choices | number, answer, …} or null
import {root} from "./api.js";
import {el, put, say} from "./dom.js";
import {Live} from "./live.js";
import {kicked_because} from "./page.js";
import {PollView} from "./poll.js";
import {stored, store} from "./stored.js";
import {counted, tr} from "./text.js";
import {Votes} from "./votes.js";

const kPatience = 3_000;  // ms without a connection before the page says so
const kSourcePause = 400;  // ms between two texts that a leading lecturer sends

const read = (value) => (typeof value === "string" ? JSON.parse(value) : value);

export function start_class(lab) {
  document.head.append(el("link", {rel: "stylesheet", href: new URL("web/class.css", root).href}));
  new ClassPanel(lab);
}

class ClassPanel {
  constructor(lab) {
    this.lab = lab;
    this.place = null;
    this.lead = {on: false};
    this.following = false;
    this.line = el("p", {class: "class-line", role: "status", hidden: true});
    this.tools = el("p", {class: "class-tools", hidden: true});
    this.lead_bar = el("div", {class: "class-card", role: "status", hidden: true});
    this.card = el("div", {class: "class-card", hidden: true});
    document.body.append(el("aside", {id: "class", "aria-label": tr("Class")},
      this.line, this.lead_bar, this.card, this.tools));
    this.votes = new Votes((message) => this.live.send(message), () => this.#draw_poll());
    this.view = new PollView({vote: (answer) => this.votes.vote(answer)});
    this.live = new Live("lab", {
      welcome: (message) => this.#welcome(message),
      poll: (poll) => this.#take_poll(poll),
      follow: (follow) => this.#follow(follow),
      refused: ({of, message}) => of === "vote" && this.votes.refuse(message),
      state: (connected) => this.#connection(connected),
      kicked: ({why}) => this.#end(kicked_because(why)),
      out: () => this.#end(tr("The server does not know this browser any more. Join again; your work is kept here.")),
    });
    lab.on_place = (place) => this.#moved(read(place));
  }

  #welcome(message) {
    this.lecturer = message.lecturer && !message.student;
    this.#send_place(true);
    if (this.lecturer) this.#draw_tools();
    this.#follow(message.follow ?? {on: false});
    this.#take_poll(message.poll, true);
  }

  // --- where the student is -----------------------------------------------------------------------

  #moved(place) {
    this.place = place;
    this.#send_place();
    if (this.lecturer && this.lead.on) this.#lead_on();
  }

  // Only what has changed: the place is told with each letter of the source, too. again: to a server that
  // may not know it.
  #send_place(again = false) {
    if (!this.place || this.lecturer) return;
    const {lab, step, passed, failing, of, mode} = this.place;
    const message = {type: "at", lab, step, passed, failing, of, mode};
    const text = JSON.stringify(message);
    if ((again || text !== this.sent) && this.live.send(message)) this.sent = text;
  }

  // --- follow me ----------------------------------------------------------------------------------

  #follow(lead) {
    const before = this.lead;
    this.lead = lead?.on ? lead : {on: false};
    if (this.lecturer) return this.#draw_tools();
    if (!this.lead.on) {
      if (before.on || stored("own-place")) this.#go_home();
      this.stays = false;
    } else if (!this.stays) {
      this.#go_along();
    }
    this.#draw_lead();
  }

  #go_along() {
    if (!this.following && !stored("own-place") && this.place)
      store("own-place", JSON.stringify({lab: this.place.lab, step: this.place.step}));
    this.following = true;
    const {lab, step, source} = this.lead;
    if (source) return this.lab.follow?.({lab, step, source});
    this.lab.unfollow?.();
    this.lab.open?.(lab, step);
  }

  // Back to the own step and the own text.
  #go_home() {
    const own = JSON.parse(stored("own-place") ?? "null");
    store("own-place", null);
    if (this.following || own) this.lab.unfollow?.();
    if (own) this.lab.open?.(own.lab, own.step);
    this.following = false;
  }

  #draw_lead() {
    this.lead_bar.hidden = !this.lead.on;
    if (!this.lead.on) return;
    const button = (text, action) => el("button", {type: "button", onclick: () => {
      action();
      this.#draw_lead();
    }}, text);
    put(this.lead_bar, this.following
      ? [el("p", {}, tr("You see what the lecturer shows. Your own work is kept.")),
        button(tr("Back to my own work"), () => {
          this.stays = true;
          this.#go_home();
        })]
      : [el("p", {}, tr("The lecturer is showing something.")),
        button(tr("Follow"), () => {
          this.stays = false;
          this.#go_along();
        })]);
  }

  // --- the lecturer's own lab -----------------------------------------------------------------------

  #draw_tools() {
    this.tools.hidden = false;
    put(this.tools,
      el("button", {type: "button", "aria-pressed": String(this.lead.on), onclick: () => {
        if (this.lead.on) this.live.send({type: "follow", on: false});
        else this.#lead_on(true);
      }}, this.lead.on ? tr("Follow me: on") : tr("Follow me")),
      el("button", {type: "button", onclick: () => this.#ask()}, tr("Ask the class")));
  }

  // Sends the place at once, and a text that is being typed now and then.
  #lead_on(now = false) {
    if (!this.place) return;
    clearTimeout(this.lead_timer);
    this.lead_timer = setTimeout(() => {
      const {lab, step, source} = this.place;
      this.live.send({type: "follow", on: true, lab, step, source: source ?? null});
    }, now ? 0 : kSourcePause);
  }

  #ask() {
    const question = read(this.lab.question?.() ?? "null");
    if (question?.choices || question?.number) {
      this.#notice("");
      this.live.send({type: "poll-open", ...question});
    } else {
      this.#notice(question ? tr("This question needs choices to vote on. Ask it on the lecturer's page.")
                            : tr("This step has no question. The lecturer's page has more."));
    }
  }

  // --- questions ------------------------------------------------------------------------------------

  #take_poll(poll, first = false) {
    const stage = poll && `${poll.id} ${poll.round} ${poll.state}`;
    if (stage !== this.stage) this.hidden = poll?.state === "closed" && this.hidden;
    this.stage = stage;
    this.votes.receive(poll, first);
  }

  #draw_poll() {
    const {poll} = this.votes;
    this.card.hidden = !poll;
    if (!poll) return;
    if (this.lecturer) {
      this.card.classList.add("small");
      put(this.card, el("p", {}, poll.state === "open"
        ? counted(poll.voted ?? 0, "{n} answer is in", "{n} answers are in") : tr("The question is closed.")),
        el("a", {href: new URL("lecturer", root).href, target: "warpshop-lecturer"}, tr("Lecturer's page")));
      return;
    }
    this.card.classList.toggle("small", Boolean(this.hidden));
    if (this.hidden) {
      put(this.card, el("button", {type: "button", onclick: () => this.#hide(false)},
        poll.state === "open" ? tr("A question is open") : tr("Show the question")));
      return;
    }
    if (!this.card.contains(this.view.element)) {
      put(this.card, el("button", {type: "button", class: "class-hide", "aria-label": tr("Hide the question"),
                                   onclick: () => this.#hide(true)}, "×"), this.view.element);
    }
    this.view.show(poll, {pending: this.votes.pending, connected: this.live.connected, refused: this.votes.refused});
  }

  #hide(hidden) {
    this.hidden = hidden;
    this.#draw_poll();
  }

  // --- the connection -------------------------------------------------------------------------------

  #connection(connected) {
    clearTimeout(this.lost_timer);
    if (connected) return this.#notice("");
    this.lost_timer = setTimeout(() => {
      if (!this.live.stopped) this.#notice(tr("No connection to the class. Your work goes on; trying again…"));
    }, kPatience);
    if (this.votes.poll) this.#draw_poll();
  }

  #notice(text) {
    this.line.hidden = !text;
    say(this.line, text);
  }

  #end(why) {
    clearTimeout(this.lost_timer);
    this.card.hidden = this.lead_bar.hidden = this.tools.hidden = true;
    this.line.hidden = false;
    put(this.line, why, " ", el("a", {href: root.href}, tr("Start page")));
    this.#go_home();
  }
}

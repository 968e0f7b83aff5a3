// A poll as the voter, the board and the lecturer see it.
import {bar, el, put, say} from "./dom.js";
import {marked} from "./markup.js";
import {counted, shown, tr, typed_number, with_unit} from "./text.js";

const kRounding = 1e-9;
const kMostValues = 8;  // typed numbers that are drawn one by one

export const letter = (index) => String.fromCharCode(65 + index);

export function answer_shown(poll, answer) {
  if (poll.choices) return letter(answer);
  return with_unit(answer, poll.number);
}

const sum = (counts) => counts.reduce((total, n) => total + n, 0);

// What a poll's distribution shows: {totals: [votes per round], rows: [{name, text, right, mine, counts:
// [votes per round]}]}. Numbers that few typed are one row at the end.
export function distribution(poll) {
  const rounds = [...(poll.earlier ?? []), poll.counts ?? []];
  if (poll.choices) {
    return {
      totals: rounds.map(sum),
      rows: poll.choices.map((text, index) => ({
        name: letter(index),
        text,
        right: poll.answer === index,
        mine: poll.mine === index,
        counts: rounds.map((counts) => counts[index] ?? 0),
      })),
    };
  }
  const of = (counts, value) => counts.find((entry) => entry.value === value)?.count ?? 0;
  const known = typeof poll.answer === "number";
  // As the lab's window accepts numbers: 0.1 + 0.2 is 0.3.
  const most = (poll.tolerance ?? 0) + kRounding * Math.max(1, Math.abs(poll.answer));
  const is_right = (value) => known && Math.abs(value - poll.answer) <= most;
  let values = [...new Set(rounds.flat().map((entry) => entry.value))];
  if (known && !values.some(is_right)) values.push(poll.answer);
  const weight = (value) => sum(rounds.map((counts) => of(counts, value))) +
    (is_right(value) || value === poll.mine ? 1e6 : 0);
  values = values.sort((a, b) => weight(b) - weight(a));
  const others = values.splice(kMostValues);
  const rows = values.sort((a, b) => a - b).map((value) => ({
    name: with_unit(value, poll.number),
    text: "",
    right: is_right(value),
    mine: poll.mine === value,
    counts: rounds.map((counts) => of(counts, value)),
  }));
  if (others.length > 0) {
    rows.push({
      name: tr("others"),
      text: "",
      right: false,
      mine: false,
      counts: rounds.map((counts) => sum(others.map((value) => of(counts, value)))),
    });
  }
  return {
    totals: rounds.map((counts) => sum(counts.map((entry) => entry.count))),
    rows,
  };
}

const tags = ({right, mine}) => [
  right && el("span", {class: "tag good"}, "✓ " + tr("right answer")),
  mine && el("span", {class: "tag"}, tr("your answer")),
];

export class PollView {
  // vote(answer): called when the voter chooses; null where nobody votes.
  // lecturer: counts are there before the reveal, and so is the right answer.
  constructor({vote = null, lecturer = false} = {}) {
    this.vote = vote;
    this.lecturer = lecturer;
    this.status = el("p", {class: "poll-status", role: "status"});
    this.body = el("div", {class: "poll-body"});
    this.element = el("section", {class: "poll", "aria-label": tr("Question")}, this.body, this.status);
  }

  // pending: an answer that the server has not confirmed yet; people: how many could vote, if known.
  show(poll, {pending = null, connected = true, people = null, refused = ""} = {}) {
    this.poll = poll;
    const stage = [poll.id, poll.round, poll.state].join();
    if (stage !== this.stage) {
      this.stage = stage;
      this.typing = null;
      this.#build();
    } else if (this.#shows_counts()) {
      this.#draw_counts();
    }
    this.element.dataset.state = poll.state;
    this.#mark(pending ?? poll.mine ?? null);
    const sent = poll.state === "open" && pending === null && typeof poll.mine === "number";
    this.status.classList.toggle("sent", sent && !refused);
    say(this.status, this.vote ? this.#voter_status(pending, connected, refused)
                               : this.#class_status(people));
  }

  #shows_counts() {
    return Boolean(this.poll.counts) && (this.lecturer || this.poll.state === "revealed");
  }

  #build() {
    const {poll} = this;
    this.inputs = [];
    this.rows = null;
    put(this.body,
      poll.round > 1 && poll.state !== "revealed" &&
        el("p", {class: "round"}, tr("Round {n}: answer again, after talking to your neighbours", {n: poll.round})),
      el("p", {class: "ask"}, marked(poll.text)),
      this.#shows_counts() ? this.#counts() : poll.choices ? this.#choices() : this.#number(),
      poll.state === "revealed" && poll.explanation &&
        el("p", {class: "explanation"}, marked(poll.explanation)));
  }

  #choices() {
    const {poll} = this;
    if (!this.vote || poll.state !== "open") {
      return el("ol", {class: "choices"}, poll.choices.map((text, index) =>
        el("li", {class: "choice"}, el("span", {class: "letter"}, letter(index)),
          el("span", {class: "choice-text"}, marked(text)))));
    }
    return el("fieldset", {class: "choices"}, el("legend", {class: "unseen"}, tr("Your answer")),
      poll.choices.map((text, index) => {
        const input = el("input", {type: "radio", name: `poll-${poll.id}`, value: index,
                                   onchange: () => this.vote(index)});
        this.inputs.push(input);
        return el("label", {class: "choice"}, input, el("span", {class: "letter"}, letter(index)),
          el("span", {class: "choice-text"}, marked(text)));
      }));
  }

  #number() {
    const {poll} = this;
    const unit = poll.number?.unit;
    if (!this.vote || poll.state !== "open")
      return el("p", {class: "number-wanted"}, unit ? tr("A number, in {unit}", {unit}) : tr("A number"));
    const error = el("p", {class: "error", role: "alert"});
    const input = el("input", {type: "text", inputmode: "decimal", autocomplete: "off", enterkeyhint: "send",
                               class: "number-field", "aria-label": tr("Your answer"), maxlength: 30});
    this.field = input;
    const send = (event) => {
      event.preventDefault();
      const value = typed_number(input.value);
      say(error, value === null ? tr("This is not a number. Examples: 12 or {half}", {half: shown(0.5)}) : "");
      if (value !== null) this.vote(value);
    };
    input.addEventListener("input", () => {
      this.typing = input.value;
    });
    return el("form", {class: "number-form", onsubmit: send},
      el("span", {class: "number-line"}, input, unit && el("span", {class: "unit"}, unit),
        el("button", {class: "main", type: "submit"}, tr("Send"))),
      error);
  }

  #counts() {
    this.table = el("div", {class: `counts${this.poll.choices ? "" : " of-numbers"}`, role: "list"});
    this.#draw_counts();
    return this.table;
  }

  #draw_counts() {
    const {totals, rows} = distribution(this.poll);
    const drawn = JSON.stringify([totals, rows]);
    if (this.drawn === drawn && this.table.firstChild) return;
    this.drawn = drawn;
    const several = totals.length > 1;
    put(this.table, rows.map((row) => el("div", {
        role: "listitem",
        class: `count-row${row.right ? " right" : ""}${row.mine ? " mine" : ""}${this.poll.choices ? "" : " of-number"}`,
      },
      el("span", {class: "letter"}, row.name, !this.poll.choices && tags(row)),
      this.poll.choices && el("span", {class: "choice-text"}, marked(row.text), tags(row)),
      el("span", {class: "rounds"}, row.counts.map((n, round) => {
        const last = round === totals.length - 1;
        const percent = totals[round] ? Math.round((100 * n) / totals[round]) : 0;
        return el("span", {class: `round-line${last ? "" : " before"}`},
          several && el("span", {class: "round-name"}, tr("Round {n}", {n: round + 1})),
          bar(totals[round] ? n / totals[round] : 0, row.right ? "good" : ""),
          el("span", {class: "count"}, `${shown(n)}`, el("span", {class: "percent"}, ` · ${percent}%`)));
      })))));
  }

  #mark(answer) {
    for (const [index, input] of this.inputs.entries()) input.checked = index === answer;
    if (this.field && this.typing === null && answer !== null && document.activeElement !== this.field)
      this.field.value = shown(answer);
  }

  #voter_status(pending, connected, refused) {
    const {poll} = this;
    if (refused) return refused;
    if (poll.state === "open") {
      if (pending !== null) {
        const answer = answer_shown(poll, pending);
        return connected ? tr("Sending your answer…")
          : tr("No connection. Your answer ({answer}) is kept, and sent when the connection is back.", {answer});
      }
      if (poll.mine !== null && poll.mine !== undefined) {
        return tr("Your answer is in: {answer}. You can change it until voting closes.",
                  {answer: answer_shown(poll, poll.mine)});
      }
      return poll.choices ? tr("Choose an answer. You can change it until voting closes.")
        : tr("Type a number. You can change it until voting closes.");
    }
    const mine = poll.mine === null || poll.mine === undefined
      ? tr("You have not answered.")
      : tr("Your answer: {answer}.", {answer: answer_shown(poll, poll.mine)});
    return poll.state === "closed" ? tr("Voting is closed.") + " " + mine : mine;
  }

  #class_status(people) {
    const {poll} = this;
    const all = Math.max(people ?? 0, poll.voted ?? 0);  // somebody may have voted and left
    const votes = people ? tr("{n} of {all} answers are in", {n: shown(poll.voted ?? 0), all: shown(all)})
      : counted(poll.voted ?? 0, "{n} answer is in", "{n} answers are in");
    if (poll.state === "open") return votes;
    if (poll.state === "closed") return tr("Voting is closed.") + " " + votes;
    return votes;
  }
}

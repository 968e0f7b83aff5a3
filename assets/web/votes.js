// A voter's side of the current poll: keeps an answer until the server has confirmed it, over lost
// connections and reloads. Used by the phone's page and by the lab's.
import {stored, store} from "./stored.js";
import {tr} from "./text.js";

export class Votes {
  // send(message) → whether it is on its way; changed(): something to show
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.poll = null;
    this.refused = "";
    try {
      this.kept = JSON.parse(stored("vote") ?? "null");  // {poll, round, answer}
    } catch {
      this.kept = null;
    }
  }

  get open() {
    return this.poll?.state === "open";
  }

  get pending() {
    return this.#fits() ? this.kept.answer : null;
  }

  // The poll as the server has it; null: none. first: the connection is new.
  receive(poll, first = false) {
    const before = this.poll;
    this.poll = poll && poll.state !== "none" ? poll : null;
    if (this.poll?.id !== before?.id || this.poll?.round !== before?.round) this.refused = "";
    if (this.kept && !this.#fits()) this.#keep(null);
    if (this.kept && this.poll.mine === this.kept.answer) this.#keep(null);
    if (this.kept && first) this.#submit();
    this.changed();
  }

  vote(answer) {
    if (!this.open) return;
    this.refused = "";
    this.#keep({poll: this.poll.id, round: this.poll.round, answer});
    this.#submit();
    this.changed();
  }

  refuse(message) {
    this.#keep(null);
    const known = {"voting is closed": tr("voting is closed"), "this question is over": tr("this question is over")};
    this.refused = tr("Your answer was not taken: {why}", {why: known[message] ?? message});
    this.changed();
  }

  #fits() {
    return this.kept && this.open && this.kept.poll === this.poll.id && this.kept.round === this.poll.round;
  }

  #submit() {
    const {poll, round, answer} = this.kept;
    this.send({type: "vote", poll, round, [this.poll.choices ? "choice" : "number"]: answer});
  }

  #keep(vote) {
    this.kept = vote;
    store("vote", vote && JSON.stringify(vote));
  }
}

// Which lab and step the lecturer is at, and "follow me": then everybody is taken there.
import {by_id, el, put, say} from "./dom.js";
import {stored, store} from "./stored.js";
import {tr} from "./text.js";

export class Place {
  // changed(lab, step | null): null is the whole lab
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.labs = [];
    this.follow = {on: false};
    by_id("lab").addEventListener("change", () => this.#choose(by_id("lab").value, null));
    by_id("step").addEventListener("change", () => this.#choose(this.lab.id, by_id("step").value || null));
    by_id("previous").addEventListener("click", () => this.#walk(-1));
    by_id("next").addEventListener("click", () => this.#walk(1));
    by_id("follow").addEventListener("click", () => {
      if (this.follow.on) this.send({type: "follow", on: false});
      else this.#lead(this.step ?? this.lab.steps[0]);
    });
  }

  load(labs) {
    this.labs = labs;
    put(by_id("lab"), labs.map((lab) => el("option", {value: lab.id}, lab.title)));
    const [lab, step] = (stored("place") ?? "").split("/");
    this.#choose(labs.some(({id}) => id === lab) ? lab : labs[0]?.id, step || null);
  }

  // The server's state, also when it was changed in the lab's window.
  show_follow(follow) {
    this.follow = follow?.on ? follow : {on: false};
    if (this.follow.on && this.follow.step !== this.step?.id && this.labs.some(({id}) => id === this.follow.lab))
      this.#choose(this.follow.lab, this.follow.step, false);
    this.#draw_follow();
  }

  #choose(lab, step, lead = true) {
    this.lab = this.labs.find(({id}) => id === lab);
    if (!this.lab) return;
    this.step = this.lab.steps.find(({id}) => id === step) ?? null;
    store("place", `${this.lab.id}/${this.step?.id ?? ""}`);
    by_id("lab").value = this.lab.id;
    put(by_id("step"), el("option", {value: ""}, tr("All steps")),
      this.lab.steps.map(({id, title}, index) => el("option", {value: id}, `${index + 1} ${title}`)));
    by_id("step").value = this.step?.id ?? "";
    if (lead && this.follow.on && this.step) this.#lead(this.step);
    this.#draw_follow();
    this.changed(this.lab, this.step);
  }

  #walk(by) {
    const at = this.step ? this.lab.steps.indexOf(this.step) : -1;
    const next = this.lab.steps[at + by];
    if (next) this.#choose(this.lab.id, next.id);
  }

  #lead(step) {
    this.send({type: "follow", on: true, lab: this.lab.id, step: step.id});
  }

  #draw_follow() {
    const button = by_id("follow");
    button.setAttribute("aria-pressed", String(this.follow.on));
    say(button, this.follow.on ? tr("Follow me: on") : tr("Follow me"));
    const at = this.step ? this.lab?.steps.indexOf(this.step) : -1;
    by_id("previous").disabled = at <= 0;
    by_id("next").disabled = !this.lab || at + 1 >= this.lab.steps.length;
    const lab = this.labs.find(({id}) => id === this.follow.lab);
    const step = lab?.steps.find(({id}) => id === this.follow.step);
    say(by_id("follow-note"), this.follow.on
      ? tr("Everybody's lab shows “{step}”. Their own work is kept, and comes back when you switch this off.", {step: step?.title ?? ""})
      : tr("Follow me opens this step in everybody's lab."));
  }
}

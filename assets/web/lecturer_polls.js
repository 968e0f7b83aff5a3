// Questions to the class: the labs' own, the lectures', and the lecturer's; and the poll that is on.
import {by_id, el, put, say} from "./dom.js";
import {show_dialog} from "./lecturer_dialog.js";
import {marked} from "./markup.js";
import {letter, PollView} from "./poll.js";
import {shown, tr, typed_number, with_unit} from "./text.js";

const kMostChoices = 8;
const kLongestText = 600;

export class Polls {
  constructor(send) {
    this.send = send;
    this.poll = null;
    this.people = 0;
    this.view = new PollView({lecturer: true});
    put(by_id("poll"), this.view.element);
    by_id("own").addEventListener("click", () => this.#compose({text: "", kind: "choices", choices: []}));
    this.show(null);
  }

  // The questions of a step, or of all steps of a lab.
  list(lab, step) {
    this.lab = lab;
    const steps = step ? [step] : lab.steps;
    const rows = [];
    for (const of of steps) {
      of.questions?.forEach((question, index) => rows.push(this.#row(question.ask, this.#summary(question),
        tr("Ask"), () => this.#open({
          lab: lab.id, step: of.id, question: index, text: question.ask,
          ...(question.choices ? {choices: question.choices} : {number: question.number}),
          answer: question.answer, tolerance: question.tolerance, explanation: question.explanation,
        }))));
    }
    lab.scenes?.forEach((scene, index) => {
      if (!scene.ask || (step && scene.step !== step.id)) return;
      rows.push(this.#row(scene.ask, tr("Lecture, scene {n}: {title}", {n: index + 1, title: scene.title}),
        tr("Ask…"), () => this.#compose({...draft_of(scene), lab: lab.id, scene: index})));
    });
    put(by_id("questions"), rows.length ? rows
      : el("li", {}, el("p", {class: "muted"}, tr("This step has no questions."))));
  }

  // The server's poll; null or state none: nothing is on.
  show(poll) {
    this.poll = poll && poll.state !== "none" ? poll : null;
    by_id("no-poll").hidden = Boolean(this.poll);
    by_id("poll").hidden = !this.poll;
    if (this.poll) this.view.show(this.poll, {people: this.people});
    const stage = this.poll && `${this.poll.id} ${this.poll.round} ${this.poll.state}`;
    if (stage === this.stage) return;  // keeps the focus on its button
    this.stage = stage;
    put(by_id("controls"), this.#controls());
  }

  #controls() {
    const button = (text, type, main = false) => el("button", {
      type: "button", class: main ? "main" : "",
      onclick: () => this.send({type, poll: this.poll.id, round: this.poll.round}),
    }, text);
    switch (this.poll?.state) {
      case "open":
        return [button(tr("Close voting"), "poll-close", true), button(tr("Drop the question"), "poll-end")];
      case "closed":
        return [button(tr("Reveal the answer"), "poll-reveal", true),
          button(tr("Ask again after discussion"), "poll-again"),
          button(tr("Reopen voting"), "poll-open-again"), button(tr("Drop the question"), "poll-end")];
      case "revealed":
        return [button(tr("Done"), "poll-end", true), button(tr("Ask again after discussion"), "poll-again")];
      default:
        return [];
    }
  }

  #row(ask, note, action, open) {
    return el("li", {}, el("div", {}, el("p", {}, marked(ask)), el("p", {class: "note"}, note)),
      el("button", {type: "button", onclick: open}, action));
  }

  #summary(question) {
    return question.choices
      ? tr("{n} choices, right: {answer}", {n: question.choices.length, answer: letter(question.answer)})
      : tr("A number, right: {answer}", {answer: with_unit(question.answer, question.number)});
  }

  async #open(poll) {
    if (this.poll && this.poll.state !== "revealed") {
      const sure = await show_dialog(tr("Ask another question"),
        el("p", {}, tr("The question that is on ends, and its answers with it.")),
        [{text: tr("Ask this one"), main: true, value: "yes"}, {text: tr("Cancel"), value: ""}]);
      if (!sure) return;
    }
    this.send({type: "poll-open", ...poll});
  }

  // Lets the lecturer edit a question before it opens.
  async #compose(draft) {
    const text = el("textarea", {id: "own-text", maxlength: kLongestText}, draft.text);
    const choices = el("textarea", {id: "own-choices"}, draft.choices.join("\n"));
    const unit = el("input", {id: "own-unit", maxlength: 30, value: draft.unit ?? ""});
    const answer = el("input", {id: "own-answer", maxlength: 30, value: draft.answer ?? "", autocomplete: "off"});
    const error = el("p", {class: "error", role: "alert"});
    const of_choices = el("div", {}, el("label", {for: "own-choices"}, tr("Choices, one per line")), choices);
    const of_number = el("div", {}, el("label", {for: "own-unit"}, tr("Unit (may be empty)")), unit);
    const answer_note = el("span");
    const kind = (value, name) => el("label", {}, el("input", {
      type: "radio", name: "kind", value, checked: draft.kind === value, onchange: () => show_kind(value)}), name);
    let shown_kind = draft.kind;
    const show_kind = (value) => {
      shown_kind = value;
      of_choices.hidden = value !== "choices";
      of_number.hidden = value !== "number";
      say(answer_note, value === "choices" ? tr("Right answer: its letter (may be empty)")
        : tr("Right answer (may be empty)"));
    };
    const content = el("div", {},
      el("label", {for: "own-text"}, tr("Question")), text,
      el("fieldset", {}, el("legend", {class: "unseen"}, tr("Kind of answer")),
        kind("choices", tr("Choices")), kind("number", tr("A number"))),
      of_choices, of_number, el("label", {for: "own-answer"}, answer_note), answer, error);
    show_kind(draft.kind);
    let poll = null;
    const check = () => {
      const read = read_draft({kind: shown_kind, text: text.value, choices: choices.value, unit: unit.value,
                               answer: answer.value});
      say(error, read.error ?? "");
      poll = read.poll;
      return !read.error;
    };
    const asked = await show_dialog(tr("Question to the class"), content,
      [{text: tr("Ask"), main: true, value: "ask"}, {text: tr("Cancel"), value: ""}], check);
    if (asked && poll) {
      await this.#open({lab: draft.lab ?? null, scene: draft.scene ?? null, explanation: draft.explanation, ...poll});
    }
  }
}

// A scene's question is asked aloud in a lecture; for a vote it needs choices, or is about a number.
function draft_of(scene) {
  const number = /\b(how many|how much|what percentage|wie viele?|wie oft)\b/i.test(scene.ask);
  return {
    text: scene.ask,
    kind: number ? "number" : "choices",
    choices: [tr("Yes"), tr("No")],
    explanation: scene.answer,
  };
}

// {poll} or {error}
function read_draft({kind, text, choices, unit, answer}) {
  const poll = {text: text.trim()};
  if (!poll.text) return {error: tr("Type the question.")};
  if (kind === "choices") {
    poll.choices = choices.split("\n").map((line) => line.trim()).filter(Boolean);
    if (poll.choices.length < 2 || poll.choices.length > kMostChoices)
      return {error: tr("A question has two to {n} choices, each on its own line.", {n: kMostChoices})};
    const right = answer.trim().toUpperCase();
    const index = poll.choices.findIndex((_, at) => letter(at) === right);
    if (right && index < 0)
      return {error: tr("The right answer is a letter from A to {last}.", {last: letter(poll.choices.length - 1)})};
    if (right) poll.answer = index;
  } else {
    poll.number = {unit: unit.trim()};
    const value = answer.trim() ? typed_number(answer) : null;
    if (answer.trim() && value === null)
      return {error: tr("This is not a number. Examples: 12 or {half}", {half: shown(0.5)})};
    if (value !== null) poll.answer = value;
  }
  return {poll};
}

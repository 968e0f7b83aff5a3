// The table of students, with names: for the lecturer only.
import {post, problem} from "./api.js";
import {check_title} from "./checks.js";
import {by_id, el, put, say} from "./dom.js";
import {ask_to_confirm, show_dialog} from "./lecturer_dialog.js";
import {stored, store} from "./stored.js";
import {language, shown, tr} from "./text.js";

const kColumns = [
  {id: "name", title: () => tr("Name"), key: (row) => row.name.toLocaleLowerCase(language)},
  {id: "place", title: () => tr("Where"), key: (row) => row.order},
  {id: "checks", title: () => tr("Checks"), key: (row) => (row.of ? row.passed / row.of : -1), number: true},
  {id: "failing", title: () => tr("Misses"), key: (row) => row.failing_title},
  {id: "steps", title: () => tr("Steps"), key: (row) => row.steps_passed, number: true},
  {id: "attempts", title: () => tr("Runs"), key: (row) => row.attempts, number: true},
  {id: "seen", title: () => tr("Seen"), key: (row) => (row.online ? -1 : row.last_seen), number: true},
];

export class Students {
  constructor(notice) {
    this.notice = notice;
    this.places = new Map();  // "lab/step" → {order, title, step}
    this.rows = new Map();    // student → its <tr>
    this.list = [];
    const [column, direction] = (stored("sort") ?? "").split(" ");
    this.sort = kColumns.find(({id}) => id === column) ?? kColumns[0];
    this.down = direction === "down";
    by_id("filter").addEventListener("input", () => this.#draw());
    by_id("filter").setAttribute("placeholder", tr("Filter"));
    this.#draw_head();
  }

  load(labs) {
    let order = 0;
    for (const lab of labs) {
      lab.steps.forEach((step, index) => this.places.set(`${lab.id}/${step.id}`, {
        order: order++,
        title: `${lab.title} · ${index + 1} ${step.title}`,
        step,
      }));
    }
    this.#draw();
  }

  show(list) {
    this.list = list;
    this.#draw();
  }

  #draw_head() {
    const heads = kColumns.map((column) => el("th", {
        scope: "col", class: column.number ? "number" : null,
        "aria-sort": column === this.sort ? (this.down ? "descending" : "ascending") : null,
      }, el("button", {type: "button", onclick: () => this.#sort_by(column)}, column.title())));
    put(document.querySelector("#students thead"),
      el("tr", {}, heads, el("th", {scope: "col"}, el("span", {class: "unseen"}, tr("Actions")))));
  }

  #sort_by(column) {
    this.down = column === this.sort ? !this.down : false;
    this.sort = column;
    store("sort", `${column.id} ${this.down ? "down" : "up"}`);
    this.#draw_head();
    document.querySelector("#students th[aria-sort] button").focus();
    this.#draw();
  }

  #complete(student) {
    const place = this.places.get(`${student.lab}/${student.step}`);
    const {failing} = student;
    return {
      ...student,
      order: place?.order ?? -1,
      place: place?.title ?? (student.lab ? `${student.lab}/${student.step}` : ""),
      failing_title: failing ? (check_title(place?.step, failing) ?? failing) : "",
      steps_passed: Object.values(student.steps ?? {}).filter(Boolean).length,
    };
  }

  #draw() {
    const wanted = by_id("filter").value.trim().toLocaleLowerCase(language);
    const rows = this.list.map((student) => this.#complete(student)).filter((row) => !wanted ||
      [row.name, row.place, row.failing_title].some((text) => text.toLocaleLowerCase(language).includes(wanted)));
    const compare = new Intl.Collator(language, {numeric: true}).compare;
    const {key} = this.sort;
    rows.sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const order = typeof x === "string" ? compare(x, y) : x - y;
      return (this.down ? -order : order) || compare(a.name, b.name);
    });
    say(by_id("students-count"), wanted
      ? tr("{n} of {all}", {n: shown(rows.length), all: shown(this.list.length)}) : shown(this.list.length));
    const body = document.querySelector("#students tbody");
    const drawn = rows.map((row) => this.#row(row));
    // Rows move only when their order changes, so that the focus stays in its row.
    if (drawn.length !== body.children.length || drawn.some((row, at) => body.children[at] !== row))
      put(body, drawn);
    for (const student of this.rows.keys())
      if (!this.list.some((row) => row.student === student)) this.rows.delete(student);
  }

  #row(row) {
    let line = this.rows.get(row.student);
    if (!line) {
      line = el("tr", {},
        el("td", {class: "name"}, el("bdi")), el("td", {class: "place"}), el("td", {class: "number"}), el("td", {class: "missing"}),
        el("td", {class: "number"}), el("td", {class: "number"}), el("td", {class: "number"}),
        el("td", {}, el("span", {class: "row-actions"},
          el("button", {type: "button", onclick: () => this.#new_key(row)}, tr("New key")),
          el("button", {type: "button", class: "danger", onclick: () => this.#remove(row)}, tr("Remove…")))));
      this.rows.set(row.student, line);
    }
    line.className = row.online ? "" : "away";
    const cells = line.children;
    const name = cells[0].firstChild;
    if (name.textContent !== row.name || !name.firstElementChild) put(name, el("span", {class: "dot"}), row.name);
    name.title = row.online ? tr("here") : tr("away");
    say(cells[1], row.place);
    say(cells[2], row.of ? tr("{n} of {all}", {n: shown(row.passed), all: shown(row.of)}) : "");
    say(cells[3], row.failing_title);
    say(cells[4], shown(row.steps_passed));
    say(cells[5], shown(row.attempts ?? 0));
    say(cells[6], row.online ? tr("now") : ago(row.last_seen));
    return line;
  }

  async #new_key({student, name}) {
    const answer = await post("api/key", {student});
    if (answer.status !== 200) return this.notice(problem(answer));
    this.notice("");
    await show_dialog(tr("New key"), el("div", {},
      el("p", {}, tr("With this key, the student is let in on any device. The old one is void."), " ", el("bdi", {}, name)),
      el("p", {class: "new-key"}, answer.body.key)), [{text: tr("Done"), main: true, value: "done"}]);
  }

  async #remove({student, name}) {
    const sure = await ask_to_confirm(tr("Remove a student"), el("p", {},
      el("bdi", {}, el("strong", {}, name)), " ",
      tr("leaves the class at once, and needs the join code to come back. The work stays on the server's disk.")),
      tr("Remove"), true);
    if (!sure) return;
    const answer = await post("api/remove", {student});
    this.notice(answer.status === 200 ? "" : problem(answer));
  }
}

function ago(seconds) {
  if (seconds < 60) return tr("{n} s ago", {n: seconds});
  if (seconds < 3600) return tr("{n} min ago", {n: Math.floor(seconds / 60)});
  if (seconds < 86400) return tr("{n} h ago", {n: Math.floor(seconds / 3600)});
  return tr("{n} days ago", {n: Math.floor(seconds / 86400)});
}

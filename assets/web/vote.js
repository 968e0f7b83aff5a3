// The phone's page: the open question, and afterwards what the class has answered.
import {by_id, put, say} from "./dom.js";
import {Live} from "./live.js";
import {kicked_because, show_connection, show_view, start_page} from "./page.js";
import {PollView} from "./poll.js";
import {tr} from "./text.js";
import {Votes} from "./votes.js";

start_page(tr("Vote"));
const view = new PollView({vote: (answer) => votes.vote(answer)});
put(by_id("poll"), view.element);
let connected = false;

const votes = new Votes((message) => live.send(message), show);
const live = new Live("vote", {
  welcome(message) {
    if (!message.student) {  // a lecturer's browser: nobody to vote as
      location.replace("./?to=vote");
      return;
    }
    connected = true;
    say(by_id("class-title"), message.class);
    say(by_id("name"), message.name);
    votes.receive(message.poll, true);
  },
  poll: (poll) => votes.receive(poll),
  refused: ({of, message}) => of === "vote" && votes.refuse(message),
  state(now) {
    connected = now;
    show_connection(now);
    if (votes.poll) show();
  },
  kicked({why}) {
    say(by_id("why"), kicked_because(why));
    by_id("connection").hidden = true;
    show_view("ended");
  },
  out: () => location.replace("./?to=vote"),
});

function show() {
  if (live?.stopped) return;
  show_view(votes.poll ? "poll" : "waiting");
  if (votes.poll) {
    view.show(votes.poll, {pending: votes.pending, connected, refused: votes.refused});
  }
}

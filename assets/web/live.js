// The live socket of a page: connects, and connects again for as long as the page is open.
import {root} from "./api.js";

const kSilence = 20_000;  // ms without a message before the server is asked whether it is there
const kPatience = 5_000;  // ms for its answer
const kSlowest = 5_000;   // ms between attempts

export class Live {
  // page: "vote", "board", "lecturer" or "lab". handlers: a function per message type, and
  //   state(connected)   connected or lost
  //   out()              the server does not know this browser (any more)
  constructor(page, handlers) {
    this.page = page;
    this.handlers = handlers;
    this.connected = false;
    this.attempts = 0;
    this.heard = 0;
    setInterval(() => this.#check(), 1_000);
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.socket?.close());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.connected) this.#again(0);
    });
    this.#connect();
  }

  // True if the message is on its way.
  send(message) {
    if (!this.connected) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // Ends it for good.
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  #connect() {
    if (this.stopped) return;
    const address = new URL("api/live", root);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({type: "hello", page: this.page}));
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => {
      if (this.socket === socket) this.#lost();
    };
  }

  #receive(data) {
    this.heard = Date.now();
    this.asking = false;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message.type === "welcome") {
      this.attempts = 0;
      this.#set(true);
    }
    if (message.type === "kicked") this.stop();
    this.handlers[message.type]?.(message);
  }

  #lost() {
    this.#set(false);
    if (this.stopped) return;
    this.#ask_who();
    // Attempts of a class that lost its server must not come in one wave.
    const wait = Math.min(kSlowest, 300 * 2 ** this.attempts) * (0.5 + Math.random());
    this.attempts += 1;
    this.#again(wait);
  }

  // A socket does not tell why it was refused: a request does.
  async #ask_who() {
    try {
      const answer = await fetch(new URL("api/me", root), {cache: "no-store"});
      if (answer.status === 401 && !this.stopped) {
        this.stop();
        this.handlers.out?.();
      }
    } catch {
      // the server is away
    }
  }

  #again(wait) {
    clearTimeout(this.timer);
    if (this.stopped || this.connected) return;
    this.timer = setTimeout(() => {
      const state = this.socket?.readyState;
      if (state !== WebSocket.CONNECTING && state !== WebSocket.OPEN) this.#connect();
    }, wait);
  }

  // A network that vanished closes no socket for minutes.
  async #check() {
    if (!this.connected || this.asking || Date.now() - this.heard < kSilence) return;
    this.asking = true;
    try {
      await fetch(new URL("api/health", root),
                  {cache: "no-store", signal: AbortSignal.timeout(kPatience)});
      this.heard = Date.now();
    } catch {
      if (this.asking) {
        const old = this.socket;
        this.socket = null;
        old?.close();
        this.#lost();
      }
    }
    this.asking = false;
  }

  #set(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.handlers.state?.(connected);
  }
}

// The student's files. The lab has them in memory; this keeps copies in the browser (IndexedDB), where a reload finds
// them, and at the server, where other devices do. Nothing is overwritten that nobody has a copy of: what differs
// becomes a version in the lab's history.
import {root} from "./api.js";
import {tr} from "./text.js";

const kMostBytes = 1 << 20;   // of a file at the server; larger ones stay in the browser
const kScanEvery = 1_000;     // ms
const kSendEvery = 2_000;     // ms between two versions of the same file
const kRetryEvery = 5_000;    // ms while the server does not answer
const kRefusedFor = 60_000;   // ms until a file that the server refused is sent again

const same = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

// Locks and files that are being written.
const is_kept = (name) => !name.startsWith(".") && !name.endsWith(".lock");

// ---- the browser's copies: {path, bytes, version, dirty, gone} -------------------------------------------------------

class Store {
  async open(owner) {
    this.database = await new Promise((done, failed) => {
      const request = indexedDB.open(`warpshop ${root.pathname} ${owner}`, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("files", {keyPath: "path"});
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  }

  #request(mode, call) {
    return new Promise((done, failed) => {
      const request = call(this.database.transaction("files", mode).objectStore("files"));
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  }

  all() { return this.#request("readonly", (files) => files.getAll()); }
  put(file) { return this.#request("readwrite", (files) => files.put(file)); }
  remove(path) { return this.#request("readwrite", (files) => files.delete(path)); }
}

// ---- the server's ------------------------------------------------------------------------------------------------

const address_of = (path) => new URL(`api/files/${path.split("/").map(encodeURIComponent).join("/")}`, root);

const version_of = (answer) => (answer.headers.get("ETag") ?? "").replace(/^W\/|"/g, "");

async function list_remote() {
  const answer = await fetch(new URL("api/files", root), {cache: "no-store"});
  if (!answer.ok) throw new Error(`api/files: ${answer.status}`);
  return (await answer.json()).files.map((file) => ({...file, version: String(file.version)}));
}

async function fetch_remote(path) {
  const answer = await fetch(address_of(path), {cache: "no-store"});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return {bytes: new Uint8Array(await answer.arrayBuffer()), version: version_of(answer)};
}

// ---- both, and the lab's -------------------------------------------------------------------------------------------

export class LabFiles {
  // folder: where the lab has them. say(text): shows a banner, "" takes it away.
  constructor(folder, say) {
    this.folder = folder;
    this.say = say;
    this.files = new Map();  // path → the browser's copy
    this.seen = new Map();   // path → {time, size} in the lab's memory
    this.sent_at = new Map();
    this.offline = false;
  }

  // Before the lab starts: takes the newest of each file. Texts that were changed both here and on another device are
  // both kept: this one stays, and the other becomes a version of the step's history.
  async open(owner) {
    this.store = new Store();
    try {
      await this.store.open(owner);
      for (const file of await this.store.all()) this.files.set(file.path, file);
    } catch {
      this.store = null;  // a private window may have no store
    }
    let remote = [];
    try {
      remote = await list_remote();
    } catch {
      this.#lost();
      return;
    }
    const there = new Set(remote.map((file) => file.path));
    await Promise.all(remote.map(async ({path, version}) => {
      const here = this.files.get(path);
      if (here && here.version === version) return;
      const {bytes, version: newest} = await fetch_remote(path);
      if (!here || !here.dirty) return await this.#keep({path, bytes, version: newest, dirty: false, gone: false});
      if (!here.gone && !same(here.bytes, bytes)) await this.#keep_beside(path, bytes);
      await this.#keep({...here, version: newest});
    }).map((work) => work.catch(() => this.#lost())));
    // Removed on another device, and not changed here since.
    for (const file of [...this.files.values()]) {
      if (there.has(file.path) || !file.version || file.dirty) continue;
      this.files.delete(file.path);
      await this.store?.remove(file.path);
    }
  }

  fill(FS) {
    this.FS = FS;
    FS.mkdirTree(this.folder);
    for (const file of this.files.values()) {
      if (file.gone) continue;
      const path = `${this.folder}/${file.path}`;
      FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      FS.writeFile(path, file.bytes);
    }
    for (const [path, state] of this.#in_memory()) this.seen.set(path, state);
  }

  // write_now: has the lab write what it has in memory only.
  watch(write_now) {
    setInterval(() => this.scan(), kScanEvery);
    const leave = () => {
      write_now();
      this.scan();
      this.#send(true);
    };
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") leave();
    });
    addEventListener("pagehide", leave);
    addEventListener("blur", leave);
    addEventListener("online", () => this.#send());
    this.#send();
  }

  // Takes what the lab has written since the last time.
  scan() {
    if (!this.FS) return;
    const now = this.#in_memory();
    for (const [path, state] of now) {
      const before = this.seen.get(path);
      if (before && before.time === state.time && before.size === state.size) continue;
      this.seen.set(path, state);
      const bytes = this.FS.readFile(`${this.folder}/${path}`);
      const kept = this.files.get(path);
      if (kept && !kept.gone && same(kept.bytes, bytes)) continue;
      this.#keep({path, bytes, version: kept?.version ?? "", dirty: true, gone: false});
    }
    for (const path of [...this.seen.keys()]) {
      if (now.has(path)) continue;
      this.seen.delete(path);
      const kept = this.files.get(path);
      if (kept && !kept.gone) this.#keep({...kept, bytes: new Uint8Array(0), dirty: true, gone: true});
    }
    this.#send();
  }

  async send_all() {
    this.scan();
    await this.#send(true);
  }

  #in_memory() {
    const {FS, folder} = this, found = new Map();
    const walk = (below) => {
      for (const name of FS.readdir(`${folder}/${below}`)) {
        if (name === "." || name === ".." || !is_kept(name)) continue;
        const path = below + name;
        const {mode, mtime, size} = FS.stat(`${folder}/${path}`);
        if (FS.isDir(mode)) walk(`${path}/`);
        else if (FS.isFile(mode)) found.set(path, {time: mtime.getTime(), size});
      }
    };
    walk("");
    return found;
  }

  async #keep(file) {
    this.files.set(file.path, file);
    try {
      await this.store?.put(file);
    } catch (error) {
      this.say(tr("This browser has no room for your text: {message}", {message: error.message}));
    }
  }

  // As the lab keeps earlier versions: work/LAB/STEP.cu → history/LAB/STEP-TIME-other-device.cu.
  async #keep_beside(path, bytes) {
    const match = /^(?:autosave(?:-\d)?\/|work\/)?(.+)\.cu$/.exec(path);
    if (!match) return;
    const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
    await this.#keep({path: `history/${match[1]}-${time}-other-device.cu`, bytes, version: "", dirty: true, gone: false});
  }

  #lost() {
    if (!this.offline) this.say(tr("The server does not answer. Your text is kept in this browser; go on working."));
    this.offline = true;
    this.again_at = Date.now() + kRetryEvery;
  }

  #found() {
    if (this.offline) this.say("");
    this.offline = false;
  }

  // Sends what has changed, one file after the other. leaving: the page may go away, so do not wait for the next time.
  async #send(leaving = false) {
    if (this.sending || this.offline && Date.now() < this.again_at && !leaving) return;
    this.sending = true;
    try {
      for (const file of [...this.files.values()]) {
        if (!file.dirty || file.bytes.length > kMostBytes) continue;
        if (!leaving && Date.now() - (this.sent_at.get(file.path) ?? 0) < kSendEvery) continue;
        this.sent_at.set(file.path, Date.now());
        await this.#send_one(file, leaving);
        this.#found();
      }
      if (this.offline) {
        await list_remote();
        this.#found();
      }
    } catch {
      this.#lost();
    } finally {
      this.sending = false;
    }
  }

  async #send_one(file, leaving) {
    const headers = file.version ? {"If-Match": `"${file.version}"`} : {"If-None-Match": "*"};
    if (file.gone && !file.version) {
      await this.#sent(file, null);
      return;
    }
    const answer = await fetch(address_of(file.path), {
      method: file.gone ? "DELETE" : "PUT",
      headers: {...headers, ...(file.gone ? {} : {"Content-Type": "application/octet-stream"})},
      body: file.gone ? undefined : file.bytes,
      keepalive: leaving && file.bytes.length < 30_000,
    });
    if (answer.ok || file.gone && answer.status === 404) return await this.#sent(file, version_of(answer));
    if (answer.status === 409 || answer.status === 412) return await this.#resolve(file);
    if (answer.status >= 500 && answer.status !== 507) throw new Error(`${answer.status}`);
    this.sent_at.set(file.path, Date.now() + kRefusedFor);
    if (answer.status === 401) {
      this.say(tr("You are no longer in the class. Your text is kept in this browser; join again on the start page."));
    } else if (answer.status === 413 || answer.status === 507) {
      this.say(tr("The server keeps no more of your files; they are kept in this browser."));
    } else {
      console.warn(`${file.path}: ${answer.status}`);
    }
  }

  // `file` is what was sent; the lab may have written it again meanwhile.
  async #sent(file, version) {
    const now = this.files.get(file.path);
    if (now !== file) return await this.#keep({...now, version: file.gone ? "" : version});
    if (!file.gone) return await this.#keep({...file, version, dirty: false});
    this.files.delete(file.path);
    await this.store?.remove(file.path);
  }

  // Another device was faster: its text becomes a version, and this one is sent again on top of it.
  async #resolve(file) {
    let theirs;
    try {
      theirs = await fetch_remote(file.path);
    } catch {
      theirs = {bytes: null, version: ""};  // removed there
    }
    if (theirs.bytes && !file.gone && !same(theirs.bytes, file.bytes)) await this.#keep_beside(file.path, theirs.bytes);
    const now = this.files.get(file.path);
    await this.#keep({...now, version: theirs.version, dirty: true});
    this.sent_at.delete(file.path);
  }
}

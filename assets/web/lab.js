// The lab's page: checks the browser, loads the program and the student's files, and starts it.
import {root, get} from "./api.js";
import {by_id, say} from "./dom.js";
import {LabFiles} from "./lab_files.js";
import {what_is_missing} from "./lab_needs.js";
import "./settings.js";  // the page's colours
import {language, tr, translate} from "./text.js";

const kHome = "/student";

function cover_with(what, help, detail = "") {
  by_id("cover").hidden = false;
  by_id("doing").hidden = by_id("loaded").hidden = true;
  by_id("trouble").hidden = false;
  say(by_id("trouble-what"), what);
  say(by_id("trouble-help"), help);
  say(by_id("trouble-detail"), detail);
}

export function show_banner(text) {
  const banner = by_id("banner");
  banner.hidden = !text;
  say(banner, text);
}

// One of this browser's tabs is the first window, with the texts of the student; others keep their unsaved edits apart,
// as second windows do on the desktop. Returns the locks that other tabs hold.
async function take_window() {
  if (!navigator.locks) return [];
  const name = (window) => (window === 1 ? "window.lock" : `window-${window}.lock`);
  for (let window = 1; window <= 9; ++window) {
    const mine = await new Promise((answer) => {
      navigator.locks.request(`warpshop ${root} ${name(window)}`, {ifAvailable: true}, (lock) => {
        answer(lock !== null);
        return lock === null ? undefined : new Promise(() => {});  // until the tab is closed
      });
    });
    if (!mine) continue;
    const held = (await navigator.locks.query()).held.map((lock) => lock.name);
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    return all.filter((other) => other !== window && held.includes(`warpshop ${root} ${name(other)}`)).map(name);
  }
  return [];
}

// Reads an answer's body and reports its bytes.
async function read(answer, report) {
  const reader = answer.body.getReader(), parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    report(value.length);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

class Bundle {
  // bundle.json: {"warpshop.js": {"file": "warpshop.ID.js", "bytes": 200000}, …}
  async list() {
    const answer = await fetch("bundle.json", {cache: "no-cache"});
    if (!answer.ok) throw new Error(`bundle.json: ${answer.status}`);
    this.files = await answer.json();
    this.all = Object.values(this.files).reduce((sum, file) => sum + file.bytes, 0);
    this.got = 0;
  }

  address(name) {
    return new URL(this.files[name]?.file ?? name, location.href).href;
  }

  report(bytes) {
    this.got += bytes;
    by_id("loaded").value = Math.min(1, this.got / this.all);
  }

  async load(name) {
    const answer = await fetch(this.address(name));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return await read(answer, (bytes) => this.report(bytes));
  }

  // Compiles while it loads.
  async compile(name) {
    const answer = await fetch(this.address(name));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const report = (bytes) => this.report(bytes);
    const counted = answer.body.pipeThrough(new TransformStream({
      transform(part, out) {
        report(part.length);
        out.enqueue(part);
      },
    }));
    return await WebAssembly.compileStreaming(new Response(counted, {headers: {"Content-Type": "application/wasm"}}));
  }

  script(name) {
    return new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = this.address(name);
      script.onload = loaded;
      script.onerror = () => failed(new Error(name));
      document.head.append(script);
    });
  }
}

async function who() {
  const me = await get("api/me");
  if (me.status === 401) location.replace(root);
  return me.status === 200 ? me.body : null;
}

// "…/lab/#coalescing/step" opens that step.
const place = () => decodeURIComponent(location.hash.slice(1));

async function start() {
  translate();
  const missing = what_is_missing();
  if (missing) return cover_with(missing.what, missing.help, missing.detail);
  const bundle = new Bundle();
  await bundle.list();
  const files = new LabFiles(`${kHome}/warpshop`, show_banner);
  const fetch_work = async () => {
    const me = await who();
    await files.open(me?.student ?? "this browser");
    return me;
  };
  const [me, program, data, locked] = await Promise.all([
    fetch_work(), bundle.compile("warpshop.wasm"), bundle.load("warpshop.data"), take_window(),
    bundle.script("warpshop.js")]);

  let Module = null;
  const failed = (reason) => {
    files.scan();
    cover_with(tr("The lab has stopped"), tr("Your text is kept. Load the page again to go on."), String(reason));
  };
  addEventListener("error", (event) => {
    if (event.error instanceof WebAssembly.RuntimeError) failed(event.error);
  });
  Module = await globalThis.createWarpshop({
    canvas: by_id("canvas"),
    arguments: place() ? [place()] : [],
    classGpu: Boolean(me?.gpu),
    mainScriptUrlOrBlob: bundle.address("warpshop.js"),
    locateFile: (name) => bundle.address(name),
    getPreloadedPackage: () => data.buffer,
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(program, imports).then((instance) => done(instance, program), failed);
      return {};
    },
    preRun: [(module) => {
      module.ENV.HOME = kHome;
      module.ENV.WARPSHOP_HOME = `${kHome}/warpshop`;
      module.ENV.WARPSHOP_DATA = "/data";
      module.ENV.WARPSHOP_LOCKED = locked.join(" ");
      module.ENV.LANG = `${language}.UTF-8`;
      files.fill(module.FS);
    }],
    onAbort: failed,
    onLabClosed: async () => {
      await files.send_all();
      location.replace(root);
    },
  });
  by_id("cover").hidden = true;
  files.watch(() => Module.labKeep?.());
  if (me?.student || me?.lecturer) {
    const {start_class} = await import("./class.js");
    start_class(Module.warpshop);
    if (Module.warpshop.place) Module.warpshop.on_place?.(Module.warpshop.place);
  }
}

by_id("again").addEventListener("click", () => location.reload());
start().catch((error) => {
  console.error(error);
  cover_with(tr("The lab could not be loaded"), tr("Are you still in the network? Try again in a moment."), String(error));
});

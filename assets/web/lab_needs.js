// What the lab needs of a browser, and what to do where it is missing.
import {tr} from "./text.js";

// A module with one instruction on vectors: f() = i8x16.splat(0), dropped.
const kVectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253,
  15, 26, 11]);

// null: nothing. Else {what, help, detail}.
export function what_is_missing() {
  const newer = tr("Use a current Firefox, Chrome, Edge, or Safari from 16.4 on.");
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(kVectors))
    return {what: tr("This browser is too old for the lab"), help: newer, detail: "WebAssembly SIMD"};
  if (!window.isSecureContext) {
    return {
      what: tr("The lab needs an address with https"),
      help: tr("Browsers allow threads only on pages that arrive encrypted, or from the machine itself. Ask for the " +
               "address that begins with https, or open the lab through a tunnel: ssh -L 8080:localhost:8080 SERVER, " +
               "then http://localhost:8080."),
      detail: location.origin,
    };
  }
  if (typeof SharedArrayBuffer !== "function" || !window.crossOriginIsolated) {
    return {
      what: tr("The browser gives this page no threads"),
      help: window.top !== window
        ? tr("The lab is inside another page. Open it in a tab of its own.")
        : tr("The headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy did not arrive: a proxy on the " +
             "way may remove them.") + " " + newer,
      detail: "SharedArrayBuffer",
    };
  }
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) {
    return {
      what: tr("The browser cannot draw the lab"),
      help: tr("It has no WebGL 2. Switch on hardware acceleration in its settings, or use another browser."),
      detail: "WebGL 2",
    };
  }
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return null;
}

// A QR code as a picture, from the rows of modules that the server makes; null if it cannot.
import {get} from "./api.js";
import {tr} from "./text.js";

const kSvg = "http://www.w3.org/2000/svg";

export async function qr_picture(text) {
  const answer = await get(`api/qr?text=${encodeURIComponent(text)}`);
  if (answer.status !== 200) return null;
  const {rows} = answer.body;
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) =>
    `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)).join("");
  const svg = document.createElementNS(kSvg, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", tr("QR code of the address"));
  svg.setAttribute("shape-rendering", "crispEdges");
  const drawn = document.createElementNS(kSvg, "path");
  drawn.setAttribute("d", path);
  drawn.setAttribute("fill", "#000");
  svg.append(drawn);
  return svg;
}

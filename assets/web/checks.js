// What the checks of a step are called. A lab's translation names its own; these are the program's.
import {tr} from "./text.js";

const kOwn = new Map([
  ["correct", tr("Result correct")],
  ["no-findings", tr("No findings")],
  ["whole-kernel", tr("Cost of the whole kernel")],
]);

// step: of api/labs; undefined: unknown
export const check_title = (step, check) =>
  kOwn.get(check) ?? step?.checks?.find(({id}) => id === check)?.title;

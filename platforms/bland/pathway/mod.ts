import type { Format } from "../../platform.ts";
import { checkPathway } from "./check.ts";
import { detectPathway, isGlobalEntry, pathwayShape, recordIn, rootOf } from "./document.ts";
import { emitPathway } from "./emit.ts";
import { importPathway } from "./import.ts";

export { detectPathway, isGlobalEntry, recordIn, rootOf };

/** Bland's pathways. */
export const blandPathway: Format<"bland"> = {
  name: "bland",
  title: "Bland pathway",
  shape: pathwayShape,
  detect: detectPathway,
  importDocument: importPathway,
  emitGraph: emitPathway,
  checkGraph: checkPathway,
};

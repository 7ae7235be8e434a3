import type { Format } from "../../platform.ts";
import { documentShape } from "../shared/mod.ts";
import { checkRetell } from "./check.ts";
import { emitRetell } from "./emit.ts";
import { detectRetell, importRetell } from "./import.ts";

export { EDGE_SLOTS } from "./node_types.ts";

/** Retell's conversation flows and shared components. */
export const retellFlow: Format<"retell"> = {
  name: "retell",
  title: "Retell conversation flow",
  shape: documentShape,
  detect: detectRetell,
  importDocument: importRetell,
  emitGraph: emitRetell,
  checkGraph: checkRetell,
};

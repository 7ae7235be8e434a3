import type { Format } from "../../platform.ts";
import { retellShape } from "../shared/mod.ts";
import { checkRetell } from "./check.ts";
import { emitRetell } from "./emit.ts";
import { detectRetell, importRetell } from "./import.ts";

export { SLOTS } from "./node_types.ts";

/** Retell's conversation flows and shared components. */
export const retell: Format<"retell"> = {
  name: "retell",
  title: "Retell conversation flow",
  shape: retellShape,
  detect: detectRetell,
  importDocument: importRetell,
  emitGraph: emitRetell,
  checkGraph: checkRetell,
};

import type { Format } from "../../platform.ts";
import { flowIn } from "./document.ts";
import { importFlow } from "./import.ts";

/** Flows of Amazon Connect, which are only read. */
export const amazonConnect: Format<"amazon-connect"> = {
  name: "amazon-connect",
  title: "Amazon Connect flow",
  detect: (document) => (flowIn(document) ? 1 : 0),
  importDocument: importFlow,
};

import type { Format } from "../../platform.ts";
import { assistantShape } from "../shared/mod.ts";
import { checkTelnyx } from "./check.ts";
import { emitTelnyx } from "./emit.ts";
import { detectTelnyx, importTelnyx } from "./import.ts";

export { isMadeId, madeId, toolJsonName, toolType } from "./tools.ts";

/** Telnyx's assistants, with a flow or with one prompt. */
export const telnyxAssistant: Format<"telnyx"> = {
  name: "telnyx",
  title: "Telnyx assistant",
  shape: assistantShape,
  detect: detectTelnyx,
  importDocument: importTelnyx,
  emitGraph: emitTelnyx,
  checkGraph: checkTelnyx,
};

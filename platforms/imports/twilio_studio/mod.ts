import type { Format } from "../../platform.ts";
import { rootOf } from "./document.ts";
import { importFlow } from "./import.ts";

/** Flows of Twilio Studio, which are only read. */
export const twilioStudio: Format<"twilio-studio"> = {
  name: "twilio-studio",
  title: "Twilio Studio flow",
  detect: (document) => (rootOf(document) ? 1 : 0),
  importDocument: importFlow,
};

import type { Format } from "../platform.ts";
import { emitMermaid } from "./emit.ts";

/** A flowchart in Mermaid's language, which GitHub and many editors show as a picture. */
export const mermaid: Format<string> = {
  name: "mermaid",
  title: "Mermaid flowchart",
  output: "text",
  emitGraph: emitMermaid,
};

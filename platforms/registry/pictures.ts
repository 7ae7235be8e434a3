import { drawMermaid, drawSvg } from "../../src/pictures/mod.ts";
import type { Format } from "../platform.ts";

/** A Mermaid flowchart, which GitHub and many editors render. */
export const mermaid: Format<"mermaid", string> = {
  name: "mermaid",
  title: "Mermaid flowchart",
  output: "text",
  emitGraph: (graph) => ({ config: drawMermaid(graph), losses: [] }),
};

/** An SVG picture of the graph, for READMEs and reviews. */
export const svg: Format<"svg", string> = {
  name: "svg",
  title: "SVG picture",
  output: "text",
  emitGraph: (graph) => ({ config: drawSvg(graph), losses: [] }),
};

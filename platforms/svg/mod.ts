import type { Format } from "../platform.ts";
import { emitSvg } from "./emit.ts";

/** A picture of the graph, for READMEs and reviews. */
export const svg: Format<string> = {
  name: "svg",
  title: "SVG picture",
  output: "text",
  emitGraph: emitSvg,
};

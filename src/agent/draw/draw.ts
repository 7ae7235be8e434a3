import { GraphError } from "../../base/errors.ts";
import { checkOptions, OPTION, oneOf, rule } from "../../base/values/mod.ts";
import { type AgentGraph, toGraph } from "../../document/graph/mod.ts";
import { COVERAGE_RULE, type Coverage, coverageMarks } from "../analysis/mod.ts";
import {
  type CutOutOptions,
  cutOut,
  drawMermaid,
  drawSvg,
  type PngOptions,
  type PngPicture,
  renderPng,
} from "../pictures/mod.ts";
import { GROUPINGS, type Grouping, nodeGroups } from "./groups.ts";

/** Options of {@link draw}. */
export interface DrawOptions extends CutOutOptions {
  /** Default: `svg`. */
  readonly format?: "mermaid" | "svg";
  /**
   * SVG only, the nodes in a common frame: `components` of an imported Retell flow, `parts` as `decompose()`
   * finds them. Default: `auto`, which is components if there are any, else parts for 60 nodes and more.
   */
  readonly groups?: Grouping;
  /** SVG only: shows the result of `coverage()` for each node and transition. */
  readonly coverage?: Coverage;
}

/** Options of {@link drawPng}. */
export interface DrawPngOptions extends Omit<DrawOptions, "format">, PngOptions {}

const CUT_OUT = { from: OPTION.text, depth: OPTION.count };
const GROUPS = oneOf(...GROUPINGS);
const RULES = { ...CUT_OUT, groups: GROUPS, coverage: COVERAGE_RULE, format: oneOf("mermaid", "svg") };
const PNG_RULES = {
  ...CUT_OUT,
  groups: GROUPS,
  coverage: COVERAGE_RULE,
  scale: rule("a number from 0.05 to 8", (value) => typeof value === "number" && value >= 0.05 && value <= 8),
  fonts: rule("a list of font files as bytes", (value) => Array.isArray(value) && value.every(isBytes)),
};

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}

/**
 * Draws a graph as SVG or as a Mermaid flowchart: the whole graph, or a node and what it leads to. In the SVG, the
 * tooltip of a node shows its prompt.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-node`, `invalid-option`.
 */
export function draw(source: AgentGraph, options: DrawOptions = {}): string {
  const graph = toGraph(source, "Cannot draw a graph");
  checkOptions(options, RULES, GraphError, "Cannot draw a graph");
  const { format = "svg", groups = "auto", coverage, ...cut } = options;
  if (format === "mermaid") return drawMermaid(graph, cut);
  const marks = coverage ? { marks: coverageMarks(coverage) } : {};
  return drawSvg(graph, { ...cut, ...marks, groups: nodeGroups(graph, groups, cutOut(graph, cut)) });
}

/**
 * Draws a graph as SVG for a page: its boxes, arrows and labels are in groups with classes and data attributes. The
 * graph must be checked before.
 */
export function drawAddressed(graph: AgentGraph): string {
  return drawSvg(graph, { groups: nodeGroups(graph, "auto", undefined), isAddressed: true });
}

/**
 * Draws a graph as PNG, with the same content as {@link draw}. Needs the packages `@resvg/resvg-wasm` and
 * `@fontsource/dejavu-sans`, which are loaded on demand, and no installed fonts. The picture is the same on Node,
 * Bun and Deno.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-node`, `invalid-option`, `missing-package`, `picture-failed`.
 */
export async function drawPng(source: AgentGraph, options: DrawPngOptions = {}): Promise<PngPicture> {
  checkOptions(options, PNG_RULES, GraphError, "Cannot draw a graph");
  const { scale, fonts, ...picture } = options;
  const svg = draw(source, picture);
  return await renderPng(svg, { ...(scale === undefined ? {} : { scale }), ...(fonts ? { fonts } : {}) });
}

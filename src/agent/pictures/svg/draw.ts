import type { AgentGraph } from "../../../document/graph/mod.ts";
import { type CutOutOptions, cutOut } from "../shared.ts";
import { type Block, drawBlock } from "./draw_block.ts";
import { drawFrames, type PictureGroup } from "./frames.ts";
import { drawLegend, LEGEND_HEIGHT, LEGEND_WIDTH, type Marks } from "./marks.ts";
import { planPicture } from "./plan.ts";
import type { Size } from "./web.ts";

const MARGIN = 24;
/** Default font size, for text that sets none. */
const TEXT_SIZE = 13;

/** Options of {@link drawSvg}. */
export interface SvgOptions extends CutOutOptions {
  /** Marks changes between two versions, or coverage. */
  readonly marks?: Marks;
  /** Draws each group of nodes in a frame, with arrows between the frames. Not in a picture of changes. */
  readonly groups?: readonly PictureGroup[];
  /**
   * Wraps every box, arrow and label in a group that identifies it: classes for styles, `data-node`,
   * `data-from`, `data-to` and `data-place` for scripts.
   */
  readonly isAddressed?: boolean;
}

/**
 * Draws a graph as a self-contained SVG: rows from the entry node down, every label readable. Global nodes are linked
 * to one extra box for "wherever the caller is". The tooltip of a node shows its prompt.
 *
 * @throws {GraphError} `unknown-node`, `invalid-option`.
 */
export function drawSvg(
  graph: AgentGraph,
  { marks, groups = [], isAddressed = false, ...options }: SvgOptions = {},
): string {
  const drawn = cutOut(graph, options);
  const about = marks && (marks.about ?? "changes");
  const block =
    groups.length > 0 && about !== "changes"
      ? drawFrames(graph, groups, { drawn, first: options.from, isAddressed, marks })
      : drawBlock(planPicture(graph, { marks, drawn, first: options.from }), {
          isFaint: about === "changes",
          isAddressed,
        });
  return about ? withLegend(block, about) : page(block, block.parts);
}

function withLegend({ width, height, parts }: Block, about: Marks["about"]): string {
  const legend = drawLegend({ x: 0, y: height + LEGEND_HEIGHT }, about);
  const size = { width: Math.max(width, LEGEND_WIDTH), height: height + LEGEND_HEIGHT + MARGIN / 2 };
  return page(size, [...parts, legend]);
}

function page({ width, height }: Size, parts: readonly string[]): string {
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)];
  const font = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" font-family="${font}" font-size="${TEXT_SIZE}">`,
    "<title>Agent graph</title>",
    `<rect x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="12" fill="#ffffff" stroke="#e2e8f0"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})">`,
    ...parts.filter((part) => part !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

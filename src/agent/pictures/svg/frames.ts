import { escapeMarkup, own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { drawableLine, shortened } from "../shared.ts";
import { type Block, drawBlock } from "./draw_block.ts";
import { layOutBoxes } from "./layout.ts";
import { drawLinks } from "./links.ts";
import { type Marks, textWidth } from "./marks.ts";
import { type PlannedLink, planPicture } from "./plan.ts";
import { rank } from "./ranks.ts";
import { NODE_SHAPES, round } from "./shapes.ts";
import type { SizedLink } from "./web.ts";

/** Nodes in a common frame. */
export interface PictureGroup {
  readonly name: string;
  readonly nodes: readonly string[];
}

/** The drawn nodes, and the first of them. */
export interface FrameOptions {
  readonly drawn: ReadonlySet<string> | undefined;
  readonly first: string | undefined;
  readonly isAddressed?: boolean;
  readonly marks?: Marks | undefined;
}

const PADDING = 26;
const TITLE_SIZE = 17;
const TITLE_ROOM = 22;
const LONGEST_TITLE = 48;
/** Arrows between frames have wider lines and heads than those between nodes. */
const LINK_TEXT_SIZE = 14;

/**
 * Draws groups of nodes, each in a frame and laid out on its own. Within a frame, a transition to another one ends at a
 * grey box that names its target; an arrow between the frames says how many there are. Nodes of no group are drawn
 * together without a frame.
 */
export function drawFrames(
  graph: AgentGraph,
  groups: readonly PictureGroup[],
  { drawn, first, isAddressed = false, marks }: FrameOptions,
): Block {
  const frames = framesOf(graph, groups, drawn);
  const frameOf = new Map(frames.flatMap(({ nodes }, index) => nodes.map((id) => [id, index] as const)));
  const start = frameOf.get(first ?? graph.entry_node_id) ?? 0;
  const blocks = frames.map(({ nodes }, index) => {
    const top = index === start ? (first ?? graph.entry_node_id) : entryOf(nodes, graph);
    return drawBlock(planPicture(graph, { drawn: new Set(nodes), first: top, stubs: "each", marks }), { isAddressed });
  });
  const titles = frames.map(({ name, nodes }) => (name === undefined ? "" : titleOf(name, nodes.length)));
  const sizes = blocks.map(({ width, height }, index) => {
    const title = titles[index] ?? "";
    if (title === "") return { width, height };
    const room = Math.max(width, textWidth(title, TITLE_SIZE));
    return { width: room + 2 * PADDING, height: height + 2 * PADDING + TITLE_ROOM };
  });
  const links = linksBetween(graph, frames, frameOf);
  const sized = links.map((link) => ({
    ...link,
    width: textWidth(link.lines[0] ?? "", LINK_TEXT_SIZE) + 8,
    height: LINK_TEXT_SIZE + 8,
  }));
  const arranged = layOutBoxes(sizes, [...sized, ...belowFirst(sizes.length, links, start)], [start]);
  // frames of a row differ much in height, so they are aligned at the top
  const boxes = arranged.boxes.map((spot, index) => ({ ...spot, y: spot.rowTop + (sizes[index]?.height ?? 0) / 2 }));
  const place = { ...arranged, boxes };
  const outlines = sizes.map((size) => ({ shape: NODE_SHAPES.conversation, size }));
  const addressed = (part: string, kind: string) =>
    isAddressed && part !== "" ? `<g class="${kind}">${part}</g>` : part;
  const lines = drawLinks(links, outlines, place).map((line) => addressed(line, "bundle"));
  const labels = sized.map(({ lines: [text = ""], width, height }, index) => {
    const { x = 0, y = 0 } = place.routes[index]?.label ?? {};
    const paper = `<rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${height}" rx="4" fill="#ffffff"/>`;
    const words = `<text x="${round(x)}" y="${round(y + 5)}" text-anchor="middle" fill="#334155" font-size="${LINK_TEXT_SIZE}">${escapeMarkup(text)}</text>`;
    return addressed(paper + words, "bundle");
  });
  const parts = blocks.map((block, index) => {
    const [size, middle, title = ""] = [sizes[index], place.boxes[index], titles[index]];
    if (!size || !middle) return "";
    const [left, top] = [round(middle.x - size.width / 2), round(middle.y - size.height / 2)];
    if (title === "") return `<g transform="translate(${left} ${top})">${block.parts.join("\n")}</g>`;
    const frame = `<rect x="${left}" y="${top}" width="${round(size.width)}" height="${round(size.height)}" rx="14" fill="#ffffff" stroke="#94a3b8" stroke-width="1.5"/>`;
    const name = `<text x="${round(left + PADDING)}" y="${round(top + PADDING + 4)}" fill="#334155" font-size="${TITLE_SIZE}" font-weight="600">${escapeMarkup(title)}</text>`;
    const x = left + (size.width - block.width) / 2;
    const inner = `<g transform="translate(${round(x)} ${round(top + PADDING + TITLE_ROOM)})">${block.parts.join("\n")}</g>`;
    return `<g${isAddressed ? ' class="frame"' : ""}>${frame}${name}\n${inner}</g>`;
  });
  return { width: place.width, height: place.height, parts: [...lines, ...labels, ...parts] };
}

/** Hidden links from the first frame to those that would be laid out beside it, so that it is alone in the top row. */
function belowFirst(count: number, links: readonly PlannedLink[], start: number): readonly SizedLink[] {
  const { rankOf } = rank(count, links, [start]);
  const frames = Array.from({ length: count }, (_, frame) => frame);
  const beside = frames.filter((frame) => frame !== start && (rankOf[frame] ?? 0) <= (rankOf[start] ?? 0));
  return beside.map((to) => ({ from: start, to, width: 0, height: 0 }));
}

interface Frame {
  /** Absent: the nodes without a group. */
  readonly name: string | undefined;
  readonly nodes: readonly string[];
}

/** Assigns each drawn node to the first group that names it. */
function framesOf(
  graph: AgentGraph,
  groups: readonly PictureGroup[],
  drawn: ReadonlySet<string> | undefined,
): readonly Frame[] {
  const left = new Set(Object.keys(graph.nodes).filter((id) => drawn?.has(id) ?? true));
  const frames = groups.map(({ name, nodes }) => ({ name, nodes: nodes.filter((id) => left.delete(id)) }));
  const rest = { name: undefined, nodes: [...left] };
  return [rest, ...frames].filter(({ nodes }) => nodes.length > 0);
}

/** The node of a frame with the most transitions from other frames. */
function entryOf(nodes: readonly string[], graph: AgentGraph): string | undefined {
  const inside = new Set(nodes);
  const counts = new Map<string, number>();
  for (const [id, { transitions }] of Object.entries(graph.nodes)) {
    if (inside.has(id)) continue;
    for (const { target_node_id: to } of transitions) if (inside.has(to)) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return nodes.reduce<string | undefined>((most, id) => {
    return (counts.get(id) ?? 0) > (counts.get(most ?? "") ?? 0) ? id : most;
  }, nodes[0]);
}

function titleOf(name: string, count: number): string {
  return `${shortened(drawableLine(name), LONGEST_TITLE) || "(no name)"} · ${count} node${count === 1 ? "" : "s"}`;
}

function linksBetween(
  graph: AgentGraph,
  frames: readonly Frame[],
  frameOf: ReadonlyMap<string, number>,
): readonly PlannedLink[] {
  return frames.flatMap(({ nodes }, from) => {
    const counts = new Map<number, number>();
    for (const id of nodes)
      for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? []) {
        const to = frameOf.get(target);
        if (to !== undefined && to !== from) counts.set(to, (counts.get(to) ?? 0) + 1);
      }
    return [...counts].map(([to, count]): PlannedLink => {
      const lines = [`${count} transition${count === 1 ? "" : "s"}`];
      return { from, to, kind: "transition", lines };
    });
  });
}

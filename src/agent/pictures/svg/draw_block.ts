import { escapeMarkup, xmlCharacters } from "../../../base/values/mod.ts";
import { layOutBoxes, type Point } from "./layout.ts";
import { drawLinks } from "./links.ts";
import { drawBadge, MARKS, type Mark, textWidth } from "./marks.ts";
import type { PicturePlan, PlannedBox, PlannedLink } from "./plan.ts";
import { NODE_SHAPES, round } from "./shapes.ts";
import type { Size } from "./web.ts";

const NAME_SIZE = 14;
const TEXT_SIZE = 13;
const NAME_LINE = 19;
const TEXT_LINE = 17;
const LABEL_PADDING = 4;
const LOOP = 30;
const LABEL_INK = "#334155";
/** Opacity of unmarked parts in a picture with marks. */
const FAINT = 0.45;

const LOOKS: {
  readonly [Look in PlannedBox["look"]]: readonly [fill: string, stroke: string, ink: string, more?: string];
} = {
  entry: ["#dcfce7", "#16a34a", "#052e16", 'class="entry"'],
  conversation: ["#ffffff", "#64748b", "#0f172a"],
  extract: ["#e0f2fe", "#0284c7", "#082f49"],
  logic: ["#fef9c3", "#ca8a04", "#422006"],
  function: ["#f1f5f9", "#475569", "#0f172a"],
  end: ["#fee2e2", "#dc2626", "#450a0a"],
  transfer: ["#ffedd5", "#ea580c", "#431407"],
  anywhere: ["#faf5ff", "#9333ea", "#3b0764", 'stroke-dasharray="5 4"'],
  missing: ["#ffffff", "#dc2626", "#450a0a", 'stroke-dasharray="5 4"'],
  elsewhere: ["#f8fafc", "#cbd5e1", "#475569"],
};

/** A drawn plan: its size, and its parts from back to front, relative to its top left corner. */
export interface Block extends Size {
  readonly parts: readonly string[];
}

/** Options of drawing a plan. */
export interface Look {
  /** Draws everything without a mark faintly. */
  readonly isFaint?: boolean;
  /** Adds classes and data attributes to boxes, arrows and labels, for scripts and styles of a page. */
  readonly isAddressed?: boolean;
}

export function drawBlock(
  { boxes, links, tops }: PicturePlan,
  { isFaint = false, isAddressed = false }: Look = {},
): Block {
  const drawn = boxes.map((box) => NODE_SHAPES[box.shape].around(nameSize(box.lines)));
  const loops = boxes.map((_, box) => links.filter((link) => link.from === box && link.to === box));
  const ways = links.filter(({ from, to }) => from !== to);
  const loopSizes = loops.map((own) => labelSize(own.flatMap(({ lines }) => lines)));
  const roomy = drawn.map(({ width, height }, box) => {
    const loop = loopSizes[box] ?? { width: 0, height: 0 };
    const more = (loops[box] ?? []).length > 0 ? 2 * (LOOP + loop.width) : 0;
    return { width: width + more, height: Math.max(height, loop.height) };
  });
  const sized = ways.map((way) => ({ ...way, ...labelSize(way.lines) }));
  const place = layOutBoxes(roomy, sized, tops);

  const addressed = (part: string, kind: string, links: readonly PlannedLink[]) =>
    isAddressed ? addressLinks(part, kind, links) : part;
  const shapes = boxes.map((box, index) => {
    const part = drawBox(box, drawn[index], place.boxes[index], isFaint);
    return isAddressed ? addressBox(part, box) : part;
  });
  const outlines = boxes.map((box, index) => ({
    shape: NODE_SHAPES[box.shape],
    size: drawn[index] ?? { width: 0, height: 0 },
  }));
  const faint = (mark: Mark | undefined, part: string) =>
    isFaint && !mark && part !== "" ? `<g opacity="${FAINT}">${part}</g>` : part;
  const labels = sized.map((way, index) => {
    const ink = way.mark ? MARKS[way.mark].ink : LABEL_INK;
    const text = drawLabel(way.lines, way, place.routes[index]?.label, { ink, isFaint: isFaint && !way.mark });
    return addressed(text, "label", [way]);
  });
  const turns = loops.map((own, box) => {
    const mark = markOfLoop(own);
    const lines = own.flatMap((link) => link.lines);
    const loop = drawLoop(lines, own.length, drawn[box], place.boxes[box], loopSizes[box], mark);
    return addressed(faint(mark, loop), "arrow", own);
  });
  const lines = drawLinks(ways, outlines, place).map((line, index) =>
    addressed(faint(ways[index]?.mark, line), "arrow", ways.slice(index, index + 1)),
  );
  const parts = [...lines, ...turns, ...shapes, ...labels];
  return { width: place.width, height: place.height, parts: parts.filter((part) => part !== "") };
}

function nameSize([name = "", ...others]: readonly string[]): Size {
  const widths = [textWidth(name, NAME_SIZE) * 1.06, ...others.map((line) => textWidth(line, TEXT_SIZE))];
  return { width: Math.max(...widths), height: NAME_LINE + others.length * TEXT_LINE };
}

function labelSize(lines: readonly string[]): Size {
  if (lines.length === 0) return { width: 0, height: 0 };
  const widest = Math.max(...lines.map((line) => textWidth(line, TEXT_SIZE)));
  return { width: widest + 2 * LABEL_PADDING, height: lines.length * TEXT_LINE + LABEL_PADDING };
}

function drawBox(box: PlannedBox, size: Size | undefined, middle: Point | undefined, isFaint: boolean): string {
  if (!size || !middle) return "";
  const [fill, stroke, ink, more = ""] = LOOKS[box.look];
  const border = borderOf(box, stroke);
  const paper = (box.mark && MARKS[box.mark].fill) ?? fill;
  const outline = NODE_SHAPES[box.shape].draw(size, middle, `fill="${paper}" ${border} ${more}`.trim());
  const top = middle.y - nameSize(box.lines).height / 2;
  const lines = box.lines.map((line, index) => {
    const y = round(top + (index === 0 ? 14 : NAME_LINE + (index - 1) * TEXT_LINE + 13));
    const weight = index === 0 && box.look !== "anywhere" ? ` font-size="${NAME_SIZE}" font-weight="600"` : "";
    return `<text x="${round(middle.x)}" y="${y}" text-anchor="middle" fill="${ink}"${weight}>${escapeMarkup(line)}</text>`;
  });
  const { mark, tooltip } = box;
  const corner = { x: middle.x - size.width / 2 + 4, y: middle.y - size.height / 2 + 2 };
  const title = tooltip === undefined ? "" : `<title>${escapeMarkup(tooltip)}</title>`;
  const parts = `${title}${outline}${lines.join("")}${mark ? drawBadge(mark, corner) : ""}`;
  const opacity = isFaint && !mark ? ` opacity="${FAINT}"` : "";
  return title + opacity === "" ? parts : `<g${opacity}>${parts}</g>`;
}

function borderOf({ isGlobal, mark }: PlannedBox, stroke: string): string {
  if (mark) return `stroke="${MARKS[mark].ink}" stroke-width="${MARKS[mark].width}"${MARKS[mark].dash}`;
  return isGlobal ? 'stroke="#9333ea" stroke-width="3"' : `stroke="${stroke}" stroke-width="1.5"`;
}

function drawLabel(
  lines: readonly string[],
  { width, height }: Size,
  middle: Point | undefined,
  { ink = LABEL_INK, isFaint = false }: { readonly ink?: string; readonly isFaint?: boolean } = {},
): string {
  if (!middle || lines.length === 0) return "";
  const [left, top] = [round(middle.x - width / 2), round(middle.y - height / 2)];
  const paper = `<rect x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="4" fill="#ffffff"/>`;
  const opacity = isFaint ? ` opacity="${FAINT}"` : ""; // only of the text: the background hides the line behind it
  const texts = lines.map((line, index) => {
    const y = round(top + LABEL_PADDING / 2 + 13 + index * TEXT_LINE);
    return `<text x="${round(middle.x)}" y="${y}" text-anchor="middle" fill="${ink}"${opacity}>${escapeMarkup(line)}</text>`;
  });
  return paper + texts.join("");
}

/** The mark of a line that stands for several links: if the marks differ, some links are covered. */
function markOfLoop(links: readonly PlannedLink[]): Mark | undefined {
  const marks = new Set(links.flatMap(({ mark }) => mark ?? []));
  return marks.size > 1 && (marks.has("covered") || marks.has("partly")) ? "partly" : [...marks][0];
}

/** Draws links from a box to itself: one round line at its right side, with all their labels. */
function drawLoop(
  lines: readonly string[],
  count: number,
  size: Size | undefined,
  middle: Point | undefined,
  text: Size | undefined,
  mark: Mark | undefined,
): string {
  if (count === 0 || !size || !middle || !text) return "";
  const { ink, width, dash } = mark ? MARKS[mark] : { ink: "#64748b", width: 1.5, dash: "" };
  const right = round(middle.x + size.width / 2);
  const [top, bottom] = [round(middle.y - size.height / 5), round(middle.y + size.height / 5)];
  const path = `<path d="M${right} ${top}C${right + LOOP} ${top - 10} ${right + LOOP} ${bottom + 10} ${right + 5} ${bottom}" fill="none" stroke="${ink}" stroke-width="${width}"${dash}/>`;
  const head = `<polygon points="${right},${bottom} ${right + 9},${bottom - 3} ${right + 8},${bottom + 6}" fill="${ink}"/>`;
  const labelled = drawLabel(lines, text, { x: right + LOOP - 4 + text.width / 2, y: middle.y });
  return path + head + labelled;
}

/**
 * Wraps a drawn box in a group with a class, and with its node as `data-node`, so that a page can style and find
 * it.
 */
function addressBox(part: string, { look, isGlobal, node }: PlannedBox): string {
  if (part === "") return part;
  const id = node === undefined ? "" : ` data-node="${attribute(node)}"`;
  return `<g class="box ${look}${isGlobal ? " global" : ""}"${id}>${part}</g>`;
}

/**
 * Wraps a drawn arrow or label in a group. `data-from`, `data-to` and `data-place` identify its transition; loops of
 * one node are one arrow without a place.
 *
 * @param kind Class of the group, `arrow` or `label`.
 */
function addressLinks(part: string, kind: string, links: readonly PlannedLink[]): string {
  const [first] = links;
  if (part === "" || !first) return part;
  const { from, to, place } = first.address ?? {};
  const attributes = [
    ["from", from],
    ["to", to],
    ["place", links.length === 1 ? place : undefined],
  ].map(([name, value]) => (value === undefined ? "" : ` data-${name}="${attribute(String(value))}"`));
  return `<g class="${kind} ${first.kind}"${attributes.join("")}>${part}</g>`;
}

/** Escapes a text; characters that XML cannot represent are replaced. */
function attribute(text: string): string {
  return escapeMarkup(xmlCharacters(text));
}

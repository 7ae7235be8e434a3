import type { Layout, LinkRoute, Spot } from "./layout.ts";
import { MARKS } from "./marks.ts";
import type { PlannedLink } from "./plan.ts";
import { round, type Shape } from "./shapes.ts";
import type { Size } from "./web.ts";

/** Shape of a box as drawn. In the layout it may have more room. */
export interface Outline {
  readonly shape: Shape;
  readonly size: Size;
}

const INK = { transition: "#64748b", enter: "#9333ea", back: "#9333ea" } as const;
const WIDEST_STEP = 24;
const SHARE_OF_SIDE = 0.62;
const HEAD = { length: 9, half: 4.5 };

/** Draws the lines of all links, each with its arrowhead. */
export function drawLinks(
  links: readonly PlannedLink[],
  outlines: readonly Outline[],
  { boxes, routes }: Layout,
): readonly string[] {
  const asides = spread(links, outlines, { boxes, routes });
  return links.map((link, index) => {
    const route = routes[index];
    const [upper, lower] = route?.isUpward ? [link.to, link.from] : [link.from, link.to];
    const [start, end] = [boxes[upper], boxes[lower]];
    const aside = asides[index];
    if (!route || !start || !end || !aside) return "";
    const reach = (box: number, at: number) => {
      const outline = outlines[box];
      return outline ? outline.shape.reach(outline.size, Math.abs(at)) : 0;
    };
    const from = { x: start.x + aside.upper, y: start.y + reach(upper, aside.upper) };
    const to = { x: end.x + aside.lower, y: end.y - reach(lower, aside.lower) };
    const path = trace({ from, start, bends: route.bends, end, to }, route.isUpward);
    const mark = link.mark ? MARKS[link.mark] : undefined;
    const ink = mark?.ink ?? INK[link.kind];
    const dash = mark?.dash ?? (link.kind === "back" ? ' stroke-dasharray="2 5" stroke-linecap="round"' : "");
    const width = mark?.width ?? (link.kind === "transition" ? 1.5 : 2.2);
    const tip = route.isUpward ? { ...from, back: from.y + HEAD.length } : { ...to, back: to.y - HEAD.length };
    const corners = [
      [tip.x, tip.y],
      [tip.x - HEAD.half, tip.back],
      [tip.x + HEAD.half, tip.back],
    ];
    const points = corners.map(([x = 0, y = 0]) => `${round(x)},${round(y)}`).join(" ");
    return `<path d="${path}" fill="none" stroke="${ink}" stroke-width="${width}"${dash}/><polygon points="${points}" fill="${ink}"/>`;
  });
}

interface Ways {
  readonly from: { readonly x: number; readonly y: number };
  readonly start: Spot;
  readonly bends: readonly Spot[];
  readonly end: Spot;
  readonly to: { readonly x: number; readonly y: number };
}

/** Draws straight down through every row, so that nothing in it is crossed, and curves between the rows. */
function trace({ from, start, bends, end, to }: Ways, isUpward: boolean): string {
  const short = HEAD.length - 1;
  const first = isUpward ? from.y + short : from.y;
  const last = isUpward ? to.y : to.y - short;
  let path = `M${round(from.x)} ${round(first)}L${round(from.x)} ${round(Math.max(first, start.rowBottom))}`;
  let [x, y] = [from.x, Math.max(first, start.rowBottom)];
  const curve = (toX: number, toY: number) => {
    const middle = round((y + toY) / 2);
    path += `C${round(x)} ${middle} ${round(toX)} ${middle} ${round(toX)} ${round(toY)}`;
  };
  for (const bend of bends) {
    curve(bend.x, bend.rowTop);
    path += `L${round(bend.x)} ${round(bend.rowBottom)}`;
    [x, y] = [bend.x, bend.rowBottom];
  }
  curve(to.x, Math.min(last, end.rowTop));
  return `${path}L${round(to.x)} ${round(last)}`;
}

/** Returns the horizontal offsets at which links start and end, so that links on the same side do not overlap. */
function spread(
  links: readonly PlannedLink[],
  outlines: readonly Outline[],
  { boxes, routes }: { readonly boxes: readonly Spot[]; readonly routes: readonly LinkRoute[] },
): readonly { upper: number; lower: number }[] {
  const asides = links.map(() => ({ upper: 0, lower: 0 }));
  const sides = new Map<
    string,
    { readonly link: number; readonly end: "upper" | "lower"; readonly towards: number }[]
  >();
  for (const [index, { from, to }] of links.entries()) {
    const { isUpward = false, bends = [] } = routes[index] ?? {};
    const [upper, lower] = isUpward ? [to, from] : [from, to];
    const ends = [
      { box: upper, end: "upper", towards: bends[0]?.x ?? boxes[lower]?.x ?? 0 },
      { box: lower, end: "lower", towards: bends.at(-1)?.x ?? boxes[upper]?.x ?? 0 },
    ] as const;
    for (const { box, end, towards } of ends) {
      const key = `${box} ${end}`;
      sides.set(key, [...(sides.get(key) ?? []), { link: index, end, towards }]);
    }
  }
  for (const [key, side] of sides) {
    const width = outlines[Number.parseInt(key, 10)]?.size.width ?? 0;
    const step = Math.min(WIDEST_STEP, (width * SHARE_OF_SIDE) / Math.max(1, side.length - 1));
    for (const [place, { link, end }] of side.sort((a, b) => a.towards - b.towards).entries()) {
      const aside = asides[link];
      if (aside) aside[end] = (place - (side.length - 1) / 2) * step;
    }
  }
  return asides;
}

import { orderRows } from "./order.ts";
import { placeRows } from "./place.ts";
import { straighten } from "./straighten.ts";
import { LINE_WIDTH, type Size, type SizedLink, spin, type Web } from "./web.ts";

/** A point in pixels, from the top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Centre of a box, and the top and bottom of its row. */
export interface Spot extends Point {
  readonly rowTop: number;
  readonly rowBottom: number;
}

/** Route of a link. */
export interface LinkRoute {
  /** Points where it crosses rows, from the upper end to the lower one. */
  readonly bends: readonly Spot[];
  /** Centre of the label. */
  readonly label: Point;
  /** Whether the link goes from its lower end to the upper one. */
  readonly isUpward: boolean;
}

/** Positions of all boxes and links. */
export interface Layout extends Size {
  readonly boxes: readonly Spot[];
  readonly routes: readonly LinkRoute[];
}

const ROW_GAP = 22;
const BOX_GAP = 28;
const LABEL_GAP = 14;
const LINE_GAP = 18;
// pictures wider than a page are scaled down, and their text with them
const COMFORTABLE_WIDTH = 900;
// folding does not help pictures beyond this width: half of it is still too wide
const FOLDABLE_WIDTH = 6000;

/**
 * Lays out boxes in rows (Sugiyama's method). Labels have their own rows between the boxes' rows and take part in the
 * layout like boxes, so that they never overlap each other, a box or another link.
 *
 * @param tops Boxes that links should lead away from. The last one is in the first row.
 */
export function layOutBoxes(boxes: readonly Size[], links: readonly SizedLink[], tops: readonly number[]): Layout {
  const plain = arrange(boxes, links, { tops, isSecond: () => false });
  if (plain.width <= COMFORTABLE_WIDTH || plain.width > FOLDABLE_WIDTH) return plain;
  // put every other label a little lower, so that they need half the width
  const byPlace = [...links.keys()].sort((a, b) => (plain.routes[a]?.label.x ?? 0) - (plain.routes[b]?.label.x ?? 0));
  const seconds = new Set<number>();
  const seen = new Map<number, number>();
  for (const link of byPlace) {
    if ((links[link]?.height ?? 0) === 0) continue;
    const row = plain.routes[link]?.label.y ?? 0;
    const place = seen.get(row) ?? 0;
    if (place % 2 === 1) seconds.add(link);
    seen.set(row, place + 1);
  }
  const folded = arrange(boxes, links, { tops, isSecond: (link) => seconds.has(link) });
  return folded.width < plain.width ? folded : plain;
}

interface Arrangement {
  readonly tops: readonly number[];
  readonly isSecond: (link: number) => boolean;
}

function arrange(boxes: readonly Size[], links: readonly SizedLink[], arrangement: Arrangement): Layout {
  const web = spin(boxes, links, arrangement);
  const { sizes, rowOf, above, below, pulls } = web;
  const rows = orderRows(roughRows(web, arrangement.tops.toReversed(), boxes.length), { above, below });
  const isLine = (box: number) => box >= boxes.length && (sizes[box]?.width ?? 0) <= LINE_WIDTH;
  const gap = (a: number, b: number) => {
    if (isLine(a) || isLine(b)) return LINE_GAP;
    return a < boxes.length && b < boxes.length ? BOX_GAP : LABEL_GAP;
  };
  const widths = sizes.map(({ width }) => width);
  const apart = (left: number, right: number) => ((widths[left] ?? 0) + (widths[right] ?? 0)) / 2 + gap(left, right);
  const x = straighten(placeRows(rows, pulls, { widths, apart }), web.chains, { rows, apart });

  const sides: { readonly rowTop: number; readonly rowBottom: number }[] = [];
  let height = -ROW_GAP;
  for (const row of rows) {
    const tallest = row.reduce((most, box) => Math.max(most, sizes[box]?.height ?? 0), 0);
    const rowTop = tallest === 0 ? height : height + ROW_GAP; // a row without boxes or labels has no height
    height = rowTop + tallest;
    sides.push({ rowTop, rowBottom: height });
  }
  const spot = (box: number): Spot => {
    const { rowTop, rowBottom } = sides[rowOf[box] ?? 0] ?? { rowTop: 0, rowBottom: 0 };
    return { x: x[box] ?? 0, y: (rowTop + rowBottom) / 2, rowTop, rowBottom };
  };
  return {
    width: x.reduce((right, at, box) => Math.max(right, at + (widths[box] ?? 0) / 2), 0),
    height: Math.max(0, height),
    boxes: boxes.map((_, box) => spot(box)),
    routes: web.chains.map((chain, index) => ({
      bends: chain.map(spot).filter(({ rowTop, rowBottom }) => rowBottom > rowTop),
      label: spot(web.labels[index] ?? 0),
      isUpward: web.upward.has(index),
    })),
  };
}

/** Returns the rows in the order in which a walk from the first box visits their contents. */
function roughRows({ rowOf, below }: Web, starts: readonly number[], boxes: number): readonly (readonly number[])[] {
  const rows: number[][] = Array.from({ length: rowOf.reduce((most, row) => Math.max(most, row), 0) + 1 }, () => []);
  const seen = new Set<number>();
  for (const start of [...starts, ...Array.from({ length: boxes }, (_, box) => box)]) {
    const waiting = [start];
    for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
      if (seen.has(box)) continue;
      seen.add(box);
      rows[rowOf[box] ?? 0]?.push(box);
      waiting.push(...(below[box] ?? []).toReversed());
    }
  }
  return rows;
}

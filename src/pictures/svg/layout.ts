import { orderRows } from "./order.ts";
import { placeRows } from "./place.ts";
import { straighten } from "./straighten.ts";
import { LINE_WIDTH, type Size, type SizedLink, spin, type Web } from "./web.ts";

/** A place in pixels, from the left upper corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Middle of a box, and the upper and lower side of its row. */
export interface Spot extends Point {
  readonly rowTop: number;
  readonly rowBottom: number;
}

/** Where a link goes. */
export interface Route {
  /** Where it passes rows, from the upper end to the lower one. */
  readonly bends: readonly Spot[];
  /** Middle of the label. */
  readonly label: Point;
  /** Whether it goes from the lower end to the upper one. */
  readonly isUpward: boolean;
}

/** Where everything is. */
export interface Layout extends Size {
  readonly boxes: readonly Spot[];
  readonly routes: readonly Route[];
}

const ROW_GAP = 22;
const BOX_GAP = 28;
const LABEL_GAP = 14;
const LINE_GAP = 18;
// Wider than a page of text, a picture is shown smaller, and its letters with it.
const COMFORTABLE_WIDTH = 900;
// Of what is wider than several pages, half is too wide as well.
const FOLDABLE_WIDTH = 6000;

/**
 * Lays out boxes in rows (after Sugiyama). Labels have rows of their own between the boxes' rows and take part in the
 * layout like boxes, which is why they cannot lie on each other, on a box, or in another link's way.
 *
 * @param tops Boxes that links should lead away from; the last one stands in the first row.
 */
export function layout(boxes: readonly Size[], links: readonly SizedLink[], tops: readonly number[]): Layout {
  const plain = arrange(boxes, links, { tops, isSecond: () => false });
  if (plain.width <= COMFORTABLE_WIDTH || plain.width > FOLDABLE_WIDTH) return plain;
  // Every other label a little lower: they need half the width then.
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
    const rowTop = tallest === 0 ? height : height + ROW_GAP; // a row of lines alone takes no room
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

/** The rows in the order in which a walk from the first box down meets what is in them. */
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

import { orderRows } from "./order.ts";
import { placeRows } from "./place.ts";
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

/**
 * Lays out boxes in rows (after Sugiyama). Labels have rows of their own between the boxes' rows and take part in the
 * layout like boxes, which is why they cannot lie on each other, on a box, or in another link's way.
 *
 * @param first The box that stands on top.
 */
export function layout(boxes: readonly Size[], links: readonly SizedLink[], first: number): Layout {
  const web = spin(boxes, links, first);
  const { sizes, rowOf, above, below, pulls } = web;
  const rows = orderRows(roughRows(web, first, boxes.length), { above, below });
  const isLine = (box: number) => box >= boxes.length && (sizes[box]?.width ?? 0) <= LINE_WIDTH;
  const gap = (a: number, b: number) => {
    if (isLine(a) || isLine(b)) return LINE_GAP;
    return a < boxes.length && b < boxes.length ? BOX_GAP : LABEL_GAP;
  };
  const widths = sizes.map(({ width }) => width);
  const x = placeRows(rows, pulls, { widths, gap });

  const sides: { readonly rowTop: number; readonly rowBottom: number }[] = [];
  let height = -ROW_GAP;
  for (const row of rows) {
    const rowTop = height + ROW_GAP;
    height = row.reduce((lowest, box) => Math.max(lowest, rowTop + (sizes[box]?.height ?? 0)), rowTop);
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
      bends: chain.map(spot),
      label: spot(web.labels[index] ?? 0),
      isUpward: web.upward.has(index),
    })),
  };
}

/** The rows in the order in which a walk from the first box down meets what is in them. */
function roughRows({ rowOf, below }: Web, first: number, boxes: number): readonly (readonly number[])[] {
  const rows: number[][] = Array.from({ length: rowOf.reduce((most, row) => Math.max(most, row), 0) + 1 }, () => []);
  const seen = new Set<number>();
  for (const start of [first, ...Array.from({ length: boxes }, (_, box) => box)]) {
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

import { placeRows } from "./place.ts";
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

/** Position constraints of a box: its row in order, and the minimum distance between centres of neighbours. */
export interface Rows {
  readonly rows: readonly (readonly number[])[];
  readonly apart: (left: number, right: number) => number;
}

const ROUNDS = 4;

/**
 * Aligns the bends of each link vertically where neighbours leave room, so that long links are straight. Boxes do not
 * move.
 */
function straighten(x: readonly number[], chains: readonly (readonly number[])[], { rows, apart }: Rows): number[] {
  const moved = [...x];
  const left = new Map<number, number>();
  const right = new Map<number, number>();
  for (const row of rows)
    for (const [index, box] of row.entries()) {
      const next = row[index + 1];
      if (next === undefined) continue;
      right.set(box, next);
      left.set(next, box);
    }
  const roomOf = (box: number) => {
    const [before, after] = [left.get(box), right.get(box)];
    return {
      from: before === undefined ? apart(box, box) / 2 : (moved[before] ?? 0) + apart(before, box),
      to: after === undefined ? Number.POSITIVE_INFINITY : (moved[after] ?? 0) - apart(box, after),
    };
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const chain of chains) {
      let run: number[] = [];
      let room = { from: 0, to: Number.POSITIVE_INFINITY };
      const settle = () => {
        const mean = run.reduce((sum, box) => sum + (moved[box] ?? 0), 0) / run.length;
        for (const box of run) moved[box] = Math.min(room.to, Math.max(room.from, mean));
      };
      for (const box of chain) {
        const own = roomOf(box);
        const both = { from: Math.max(room.from, own.from), to: Math.min(room.to, own.to) };
        if (run.length > 0 && both.from > both.to) {
          settle();
          [run, room] = [[box], own];
        } else [run, room] = [[...run, box], both];
      }
      if (run.length > 0) settle();
    }
  return moved;
}

/** Boxes that each box is linked with in the row above and the row below. */
export interface Neighbours {
  readonly above: readonly (readonly number[])[];
  readonly below: readonly (readonly number[])[];
}

const MOST_SWEEPS = 24;
const LEAST_SWEEPS = 4;
const WORK = 60_000;
// exchanging neighbours is worth the time only for pictures that people can view whole
const MOST_BOXES_EXCHANGED = 1500;

/** Orders the boxes within each row so that few links cross. */
function orderRows(rows: readonly (readonly number[])[], { above, below }: Neighbours): number[][] {
  const current = rows.map((row) => [...row]);
  const place: number[] = [];
  const settle = (row: readonly number[]) => {
    for (const [index, box] of row.entries()) place[box] = index;
  };
  current.forEach(settle);
  const small = above.length <= MOST_BOXES_EXCHANGED;
  let best = current.map((row) => [...row]);
  let least = crossings(current, below, place);
  const sweeps = Math.min(MOST_SWEEPS, Math.max(LEAST_SWEEPS, WORK / above.length));
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    const down = sweep % 2 === 0;
    const side = down ? above : below;
    for (const row of down ? current : current.toReversed()) {
      const wish = new Map(row.map((box, index) => [box, mean(side[box] ?? [], place) ?? index]));
      row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      settle(row);
    }
    if (small) for (const row of current) exchange(row, { above, below }, place);
    const now = crossings(current, below, place);
    if (now < least) [best, least] = [current.map((row) => [...row]), now];
  }
  return best;
}

/** Exchanges neighbouring boxes while that removes crossings. */
function exchange(row: number[], { above, below }: Neighbours, place: number[]): void {
  for (let round = 0, changed = true; changed && round < 8; round++) {
    changed = false;
    for (let index = 0; index + 1 < row.length; index++) {
      const [left, right] = [row[index] ?? 0, row[index + 1] ?? 0];
      let gain = 0;
      for (const side of [above, below])
        for (const a of side[left] ?? [])
          for (const b of side[right] ?? []) gain += Math.sign((place[a] ?? 0) - (place[b] ?? 0));
      if (gain <= 0) continue;
      [row[index], row[index + 1]] = [right, left];
      [place[left], place[right]] = [index + 1, index];
      changed = true;
    }
  }
}

/** Counts crossing pairs of links between rows, as inversions. */
function crossings(rows: readonly (readonly number[])[], below: Neighbours["below"], place: readonly number[]): number {
  let total = 0;
  for (const [index, row] of rows.entries()) {
    const width = rows[index + 1]?.length ?? 0;
    const tree = new Array<number>(width + 1).fill(0);
    let seen = 0;
    for (const box of row) {
      const ends = (below[box] ?? []).map((other) => place[other] ?? 0);
      for (const end of ends) {
        let notRight = 0;
        for (let at = end + 1; at > 0; at -= at & -at) notRight += tree[at] ?? 0;
        total += seen - notRight;
      }
      for (const end of ends) for (let at = end + 1; at <= width; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
      seen += ends.length;
    }
  }
  return total;
}

function mean(boxes: readonly number[], place: readonly number[]): number | undefined {
  if (boxes.length === 0) return undefined;
  return boxes.reduce((sum, box) => sum + (place[box] ?? 0), 0) / boxes.length;
}

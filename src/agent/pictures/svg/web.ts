import type { Pull } from "./place.ts";
import { type Ends, rank } from "./ranks.ts";

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A link with the size of its label. Without a label the size is 0. */
export interface SizedLink extends Ends, Size {}

/** Width of a link where it crosses a row. */
export const LINE_WIDTH = 4;

/**
 * Boxes, followed in every list by the bends of the links: one in each row that a link crosses. One of them, near the
 * link's start, has the size of the label.
 */
export interface Web {
  readonly sizes: Size[];
  readonly rowOf: number[];
  readonly above: number[][];
  readonly below: number[][];
  readonly pulls: Pull[][];
  /** Bends of each link from the upper end to the lower one. */
  readonly chains: readonly (readonly number[])[];
  /** Bend with the label of each link. */
  readonly labels: readonly number[];
  readonly upward: ReadonlySet<number>;
}

/** Rows per rank: one for boxes, then two for the labels of their outgoing links. */
const ROWS = 3;

/**
 * Assigns boxes and bends to rows.
 *
 * @param isSecond Links whose label is in the second row for labels.
 */
export function spin(
  boxes: readonly Size[],
  links: readonly SizedLink[],
  { tops, isSecond }: { readonly tops: readonly number[]; readonly isSecond: (link: number) => boolean },
): Web {
  const { rankOf, upward } = rank(boxes.length, links, tops);
  const sizes: Size[] = [];
  const rowOf: number[] = [];
  const above: number[][] = [];
  const below: number[][] = [];
  const pulls: Pull[][] = [];
  const add = (size: Size, row: number): number => {
    sizes.push(size);
    for (const lists of [above, below]) lists.push([]);
    pulls.push([]);
    return rowOf.push(row) - 1;
  };
  const connect = (upper: number, lower: number) => {
    const bends = Number(upper >= boxes.length) + Number(lower >= boxes.length);
    const weight = [1, 2, 30][bends] ?? 1; // straight long links matter most
    below[upper]?.push(lower);
    above[lower]?.push(upper);
    pulls[upper]?.push({ other: lower, weight });
    pulls[lower]?.push({ other: upper, weight });
  };

  for (const [index, size] of boxes.entries()) add(size, ROWS * (rankOf[index] ?? 0));
  const labels: number[] = [];
  const chains = links.map(({ from, to, width, height }, index) => {
    const isUpward = upward.has(index);
    const [upper, lower] = isUpward ? [to, from] : [from, to];
    const [start, end] = [ROWS * (rankOf[upper] ?? 0), ROWS * (rankOf[lower] ?? 0)];
    const chain: number[] = [];
    const labelRow = (isUpward ? end - ROWS : start) + (isSecond(index) ? 2 : 1);
    for (let row = start + 1; row < end; row++) {
      const hasLabel = row === labelRow;
      const bend = add(
        hasLabel ? { width: Math.max(LINE_WIDTH, width), height } : { width: LINE_WIDTH, height: 0 },
        row,
      );
      if (hasLabel) labels[index] = bend;
      connect(chain.at(-1) ?? upper, bend);
      chain.push(bend);
    }
    connect(chain.at(-1) ?? upper, lower);
    return chain;
  });
  return { sizes, rowOf, above, below, pulls, chains, labels, upward };
}

import type { Point } from "./layout.ts";
import { escapeXml, textWidth } from "./measure.ts";
import { round } from "./shapes.ts";

/** How a node or a transition differs from another version of the graph. */
export type Mark = "added" | "removed" | "changed";

/** What differs in a picture that shows changes. Everything else is drawn faint. */
export interface Marks {
  readonly nodes: ReadonlyMap<string, Mark>;
  /** By node, the marks of its transitions by their index. */
  readonly transitions: ReadonlyMap<string, ReadonlyMap<number, Mark>>;
  /** By node, the id that it had before. */
  readonly formerIds: ReadonlyMap<string, string>;
}

/** Colour, sign and line of each mark, so that none depends on colours alone. */
export const MARKS: {
  readonly [Name in Mark]: {
    readonly ink: string;
    readonly sign: string;
    readonly width: number;
    readonly dash: string;
  };
} = {
  added: { ink: "#15803d", sign: "+", width: 3.5, dash: "" },
  removed: { ink: "#b91c1c", sign: "−", width: 2.5, dash: ' stroke-dasharray="7 4"' },
  changed: { ink: "#b45309", sign: "~", width: 3.5, dash: "" },
};

const RADIUS = 9;

/** A badge with the sign of a mark. */
export function drawBadge(mark: Mark, { x, y }: Point): string {
  const { ink, sign } = MARKS[mark];
  const circle = `<circle cx="${round(x)}" cy="${round(y)}" r="${RADIUS}" fill="${ink}"/>`;
  return `${circle}<text x="${round(x)}" y="${round(y + 5)}" text-anchor="middle" fill="#ffffff" font-weight="700" font-size="15">${sign}</text>`;
}

/** Room below a picture for what its marks mean. */
export const LEGEND_HEIGHT = 30;

/** What the marks mean, in one line. */
export function drawLegend({ x, y }: Point): string {
  const names: readonly Mark[] = ["added", "removed", "changed"];
  let left = x + RADIUS;
  return names
    .map((mark) => {
      const badge = drawBadge(mark, { x: left, y });
      const text = `<text x="${round(left + RADIUS + 6)}" y="${round(y + 5)}" fill="${MARKS[mark].ink}">${escapeXml(mark)}</text>`;
      left += 2 * RADIUS + 30 + textWidth(mark, 13);
      return badge + text;
    })
    .join("");
}

/** About how wide the legend is. */
export const LEGEND_WIDTH = 330;

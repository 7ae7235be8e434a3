import { escapeMarkup } from "../../../base/values/mod.ts";
import type { Point } from "./layout.ts";
import { round } from "./shapes.ts";

/** How a node or a transition differs from another version of the graph. */
export type ChangeMark = "added" | "removed" | "changed";

/** How much of a node or a transition the calls of a run have covered. */
export type CoverageMark = "covered" | "partly" | "uncovered";

/** The mark of a node or a transition. */
export type Mark = ChangeMark | CoverageMark;

/** The marks of nodes and transitions. */
export interface Marks {
  /** In a picture of changes, everything without a mark is drawn faintly. Default: `changes`. */
  readonly about?: "changes" | "coverage";
  readonly nodes: ReadonlyMap<string, Mark>;
  /** By node, the marks of its transitions by their index. */
  readonly transitions: ReadonlyMap<string, ReadonlyMap<number, Mark>>;
  /** The marks of entries into global nodes. */
  readonly entries?: ReadonlyMap<string, Mark>;
  /** By node, the marks of its go-back conditions by their index. */
  readonly backs?: ReadonlyMap<string, ReadonlyMap<number, Mark>>;
  /** By node, the id that it had before. */
  readonly formerIds?: ReadonlyMap<string, string>;
  /** By node, additional text for its tooltip. */
  readonly notes?: ReadonlyMap<string, string>;
}

/** Colour, sign and line style of each mark, so that no meaning depends on colours alone. */
export const MARKS: {
  readonly [Name in Mark]: {
    readonly ink: string;
    readonly sign: string;
    readonly width: number;
    readonly dash: string;
    /** Fill colour of a box; absent: that of its type. */
    readonly fill?: string;
  };
} = {
  added: { ink: "#15803d", sign: "+", width: 3.5, dash: "" },
  removed: { ink: "#b91c1c", sign: "−", width: 2.5, dash: ' stroke-dasharray="7 4"' },
  changed: { ink: "#b45309", sign: "~", width: 3.5, dash: "" },
  covered: { ink: "#15803d", sign: "✓", width: 3, dash: "" },
  partly: { ink: "#b45309", sign: "½", width: 3, dash: ' stroke-dasharray="11 5"' },
  uncovered: {
    ink: "#b91c1c",
    sign: "✗",
    width: 2.5,
    dash: ' stroke-dasharray="1 6" stroke-linecap="round"',
    fill: "#ffffff",
  },
};

/** The marks of each kind of picture, with their names in the legend. */
const LEGENDS: { readonly [About in NonNullable<Marks["about"]>]: readonly (readonly [Mark, string])[] } = {
  changes: [
    ["added", "added"],
    ["removed", "removed"],
    ["changed", "changed"],
  ],
  coverage: [
    ["covered", "covered"],
    ["partly", "partly covered"],
    ["uncovered", "not covered"],
  ],
};

const RADIUS = 9;

/** A badge with the sign of a mark. */
export function drawBadge(mark: Mark, { x, y }: Point): string {
  const { ink, sign } = MARKS[mark];
  const circle = `<circle cx="${round(x)}" cy="${round(y)}" r="${RADIUS}" fill="${ink}"/>`;
  return `${circle}<text x="${round(x)}" y="${round(y + 5)}" text-anchor="middle" fill="#ffffff" font-weight="700" font-size="15">${sign}</text>`;
}

/** Height of the legend below a picture. */
export const LEGEND_HEIGHT = 30;

const LINE = 34;

/** The legend in one line: the badge, the line style and the name of each mark. */
export function drawLegend({ x, y }: Point, about: Marks["about"] = "changes"): string {
  let left = x + RADIUS;
  return LEGENDS[about]
    .map(([mark, name]) => {
      const { ink, width, dash } = MARKS[mark];
      const badge = drawBadge(mark, { x: left, y });
      const start = left + RADIUS + 6;
      const line = `<path d="M${round(start)} ${round(y)}L${round(start + LINE)} ${round(y)}" stroke="${ink}" stroke-width="${width}"${dash}/>`;
      const text = `<text x="${round(start + LINE + 6)}" y="${round(y + 5)}" fill="${ink}">${escapeMarkup(name)}</text>`;
      left = start + LINE + 30 + textWidth(name, 13);
      return badge + line + text;
    })
    .join("");
}

/** Width of the legend in pixels. The text is measured approximately. */
export const LEGEND_WIDTH = 460;

// Character widths relative to the font size, of DejaVu Sans: the widest font that browsers use for sans-serif, so that
// text which fits here fits everywhere.
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[ijlI|'.,:;!⟨⟩]/, 0.36],
  [/[frt()[\]{}/\\" -]/, 0.42],
  [/[mMW@%]/, 0.98],
  [/[w≠≥≤=<>+~^]/, 0.84],
  [/[A-Z]/, 0.71],
  [/[\u0020-\u024F]/, 0.64],
];

/** Returns the approximate width of a line in pixels. Non-Latin characters count as square. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? 1;
  return width * fontSize;
}

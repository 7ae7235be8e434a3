import type { NodeType } from "../../../document/graph/mod.ts";
import type { Point } from "./layout.ts";
import type { Size } from "./web.ts";

/** Outline of a shape, and the room that its text needs. */
export interface Shape {
  /** Returns the size of the shape around a text. */
  readonly around: (text: Size) => Size;
  /** Draws the shape around a centre as SVG; `attributes` are its colours. */
  readonly draw: (size: Size, middle: Point, attributes: string) => string;
  /** Returns the distance of the outline above and below the centre, at a horizontal offset. */
  readonly reach: (size: Size, aside: number) => number;
}

const PADDING = { x: 18, y: 11 };

const padded = ({ width, height }: Size, x = PADDING.x): Size => ({
  width: width + 2 * x,
  height: height + 2 * PADDING.y,
});

function rectangle({ width, height }: Size, { x, y }: Point, radius: number, attributes: string): string {
  const corner = `x="${round(x - width / 2)}" y="${round(y - height / 2)}"`;
  return `<rect ${corner} width="${round(width)}" height="${round(height)}" rx="${radius}" ${attributes}/>`;
}

function polygon(points: readonly (readonly [number, number])[], { x, y }: Point, attributes: string): string {
  const corners = points.map(([dx, dy]) => `${round(x + dx)},${round(y + dy)}`).join(" ");
  return `<polygon points="${corners}" stroke-linejoin="round" ${attributes}/>`;
}

/** Rounds to two decimals, which is enough for screens. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const flat = ({ height }: Size) => height / 2;

const box: Shape = {
  around: (text) => padded(text),
  draw: (size, middle, attributes) => rectangle(size, middle, 8, attributes),
  reach: flat,
};

const pill: Shape = {
  around: (text) => padded(text, 22),
  draw: (size, middle, attributes) => rectangle(size, middle, round(size.height / 2), attributes),
  reach: ({ width, height }, aside) => {
    const inRound = Math.max(0, aside - (width / 2 - height / 2));
    return Math.sqrt(Math.max(0, (height / 2) ** 2 - inRound ** 2));
  },
};

const SLOPE = 16;

const hexagon: Shape = {
  around: (text) => padded(text, PADDING.x + SLOPE / 2),
  draw: ({ width, height }, middle, attributes) => {
    const [w, h] = [width / 2, height / 2];
    const corners = [
      [-w, 0],
      [-w + SLOPE, -h],
      [w - SLOPE, -h],
      [w, 0],
      [w - SLOPE, h],
      [-w + SLOPE, h],
    ] as const;
    return polygon(corners, middle, attributes);
  },
  reach: ({ width, height }, aside) => (height / 2) * Math.min(1, Math.max(0, (width / 2 - aside) / SLOPE)),
};

const diamond: Shape = {
  // the corners of the text touch the sides: half width and half height, as shares of the shape's, add up to 1
  around: ({ width, height }) => ({ width: width * 1.7 + 24, height: height / (1 - 1 / 1.7) + 8 }),
  draw: ({ width, height }, middle, attributes) => {
    const [w, h] = [width / 2, height / 2];
    return polygon(
      [
        [-w, 0],
        [0, -h],
        [w, 0],
        [0, h],
      ],
      middle,
      attributes,
    );
  },
  reach: ({ width, height }, aside) => (height / 2) * Math.max(0, 1 - aside / (width / 2)),
};

const SIDE = 7;

const doubleSided: Shape = {
  around: (text) => padded(text, PADDING.x + SIDE),
  draw: (size, middle, attributes) => {
    const [top, bottom] = [round(middle.y - size.height / 2), round(middle.y + size.height / 2)];
    const sides = [-1, 1].map((side) => {
      const x = round(middle.x + side * (size.width / 2 - SIDE));
      return `<line x1="${x}" y1="${top}" x2="${x}" y2="${bottom}" ${attributes}/>`;
    });
    return rectangle(size, middle, 3, attributes) + sides.join("");
  },
  reach: flat,
};

/** Shapes by node type. */
export const NODE_SHAPES: { readonly [Type in NodeType]: Shape } = {
  conversation: box,
  logic: diamond,
  extract: hexagon,
  function: doubleSided,
  end: pill,
  transfer: pill,
};

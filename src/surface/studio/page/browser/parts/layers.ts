/** A figure of each node, shown in the picture. */
export interface Layer {
  readonly title: string;
  /** What the colours mean, from the lowest to the highest. */
  readonly scale: readonly [low: string, high: string];
  readonly figures: ReadonlyMap<string, LayerFigure>;
}

/** The figure of one node. */
export interface LayerFigure {
  /** From 0, which is bad, to 1, which is good. */
  readonly level: number;
  readonly text: string;
}

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 18;

/** Writes the figures of a layer on the boxes of a picture, and takes those of the layer before away. */
export function showLayer(picture: Element, layer: Layer | undefined): void {
  for (const old of picture.querySelectorAll("g.node-figure")) old.remove();
  for (const box of picture.querySelectorAll<SVGGElement>("g.box[data-node]")) {
    const figure = layer?.figures.get(box.dataset.node ?? "");
    for (const level of LEVELS) box.classList.toggle(level, figure !== undefined && level === levelOf(figure));
    if (figure) box.append(badge(box, figure));
  }
}

const LEVELS = ["level-low", "level-middle", "level-high"] as const;

function levelOf({ level }: LayerFigure): (typeof LEVELS)[number] {
  return level < 0.6 ? "level-low" : level < 0.9 ? "level-middle" : "level-high";
}

/** A small label on the upper right corner of a box. */
function badge(box: SVGGElement, { text }: LayerFigure): SVGElement {
  const shape = box.querySelector<SVGGraphicsElement>("rect, polygon")?.getBBox() ?? { x: 0, y: 0, width: 0 };
  const width = 10 + text.length * 7;
  const group = document.createElementNS(SVG, "g");
  group.classList.add("node-figure");
  const paper = document.createElementNS(SVG, "rect");
  const [left, top] = [shape.x + shape.width - width + 8, shape.y - HEIGHT / 2];
  for (const [name, value] of Object.entries({ x: left, y: top, width, height: HEIGHT, rx: 9 }))
    paper.setAttribute(name, String(value));
  const words = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({
    x: left + width / 2,
    y: top + 13,
    "text-anchor": "middle",
    "font-size": 12,
  }))
    words.setAttribute(name, String(value));
  words.textContent = text;
  group.append(paper, words);
  return group;
}

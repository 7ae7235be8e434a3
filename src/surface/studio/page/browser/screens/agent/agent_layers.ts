import { counted, duration, percent } from "../../../../../web/browser/mod.ts";
import type { StudioChange, StudioNodeFigures } from "../../../../api/mod.ts";
import type { Layer, LayerFigure } from "../../parts/mod.ts";

/** The layers of an agent's picture, in their order. */
export const LAYERS = [
  { name: "coverage", title: "coverage" },
  { name: "passed", title: "pass rate" },
  { name: "latency", title: "latency" },
] as const;

/** A wait that callers do not notice, and one that they find long, in milliseconds. */
const [SHORT_MS, LONG_MS] = [800, 3000];

const COVERED = { covered: [1, "covered"], partly: [0.7, "partly"], uncovered: [0, "never"] } as const;

/** The figures of a layer by node; nodes without one have no label. */
export function layerOf(name: string, figures: readonly StudioNodeFigures[]): Layer | undefined {
  const known = LAYERS.find((layer) => layer.name === name);
  if (!known) return undefined;
  const made = figures.flatMap((each): readonly (readonly [string, LayerFigure])[] => {
    const figure = FIGURES[known.name](each);
    return figure ? [[each.id, figure]] : [];
  });
  return { title: known.title, scale: SCALES[known.name], figures: new Map(made) };
}

/** How risky a change of an agent is, as a level of a layer. */
const LEVEL_OF_RISK: { readonly [risk: string]: number } = { high: 0, medium: 0.7, low: 1 };

/** The changes of an agent since another version, on the nodes that have them: the riskiest one decides the colour. */
export function changesLayer(changes: readonly StudioChange[]): Layer {
  const levels = new Map<string, number[]>();
  for (const { path, risk } of changes) {
    const [part, node] = path;
    if (part === "nodes" && typeof node === "string")
      levels.set(node, [...(levels.get(node) ?? []), LEVEL_OF_RISK[risk] ?? 1]);
  }
  const figures = [...levels].map(
    ([node, all]) => [node, { level: Math.min(...all), text: counted(all.length, "change") }] as const,
  );
  return { title: "changes", scale: ["a risky change", "a small one"], figures: new Map(figures) };
}

const SCALES = {
  coverage: ["no call was there", "fully covered"],
  passed: ["calls that were there failed", "all passed"],
  latency: ["callers waited long", "at once"],
} as const;

const FIGURES: {
  readonly [Name in (typeof LAYERS)[number]["name"]]: (node: StudioNodeFigures) => LayerFigure | undefined;
} = {
  coverage: ({ coverage, calls }) => {
    if (coverage === null) return undefined;
    const [level, words] = COVERED[coverage];
    return { level, text: coverage === "uncovered" ? words : `${words}, ${calls}×` };
  },
  passed: ({ passRate: { rate, trials } }) =>
    rate === null ? undefined : { level: rate, text: `${percent(rate)} of ${trials}` },
  latency: ({ latency }) =>
    latency === null
      ? undefined
      : {
          level: 1 - Math.min(1, Math.max(0, (latency.median - SHORT_MS) / (LONG_MS - SHORT_MS))),
          text: duration(latency.median),
        },
};

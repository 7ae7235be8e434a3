import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Import, importsOf, sourceFiles } from "./imports.ts";

/** From each folder to the folders that it imports. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const SOURCES = ["src", "dsl", "platforms"];

/** What platforms publish: their folders `generated`, which import nothing, and `fields`, which name the types of these for flows. */
const PUBLISHED = "platforms/*/generated";

function isPublished(file: string): boolean {
  return /^platforms\/[^/]+\/(?:generated|fields)\//.test(file);
}

/**
 * The wing that a file belongs to: a folder of `src`, or one beside it such as `dsl`. What platforms publish is a wing
 * of its own.
 */
export function wingOf(file: string): string {
  if (isPublished(file)) return PUBLISHED;
  const [top = "", second = ""] = file.split("/");
  return top === "src" ? second : top;
}

/** The room that a file belongs to: a folder of a wing, or a wing without rooms. */
function roomOf(file: string): string {
  if (isPublished(file)) return PUBLISHED;
  const [top = "", wing = "", room = ""] = file.split("/");
  if (top !== "src") return top;
  return wing === "deploy" ? `${top}/${wing}` : `${top}/${wing}/${room}`;
}

/** Imports between the wings of the repository. */
export function wingArrows(root: string): Arrows {
  return arrowsBetween(importsOf(root, sourceFiles(root, SOURCES)), wingOf);
}

/** Imports between the rooms of the wings; `platforms` counts as one. */
export function roomArrows(root: string): Arrows {
  return arrowsBetween(importsOf(root, sourceFiles(root, SOURCES)), roomOf);
}

/** Imports between the folders in `platforms/`. A `mod.ts` that exports subfolders is a separate place. */
export function platformArrows(root: string): Arrows {
  const files = sourceFiles(root, ["platforms"]);
  const isDoor = (file: string) =>
    file.endsWith("/mod.ts") && files.some((other) => dirname(dirname(other)) === dirname(file));
  const imports = importsOf(root, files).filter(({ target }) => target?.startsWith("platforms/"));
  return arrowsBetween(imports, (file) => (isDoor(file) ? file : dirname(file)));
}

function arrowsBetween(imports: readonly Import[], placeOf: (file: string) => string): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    if (target === undefined) continue;
    const [from, to] = [placeOf(file), placeOf(target)];
    arrows.set(to, arrows.get(to) ?? new Set());
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    if (from === to) arrows.get(from)?.delete(to);
  }
  return arrows;
}

/** A Mermaid flowchart without implied arrows: of a → b → c and a → c, the last is left out. */
export function chartOf(arrows: Arrows): string {
  const places = [...arrows.keys()].toSorted();
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  const lines = places.flatMap((from) => {
    const targets = [...(arrows.get(from) ?? [])].toSorted();
    const shown = targets.filter((to) => !targets.some((other) => other !== to && reaches(other, to)));
    return shown.map((to) => `  ${idOf(from)} --> ${idOf(to)}`);
  });
  const names = places.map((place) => `  ${idOf(place)}["${place}"]`);
  return ["```mermaid", "flowchart TD", ...names, ...lines, "```"].join("\n");
}

function idOf(place: string): string {
  return place.replaceAll(/\W+/g, "_");
}

/** The charts by their names in CONTRIBUTING.md. */
function charts(root: string): { readonly [name: string]: string } {
  return {
    wings: chartOf(wingArrows(root)),
    rooms: chartOf(roomArrows(root)),
    platforms: chartOf(platformArrows(root)),
  };
}

/** CONTRIBUTING.md with the current charts between `<!-- chart: NAME -->` and `<!-- end -->`. */
export function withCharts(root: string, text: string): string {
  return Object.entries(charts(root)).reduce(
    (whole, [name, chart]) =>
      whole.replace(new RegExp(`(<!-- chart: ${name} -->\\n\\n)[\\s\\S]*?(\\n\\n<!-- end -->)`), `$1${chart}$2`),
    text,
  );
}

/** Updates the charts in CONTRIBUTING.md. */
export function drawImports(root: string): void {
  const file = join(root, "CONTRIBUTING.md");
  writeFileSync(file, withCharts(root, readFileSync(file, "utf8")));
}

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** An import of a file: static, type-only, a re-export or a dynamic `import()`. */
export interface Import {
  /** The file that imports, from the root of the repository. */
  readonly file: string;
  /** The specifier: a package, or a path that starts with a dot. */
  readonly from: string;
  /** The imported file, from the root of the repository; `undefined` for a package. */
  readonly target: string | undefined;
  readonly kind: "value" | "type" | "dynamic";
}

const STATIC = /^\s*(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;

/** The TypeScript files of folders, and single files, with paths from `root`. */
export function sourceFiles(root: string, places: readonly string[]): readonly string[] {
  return places.flatMap((place) =>
    place.endsWith(".ts")
      ? [place]
      : readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => `${place}/${name.replaceAll("\\", "/")}`)
          .sort(),
  );
}

/** Every import of the files. */
export function importsOf(root: string, files: readonly string[]): readonly Import[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = (from: string, kind: Import["kind"]): Import => ({ file, from, target: targetOf(file, from), kind });
    return [
      ...[...text.matchAll(STATIC)].map(([, type, from = ""]) => found(from, type ? "type" : "value")),
      ...[...text.matchAll(DYNAMIC)].map(([, from = ""]) => found(from, "dynamic")),
    ];
  });
}

function targetOf(file: string, from: string): string | undefined {
  return from.startsWith(".") ? posix.join(dirname(file).replaceAll("\\", "/"), from) : undefined;
}

/**
 * The cycles of a graph, each as a sorted list of its members. A member that points to itself is a cycle of one.
 *
 * @param arrows From each member to those it points to.
 */
export function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const reach = new Map([...arrows.keys()].map((member) => [member, reachable(member, arrows)] as const));
  const seen = new Set<string>();
  return [...arrows.keys()].flatMap((member) => {
    if (seen.has(member) || !reach.get(member)?.has(member)) return [];
    const circle = [...arrows.keys()].filter((other) => reach.get(member)?.has(other) && reach.get(other)?.has(member));
    for (const each of circle) seen.add(each);
    return [circle.toSorted()];
  });
}

function reachable(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(arrows.get(start) ?? [])];
  for (let member = waiting.pop(); member !== undefined; member = waiting.pop()) {
    if (reached.has(member)) continue;
    reached.add(member);
    waiting.push(...(arrows.get(member) ?? []));
  }
  return reached;
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formats } from "../mod.ts";

/** Returns the platforms of the formats in `platforms/registry`. A platform is the first word of its formats. */
export function platformNames(): readonly string[] {
  const ofPlatforms = formats().filter(({ name, imports, emits }) => imports && emits && name !== "graph");
  return [...new Set(ofPlatforms.flatMap(({ name }) => name.split("-").slice(0, 1)))];
}

/** Writes the platforms for `dsl`, which cannot import them. */
export function writePlatformNames(root: string): void {
  const quoted = platformNames().map((name) => JSON.stringify(name));
  const text = `/** A platform that flows have options for: the first word of a format. */
export type PlatformName = ${quoted.join(" | ")};

/** Written by \`npm run docs\` from the list of formats. */
export const PLATFORM_NAMES: readonly PlatformName[] = [${quoted.join(", ")}];
`;
  writeFileSync(join(root, "dsl", "generated", "mod.ts"), text);
}

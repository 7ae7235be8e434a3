import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type EjectedFile, eject } from "../../../dsl/mod.ts";
import * as callweave from "../../../mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { ROOT } from "../../surface/cli/_process.ts";

/** Exports what `mod.ts` does, without importing it statically: runtimes visit all modules below each one they load. */
const SDK = "callweave.js";

/** A folder for modules, which is removed at the end of a test. */
export function moduleFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "callweave-eject-"));
  writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  const url = JSON.stringify(pathToFileURL(join(ROOT, "mod.ts")).href);
  writeFileSync(join(path, SDK), `export const { ${Object.keys(callweave).join(", ")} } = await import(${url});\n`);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes files; those that import `callweave` import the module at `from`. */
export function writeFiles(folder: string, files: readonly EjectedFile[], from: string): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replace('from "callweave"', `from ${JSON.stringify(from)}`));
  }
}

/** Ejects a graph into a folder in a {@link moduleFolder}, loads its flow, and returns the compiled graph. */
export async function compiledAgain(graph: AgentGraph, folder: string): Promise<unknown> {
  writeFiles(folder, eject(graph), pathToFileURL(join(dirname(folder), SDK)).href);
  const exports: object = await import(pathToFileURL(join(folder, "flow.ts")).href);
  const [compiled, ...others] = Object.values(exports);
  if (others.length > 0) throw new TypeError("flow.ts exports one graph");
  return compiled;
}

/** The document of a graph, without what is kept beside it. */
export function documentOf(graph: unknown): unknown {
  return JSON.parse(JSON.stringify(graph));
}

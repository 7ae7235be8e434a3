import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runProgram } from "./_process.ts";

/** Packages that take long to load, and that only some programs need. */
export const HEAVY: readonly string[] = ["ai", "@ai-sdk/openai", "@ai-sdk/provider", "@libsql/client"];

const NODE_22 = join(ROOT, "node_modules", ".bin", "node");

// a file: a pipe whose reader is busy refuses a synchronous write
const START = `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    appendFileSync("loaded.txt", found.url + "\\n");
    return found;
  },
});
await import("./main.mjs");
`;

/** The URLs of what `main.mjs` of a folder loads when Node runs it. */
export async function loadedBy(folder: string, flags: readonly string[] = []): Promise<readonly string[]> {
  writeFileSync(join(folder, "start.mjs"), START);
  const { code, err } = await runProgram(NODE_22, [...flags, join(folder, "start.mjs")], { cwd: folder });
  assert.equal(code, 0, err);
  const urls = [...new Set(readFileSync(join(folder, "loaded.txt"), "utf8").trimEnd().split("\n"))];
  assert.ok(
    urls.some((url) => url.includes("/main.mjs")),
    "the hook sees what is loaded",
  );
  return urls;
}

/** The packages that URLs of modules belong to. */
export function packagesIn(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))];
}

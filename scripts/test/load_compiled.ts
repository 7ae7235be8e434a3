/**
 * Makes Node load what `compileSources()` wrote in place of the repository's TypeScript files. Their URLs stay the same.
 *
 * With the parameter `bundled`, the command line, `mod.ts` and `api/` are the bundles of them: for processes that tests
 * start. The command line's child processes inherit the arguments of the process that starts them, and get bundles too.
 */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";

const { searchParams } = new URL(import.meta.url);
const root = searchParams.get("root") ?? "";
const compiled = new URL("../../", import.meta.url).href;
const isProgram = searchParams.has("bundled") || process.argv[1]?.endsWith("_child.ts");
const bundled = isProgram ? [`${compiled}bundled/`] : [];

/** The compiled file of a source, or a part of a bundle; `undefined` for what a test has written after the start. */
function compiledFile(url: string): URL | undefined {
  const path = url.startsWith(root) ? url.slice(root.length) : "";
  if (!/\.[tj]s$/.test(path) || path.startsWith("node_modules/")) return undefined;
  const folders = path.endsWith(".ts") ? [...bundled, compiled] : bundled;
  return folders.map((folder) => new URL(`${folder}${path.replace(/\.ts$/, ".js")}`)).find((file) => existsSync(file));
}

registerHooks({
  // Node would look for the file, its real path and a package.json of each of hundreds of modules
  resolve(specifier, context, nextResolve) {
    if (/^\.\.?\//.test(specifier) && context.parentURL?.startsWith(root)) {
      const url = new URL(specifier, context.parentURL).href;
      if (compiledFile(url)) return { url, format: "module", shortCircuit: true };
    }
    return nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    const file = compiledFile(url.split(/[?#]/, 1)[0] ?? "");
    return file ? { format: "module", source: readFileSync(file), shortCircuit: true } : nextLoad(url, context);
  },
});

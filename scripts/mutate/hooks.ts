import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "esbuild";

const ROOT = pathToFileURL(`${process.cwd()}/`).href;
const NODE_TEST = new URL("./node_test.ts", import.meta.url).href;

/**
 * Loads the repository's files with their mutants, and `node_test.ts` in place of `node:test`. A module imported with `?copy=N`
 * imports the repository's other modules with the same query: another number reloads all of them.
 */
export function loadMutated(sources: Readonly<Record<string, string>>): void {
  const compiled = new Map<string, string>();

  function sourceOf(path: string): string {
    const known = compiled.get(path);
    if (known !== undefined) return known;
    const { code } = transformSync(sources[path] ?? readFileSync(path, "utf8"), { loader: "ts", target: "node22" });
    compiled.set(path, code);
    return code;
  }

  registerHooks({
    resolve(specifier, context, next) {
      const copy = context.parentURL ? copyOf(context.parentURL) : "";
      if (copy && specifier === "node:test") return { url: NODE_TEST, shortCircuit: true };
      const found = next(specifier, context);
      if (!copy || copyOf(found.url) || !isOwn(found.url)) return found;
      return { ...found, url: found.url + copy };
    },
    load(url, context, next) {
      if (!copyOf(url)) return next(url, context);
      return { format: "module", source: sourceOf(fileURLToPath(url)), shortCircuit: true };
    },
  });
}

function isOwn(url: string): boolean {
  return url.startsWith(ROOT) && url.endsWith(".ts") && !url.includes("/node_modules/");
}

function copyOf(url: string): string {
  return /\?copy=\d+$/.exec(url)?.[0] ?? "";
}

/** Makes Node load what `compileSources()` wrote in place of the repository's TypeScript files. Their URLs stay the same. */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const root = new URL(import.meta.url).searchParams.get("root") ?? "";
const compiled = new URL("../../", import.meta.url);

registerHooks({
  load(url, context, nextLoad) {
    const path = url.split(/[?#]/, 1)[0]?.slice(root.length) ?? "";
    if (!url.startsWith(root) || !path.endsWith(".ts") || path.startsWith("node_modules/"))
      return nextLoad(url, context);
    const file = new URL(path.replace(/\.ts$/, ".js"), compiled);
    if (!existsSync(file)) return nextLoad(url, context); // written after the start, by a test
    return { format: "module", source: readFileSync(file), shortCircuit: true };
  },
});

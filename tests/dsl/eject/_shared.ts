import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Imported, importAgent } from "../../../platforms/mod.ts";
import { ROOT } from "../../surface/cli/_process.ts";

/** An agent that people have published. */
export interface SharedAgent extends Imported {
  readonly name: string;
  readonly text: string;
}

/** The agents beside the repository; none where they are not there. */
export function sharedAgents(): readonly SharedAgent[] {
  const corpus = join(ROOT, "..", "shared", "corpus");
  if (!existsSync(corpus)) return [];
  const files = readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.toSorted().flatMap((name) => {
    const text = readFileSync(join(corpus, name), "utf8");
    try {
      return [{ name, text, ...importAgent(text) }];
    } catch {
      return []; // no agent: test cases, and documents that are broken on purpose
    }
  });
}

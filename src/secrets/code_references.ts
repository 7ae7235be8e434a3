import type { Path } from "../errors.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { plainReferences } from "./references.ts";
import { mapTexts } from "./strings.ts";

/** A graph whose references from code are plain ones, as a document has them, and where they stand. */
export interface CodeReferences {
  readonly graph: AgentGraph;
  readonly references: readonly { readonly name: string; readonly path: Path }[];
}

/** Makes the references of `env("NAME")` ones that a document can hold. */
export function takeCodeReferences(graph: AgentGraph): CodeReferences {
  const references: { name: string; path: Path }[] = [];
  const plain = mapTexts(graph, (text, path) => {
    const { text: written, names } = plainReferences(text);
    references.push(...names.map((name) => ({ name, path })));
    return written;
  });
  return { graph: plain, references };
}

import type { Path } from "../../base/errors.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { plainReferences } from "./references.ts";
import { replaceTexts } from "./strings.ts";

/** A graph with references in document form, and the paths of references made by code. */
export interface CodeReferences {
  readonly graph: AgentGraph;
  readonly references: readonly { readonly name: string; readonly path: Path }[];
}

/** Converts the references of `env("NAME")` to document form. */
export function takeCodeReferences(graph: AgentGraph): CodeReferences {
  const references: { name: string; path: Path }[] = [];
  const plain = replaceTexts(graph, (text, path) => {
    const { text: written, names } = plainReferences(text);
    references.push(...names.map((name) => ({ name, path })));
    return written;
  });
  return { graph: plain, references };
}

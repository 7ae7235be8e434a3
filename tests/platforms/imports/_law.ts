import type { Path } from "../../../src/base/errors.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";

/** The parts of a document of another tool, each with its path. */
export interface Parts {
  readonly nodes: readonly { readonly id: string; readonly path: Path }[];
  readonly texts: readonly { readonly text: string; readonly path: Path }[];
  readonly ways: readonly { readonly from: string; readonly to: string; readonly path: Path }[];
}

/** Parts that an import neither has in its graph nor names in a finding. */
export function lostParts(
  { nodes, texts, ways }: Parts,
  { graph, findings }: { readonly graph: AgentGraph; readonly findings: readonly Finding[] },
  owner: string,
): readonly string[] {
  const named = new Set(findings.flatMap(namedBy));
  const isNamed = (path: Path) => path.some((_, index) => named.has(key(path.slice(0, index + 1))));
  const written = JSON.stringify(graph, (name, value) => (name === owner ? undefined : value));
  const ids = new Set(nodes.map(({ id }) => id));
  const at = (path: Path) => path.join(".");
  return [
    ...nodes.filter(({ id, path }) => !Object.hasOwn(graph.nodes, id) && !isNamed(path)).map(({ path }) => at(path)),
    ...texts.filter(({ text, path }) => !written.includes(text) && !isNamed(path)).map(({ path }) => at(path)),
    ...ways
      .filter(({ from, to, path }) => !leads(graph, ids, from, to) && !isNamed(path))
      .map(({ from, to, path }) => `${at(path)}: ${from} -> ${to}`),
  ];
}

const key = (path: Path) => JSON.stringify(path.map(String));

/** The paths that a finding names: its own, and those of the keys that it quotes. */
function namedBy({ path, message }: Finding): readonly string[] {
  const quoted = [...message.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = ""]) => name);
  const isList = /do nothing: /.test(message);
  return isList ? quoted.map((name) => key([...path, name])) : [key(path)];
}

/** Whether a node leads to another one, directly or through nodes that the source does not have. */
function leads(graph: AgentGraph, ids: ReadonlySet<string>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const left = [from];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined;
    for (const { target_node_id: target } of node?.transitions ?? []) {
      if (target === to) return true;
      if (!ids.has(target)) left.push(target);
    }
  }
  return false;
}

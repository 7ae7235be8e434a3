import { own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { CallPath, PathStep } from "./path.ts";
import type { PathValues, Taken } from "./values_on_path.ts";

/** The path of edges, with values of the variables filled in. */
export function pathOf(graph: AgentGraph, taken: readonly Taken[], { start, written }: PathValues): CallPath {
  const steps = taken.flatMap(({ edge }, index) =>
    edge.steps.map((step): PathStep => {
      const values = written.get(index);
      if (step.kind === "extract")
        return { ...step, values: Object.fromEntries([...(values ?? [])].map(([name, text]) => [name, text ?? null])) };
      if (step.kind !== "tool") return step;
      const set = [...(values ?? [])].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
      const variables = Object.fromEntries(set);
      return { ...step, variables, result: step.outcome === "failed" ? "failed" : toolResult(graph, step, variables) };
    }),
  );
  return { variables: Object.fromEntries(start), steps };
}

/** A result of a tool from which the engine sets these variables. */
export function toolResult(
  graph: AgentGraph,
  { node, tool: name }: { readonly node: string; readonly tool: string },
  variables: { readonly [variable: string]: string },
): unknown {
  const tool = own(graph.nodes, node)?.tools.find((each) => each.name === name);
  let result: unknown = {};
  for (const [variable, path] of Object.entries(tool?.response_variables ?? {})) {
    const text = own(variables, variable);
    if (text === undefined) continue;
    const parts = path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? [];
    result = placed(result, parts, text);
  }
  return result;
}

function placed(value: unknown, [part, ...rest]: readonly string[], text: string): unknown {
  if (part === undefined) return text;
  const held = typeof value === "object" && value !== null ? value : {};
  const inner = new Map<string, unknown>(Object.entries(held));
  if (/^\d+$/.test(part)) {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    while (list.length < Number(part)) list.push(null);
    list[Number(part)] = placed(list[Number(part)], rest, text);
    return list;
  }
  return Object.fromEntries([...inner, [part, placed(inner.get(part), rest, text)]]);
}

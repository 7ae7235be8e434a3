import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { valueAtJsonPath } from "../../call/turn/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";

/** What happened in a turn, in order. */
export type TurnStep =
  | { readonly kind: "path"; readonly from: string; readonly to: string }
  | { readonly kind: "variable"; readonly node: string; readonly name: string; readonly value: string }
  | {
      readonly kind: "tool";
      readonly node: string;
      readonly name: string;
      readonly arguments: JsonObject;
      readonly outcome: unknown;
    };

/** A turn: the caller's words, and what the agent did after them. */
export interface CallTurn {
  /** Empty for the opening. */
  readonly said: string;
  readonly steps: readonly TurnStep[];
}

/** A call of which the turns are read. */
interface ReadCall {
  readonly transcript: readonly Message[];
  readonly nodesVisited: readonly string[];
}

/** Reads the turns of a call. The first one is the opening; it begins with the node at which the call starts. */
export function turnsOf({ transcript, nodesVisited }: ReadCall, graph: AgentGraph): readonly CallTurn[] {
  const [start] = nodesVisited;
  const turns: { said: string; steps: TurnStep[] }[] = [{ said: "", steps: [] }];
  const add = (...steps: readonly TurnStep[]) => turns.at(-1)?.steps.push(...steps);
  if (start !== undefined) add({ kind: "path", from: "", to: start });
  for (const { role, content, node_id: node, metadata } of transcript) {
    if (role === "user") turns.push({ said: content, steps: [] });
    const { kind, from, to, variables, name, arguments: args, outcome, result } = metadata;
    if (kind === "transition" && typeof to === "string") add({ kind: "path", from: String(from ?? ""), to });
    if ((kind === "extraction" || kind === "variables") && isRecord(variables)) add(...settings(variables, node));
    if (kind === "tool_call" && typeof name === "string") {
      add({ kind: "tool", node, name, arguments: isRecord(args) ? args : {}, outcome });
      if (outcome === "succeeded") add(...settings(responseOf(graph, name, result), node));
    }
  }
  return turns;
}

function settings(variables: JsonObject, node: string): readonly TurnStep[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const text = textOf(value, name);
    return text === undefined ? [] : [{ kind: "variable", node, name, value: text } as const];
  });
}

/** The variables that a tool's answer sets. */
function responseOf(graph: AgentGraph, name: string, result: unknown): JsonObject {
  const tools = Object.values(graph.nodes).flatMap((node) => node.tools);
  const paths = tools.find((tool) => tool.name === name)?.response_variables ?? {};
  return Object.fromEntries(Object.entries(paths).map(([variable, path]) => [variable, valueAtJsonPath(result, path)]));
}

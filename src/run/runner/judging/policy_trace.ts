import type { CallEvent, CallPosition } from "../../../agent/analysis/mod.ts";
import { isRecord, own } from "../../../base/values/mod.ts";
import { valueAtJsonPath } from "../../../call/turn/mod.ts";
import { textOf } from "../../../document/expressions/mod.ts";
import { type AgentGraph, openingOf } from "../../../document/graph/mod.ts";
import type { Call, EndReason } from "../../../document/transcript/mod.ts";

/** A finished call, with its start variables. */
export interface TracedCall extends Pick<Call, "transcript" | "endReason"> {
  readonly startVariables: ReadonlyMap<string, string>;
}

/** A tracker of a call's events. */
export interface TraceListener {
  readonly onEvent: (event: CallEvent, variables: ReadonlyMap<string, string>) => void;
  /** Called whenever the agent waits for the caller. */
  readonly onWait: (position: CallPosition) => void;
}

/** Endings at which the agent was waiting for the caller. */
const WHILE_WAITING: readonly (EndReason | undefined)[] = [
  undefined,
  "caller_ended",
  "caller_exhausted",
  "max_turns",
  "dead_air",
];

/** Converts a transcript to the events that paths through the graph have. */
export function followTrace(graph: AgentGraph, call: TracedCall, { onEvent, onWait }: TraceListener): void {
  const variables = new Map(call.startVariables);
  const originators: string[] = [];
  let node = graph.entry_node_id;
  let spoken = false;
  const isGlobal = (id: string) => Boolean(own(graph.nodes, id)?.global_node_setting);
  const emitEvent = (event: CallEvent) => onEvent(event, variables);
  const wait = () => onWait({ node, originators: [...originators], variables: new Map(variables), spoken });

  function move(to: string): void {
    if (isGlobal(node) && originators.at(-1) === to) originators.pop();
    else if (isGlobal(to)) originators.push(node);
    else if (isGlobal(node)) originators.pop();
    node = to;
    spoken = false;
    emitEvent({ kind: "enter", node });
  }

  function store(values: Iterable<readonly [string, unknown]>): void {
    for (const [name, value] of values) {
      const text = textOf(value);
      if (text !== undefined) variables.set(name, text);
    }
    emitEvent({ kind: "set", node });
  }

  function answered(name: string, outcome: unknown, result: unknown): void {
    if (outcome !== "succeeded" && outcome !== "failed") return;
    emitEvent({ kind: "tool", node, tool: name, outcome });
    const tool = own(graph.nodes, node)?.tools.find((each) => each.name === name);
    const paths = Object.entries(tool?.response_variables ?? {});
    if (outcome === "succeeded" && paths.length > 0)
      store(paths.map(([variable, path]) => [variable, valueAtJsonPath(result, path)] as const));
  }

  emitEvent({ kind: "enter", node });
  for (const [index, { role, metadata }] of call.transcript.entries()) {
    if (role === "user") wait();
    if (role === "assistant") {
      const isBegin = index === 0 && openingOf(graph) === "begin";
      if (!isBegin) spoken = true;
      emitEvent({ kind: "speak", node, ...(isBegin ? { isBegin } : {}) });
    }
    if (role !== "tool") continue;
    const { kind, to, variables: extracted, name, outcome, result } = metadata;
    if (kind === "transition" && typeof to === "string") move(to);
    if (kind === "extraction" && isRecord(extracted)) store(Object.entries(extracted));
    if (kind === "tool_call" && typeof name === "string") answered(name, outcome, result);
  }
  if (WHILE_WAITING.includes(call.endReason)) wait();
  else if (call.endReason) emitEvent({ kind: "end", node, reason: call.endReason });
}

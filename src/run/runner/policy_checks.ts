import {
  BROKEN,
  type CallEvent,
  type CallPosition,
  isAny,
  NOTED,
  ruleText,
  ruleWatch,
  searchFrom,
} from "../../agent/analysis/mod.ts";
import { isRecord, own } from "../../base/values/mod.ts";
import { valueAtJsonPath } from "../../call/turn/mod.ts";
import { equationHolds, textOf } from "../../document/expressions/mod.ts";
import { type AgentGraph, openingOf } from "../../document/graph/mod.ts";
import type { Policy, PolicyRule } from "../../document/scenario/mod.ts";
import type { Call, CheckResult, EndReason } from "../../document/transcript/mod.ts";

/** Checks policies against a call, by the same rules that `checkPolicies()` decides on the graph. */
export function checkCallPolicies(
  graph: AgentGraph,
  policies: readonly Policy[],
  call: TracedCall,
): readonly CheckResult[] {
  return policies.map(({ name, rules }): CheckResult => {
    const breach = rules.map((rule) => breachOf(graph, rule, call)).find((reason) => reason !== undefined);
    return { kind: "policy", expected: name, passed: breach === undefined, reason: breach ?? "no rule is broken" };
  });
}

/** Why a call breaks a rule. */
function breachOf(graph: AgentGraph, rule: PolicyRule, call: TracedCall): string | undefined {
  const { start, next, ahead } = ruleWatch(graph, rule);
  let state = start;
  let breach: string | undefined;
  let last: CallPosition | undefined;
  const visited: string[] = [];
  followTrace(graph, call, {
    onEvent: (event, variables) => {
      if (event.kind === "enter") visited.push(event.node);
      const values = Object.fromEntries(variables);
      state = next(state, event, (condition) => equationHolds(condition, values));
      if (state === BROKEN) breach ??= `${ruleText(rule)}: broken on ${visited.join(" -> ")}`;
    },
    onWait: (position) => {
      last = state === NOTED ? position : undefined;
    },
  });
  if (breach !== undefined || !ahead || !last) return breach;
  // if the goal is unreachable at one moment, it stays unreachable, so checking the last moment is enough
  const answer = searchFrom(graph, last, (event) => isAny(ahead, event));
  if (answer.kind !== "none") return undefined;
  return `${ruleText(rule)}: no way there from "${last.node}", on ${visited.join(" -> ")}`;
}

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

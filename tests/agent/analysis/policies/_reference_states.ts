import type { CallEvent } from "../../../../src/agent/analysis/mod.ts";
import { equationHolds } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, Transition } from "../../../../src/document/graph/mod.ts";
import type { EndReason } from "../../../../src/document/transcript/mod.ts";

/** Values of the variables of a call. */
export type Values = { readonly [name: string]: string };
/** The values to try for each variable that a call sets. */
export type Choices = { readonly [name: string]: readonly unknown[] };

/** Everything that determines how a call continues. */
export interface CallState {
  readonly phase: "wait" | "walk" | "reply" | "over";
  readonly node: string;
  /** Where global nodes were entered from, oldest first. */
  readonly originators: readonly string[];
  readonly values: Values;
  /** Transitions taken in this turn. */
  readonly hops: number;
  /** Whether the node has spoken since it was entered. */
  readonly spoken: boolean;
  /** Tool calls of a reply, and their outcomes. */
  readonly called: number;
  readonly outcomes: readonly Outcome[];
}

type Outcome = "succeeded" | "failed";

/** A possible next step: its events, with the values at that time, and the following state. */
export interface Way {
  readonly events: readonly { readonly event: CallEvent; readonly values: Values }[];
  readonly to: CallState;
}

/** Maximum number of tools that a reply calls: with two of them, every outcome can follow every other. */
const MOST_TOOLS = 2;
const MOST_HOPS = 20;

/**
 * How calls on a graph continue, for every decision of the model and every outcome: a second, simple implementation
 * with the values of all variables. Engine and checkPolicies() are compared with it on random graphs.
 */
export function referenceStates(graph: AgentGraph, choices: Choices) {
  const nodes = new Map(Object.entries(graph.nodes));
  const isGlobal = (id: string) => Boolean(nodes.get(id)?.global_node_setting);
  const globals = [...nodes.keys()].filter(isGlobal);
  const isSilentEnd = ({ node_type: type, state_prompt: prompt }: AgentNode) =>
    (type === "end" || type === "transfer") && prompt.trim() === "";
  const holds = ({ condition }: Pick<Transition, "condition">, values: Values) =>
    condition.type === "equation" && equationHolds(condition, values);

  function nodeAt({ node: id }: CallState): AgentNode {
    const node = nodes.get(id);
    if (!node) throw new Error(`no node ${id}`);
    return node;
  }

  /** The step with one more event. */
  function after({ events, to }: Way, event: CallEvent, change: Partial<CallState> = {}): Way {
    const next = { ...to, ...change };
    return { events: [...events, { event, values: next.values }], to: next };
  }

  function over(way: Way, reason: EndReason): Way {
    return after(way, { kind: "end", node: way.to.node, reason }, { phase: "over" });
  }

  function move(way: Way, to: string, isGoingOn = true): Way {
    const { node, hops, originators: before } = way.to;
    if (hops >= MOST_HOPS) return over(way, "hop_limit");
    let originators = before;
    if (isGlobal(node) && before.at(-1) === to) originators = before.slice(0, -1);
    else if (isGlobal(to)) originators = [...before, node];
    else if (isGlobal(node)) originators = before.slice(0, -1);
    const entered = { node: to, originators, spoken: false, called: 0, outcomes: [] };
    return after(
      way,
      { kind: "enter", node: to },
      isGoingOn ? { ...entered, phase: "walk", hops: hops + 1 } : { ...entered, phase: "wait", hops: 0 },
    );
  }

  function stay(way: Way, phase: CallState["phase"]): Way {
    return { ...way, to: { ...way.to, phase, called: 0, outcomes: [], ...(phase === "wait" ? { hops: 0 } : {}) } };
  }

  function waysFrom(state: CallState): readonly Way[] {
    const way: Way = { events: [], to: state };
    if (state.phase === "over") return [];
    if (state.phase === "reply") return replies(way);
    const { node_type: type } = nodeAt(state);
    if (state.phase === "wait") return type === "conversation" ? hear(way) : [stay(way, "walk")];
    if (type === "conversation") return speak(way);
    if (type === "end" || type === "transfer") return isSilentEnd(nodeAt(state)) ? takeEffect(way) : speak(way);
    return work(way);
  }

  function hear(way: Way): readonly Way[] {
    const { values, originators, node: id } = way.to;
    const { transitions, global_node_setting: setting } = nodeAt(way.to);
    const top = originators.at(-1);
    const backs = top === undefined ? [] : (setting?.go_back_conditions ?? []);
    const equation = transitions.find((each) => holds(each, values))?.target_node_id;
    if (equation !== undefined) return [move(way, equation)];
    if (top !== undefined && backs.some((each) => holds(each, values))) return [move(way, top)];
    const offers = new Set([
      ...transitions.flatMap(({ condition, target_node_id: to }) => (condition.type === "llm_prompt" ? [to] : [])),
      ...globals.filter((each) => each !== id),
      ...(top !== undefined && backs.some(({ condition }) => condition.type === "llm_prompt") ? [top] : []),
    ]);
    const otherwise = transitions.find(({ condition, timing }) => condition.type === "always" && timing === "else");
    const none = otherwise ? move(way, otherwise.target_node_id) : stay(way, "walk");
    if (offers.size === 0) return [none];
    return [...[...offers].map((to) => move(way, to)), none, stay(way, "walk")];
  }

  function speak(way: Way): readonly Way[] {
    const { node, spoken } = way.to;
    const isVerbatim = nodeAt(way.to).instruction_type === "static_text" && !spoken;
    if (isVerbatim) return afterSpeech(after(way, { kind: "speak", node }, { spoken: true }));
    return replies({ ...way, to: { ...way.to, spoken: true } });
  }

  /** A reply: one more tool call, or the words. */
  function replies(way: Way): readonly Way[] {
    const { node, called, outcomes } = way.to;
    const said = afterSpeech(after(way, { kind: "speak", node }));
    const [tool] = nodeAt(way.to).tools;
    if (!tool || called >= MOST_TOOLS) return said;
    const calls = answers(way, tool).map(([each, outcome]): Way => {
      const known = [...new Set([...outcomes, outcome])].sort();
      return { ...each, to: { ...each.to, phase: "reply", called: called + 1, outcomes: known } };
    });
    return [...calls, ...said];
  }

  /** The possible results of a tool. */
  function answers(way: Way, { name: tool, response_variables: read }: ToolDefinition): readonly [Way, Outcome][] {
    const { node, values } = way.to;
    const failed = after(way, { kind: "tool", node, tool, outcome: "failed" });
    const succeeded = after(way, { kind: "tool", node, tool, outcome: "succeeded" });
    if (Object.keys(read ?? {}).length === 0)
      return [
        [succeeded, "succeeded"],
        [failed, "failed"],
      ];
    const results = [undefined, ...(choices.status ?? [])].map((status): [Way, Outcome] => {
      const next = status === undefined ? values : { ...values, status: String(status) };
      return [after(succeeded, { kind: "set", node }, { values: next }), "succeeded"];
    });
    return [...results, [failed, "failed"]];
  }

  function afterSpeech(way: Way): readonly Way[] {
    const node = nodeAt(way.to);
    const { outcomes } = way.to;
    const [tool] = node.tools;
    if (outcomes.includes("succeeded") && tool?.type === "end_call") return [over(way, "agent_ended")];
    if (outcomes.includes("succeeded") && tool?.type === "transfer_call") return [over(way, "agent_transferred")];
    if (node.node_type !== "conversation") return takeEffect(way);
    return [leave(way, node, tool)];
  }

  /** After a conversation node has spoken: by a tool that was called, else always. */
  function leave(way: Way, { transitions }: AgentNode, tool: ToolDefinition | undefined): Way {
    const { outcomes } = way.to;
    const onTool = transitions.find(
      ({ condition: { type, value, outcome } }) =>
        type === "tool_call" &&
        (value === "" || value === tool?.name) &&
        outcomes.some((each) => (outcome ?? each) === each),
    );
    const next =
      onTool ?? transitions.find(({ condition, timing }) => condition.type === "always" && timing !== "else");
    if (!next) return stay(way, "wait");
    const target = nodes.get(next.target_node_id);
    return move(way, next.target_node_id, next.timing === "skip_response" || (target && isSilentEnd(target)));
  }

  function takeEffect(way: Way): readonly Way[] {
    const { node_type: type, transitions } = nodeAt(way.to);
    if (type === "end") return [over(way, "agent_ended")];
    const failed = transitions.find(
      ({ condition }) => condition.type === "tool_call" && condition.outcome !== "succeeded",
    );
    return [over(way, "agent_transferred"), failed ? move(way, failed.target_node_id) : stay(way, "wait")];
  }

  function work(way: Way): readonly Way[] {
    const node = nodeAt(way.to);
    if (node.node_type === "extract" && node.variables_to_extract.length > 0) {
      let all: readonly Values[] = [way.to.values];
      for (const { name } of node.variables_to_extract)
        all = all.flatMap((values) => [
          values,
          ...(choices[name] ?? []).map((value) => ({ ...values, [name]: String(value) })),
        ]);
      return all.flatMap((values) => route(after(way, { kind: "set", node: node.id }, { values }), undefined));
    }
    if (node.node_type !== "function") return route(way, undefined);
    const [tool] = node.tools;
    if (!tool) return route(way, "failed");
    return answers(way, tool).flatMap(([each, outcome]) => {
      if (outcome === "succeeded" && tool.type === "end_call") return [over(each, "agent_ended")];
      if (outcome === "succeeded" && tool.type === "transfer_call") return [over(each, "agent_transferred")];
      return route(each, outcome);
    });
  }

  function route(way: Way, outcome: Outcome | undefined): readonly Way[] {
    const { transitions } = nodeAt(way.to);
    const fitting = transitions.find(
      (each) =>
        holds(each, way.to.values) ||
        (each.condition.type === "tool_call" && outcome && (each.condition.outcome ?? outcome) === outcome),
    );
    if (fitting) return [move(way, fitting.target_node_id)];
    const offers = transitions.flatMap(({ condition, target_node_id: to }) =>
      condition.type === "llm_prompt" ? [to] : [],
    );
    const always = transitions.find(({ condition }) => condition.type === "always");
    const none = always ? move(way, always.target_node_id) : stay(way, "wait");
    return [...new Set(offers)].map((to) => move(way, to)).concat(none);
  }

  /** The opening of a call with these variables. */
  function open(values: Values): readonly Way[] {
    const id = graph.entry_node_id;
    const rest = { originators: [], values, hops: 0, spoken: false, called: 0, outcomes: [] } as const;
    const start: Way = { events: [], to: { ...rest, phase: "wait", node: id } };
    const way = after(start, { kind: "enter", node: id });
    const { begin_message: begin, start_speaker: speaker } = graph.source_metadata;
    if (speaker === "user" || begin === "") return [way];
    if (typeof begin !== "string") return [stay(way, "walk")];
    const said = after(way, { kind: "speak", node: id, isBegin: true });
    const node = nodeAt(way.to);
    if (node.node_type === "conversation") return [leave(said, node, undefined)];
    return [isSilentEnd(node) ? stay(said, "walk") : said];
  }

  return { open, waysFrom, keyOf };

  /** A key that is equal for states that no call can tell apart. */
  function keyOf(state: CallState): string {
    const { phase, node, originators, values, hops, spoken, called, outcomes } = state;
    const isSaid = nodes.get(node)?.instruction_type === "static_text" && spoken;
    const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([
      phase,
      node,
      noticedStack(graph, node, originators),
      entries,
      hops,
      isSaid,
      called,
      outcomes,
    ]);
  }
}

/** Number of nodes by which longer stacks are distinguished. */
const STACK_KEPT = 4;

/**
 * The stack of nodes to go back to, as far as it can affect a call: the last ones, and the one at the bottom, to which a
 * call can come back through any number of global nodes.
 */
export function noticedStack(graph: AgentGraph, node: string, originators: readonly string[]): readonly string[] {
  const isGlobal = (id: string) => Boolean(graph.nodes[id]?.global_node_setting);
  if (!isGlobal(node)) return [];
  const own: string[] = [];
  for (const id of originators.toReversed()) {
    own.push(id);
    if (!isGlobal(id)) break;
  }
  return own.length > STACK_KEPT ? [...own.slice(0, STACK_KEPT - 1), ...own.slice(-1)] : own;
}

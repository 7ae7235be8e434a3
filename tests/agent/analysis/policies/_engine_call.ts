import type { CallEvent } from "../../../../src/agent/analysis/mod.ts";
import { type Conversation, conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import { followTrace } from "../../../../src/run/runner/policy_checks.ts";

import type { Events } from "./_brute.ts";
import { type Choices, noticedStack, type Values } from "./_reference_states.ts";

/** A call up to a decision: its start, the chosen options, and how often each transfer fails. */
export interface Script {
  /** The node at which the call first waits for the caller. Absent: the call is opened. */
  readonly node?: string;
  readonly given: { readonly [name: string]: unknown };
  readonly taken: readonly number[];
  readonly fails: { readonly [node: string]: number };
}

/** A decision of a call, or its end. */
export interface Stop {
  readonly key: string | undefined;
  /** Whether no earlier call reached it. */
  readonly isFirst: boolean;
  /** Number of options. */
  readonly options: number;
  /** The options chosen before. */
  readonly taken: readonly number[];
  /** The events since the call was started. */
  readonly events: Events;
  /** The agent waits for the caller: a script from which the call continues. */
  readonly next?: Script;
  /** Whether that script starts at the node instead of repeating the call: its first event is the node's. */
  readonly restarts?: boolean;
  /** The transfer node at which the call ended: the transfer can fail too. */
  readonly transfer?: string;
}

/** Maximum number of tools that a reply calls before it says something. */
const MOST_TOOLS = 2;

/**
 * Runs a call in the engine. After its script it takes the first option of each decision, until it reaches a known one, or
 * waits for the caller.
 *
 * @returns Every decision after the script, and the end of the call.
 */
export async function stopsOf(
  graph: AgentGraph,
  script: Script,
  choices: Choices,
  isNew: (key: string) => boolean,
): Promise<readonly Stop[]> {
  const { given, taken, fails } = script;
  const made: number[] = [];
  const stops: Stop[] = [];
  let isOver = false;
  let entered = 0;
  let turnStart = 0;
  let spoken = false;
  let local: { readonly decisions: string[]; called: number; readonly outcomes: Set<string> } = fresh();

  /** The option chosen by the script, else the first. */
  function choose<Item>(kind: string, options: readonly [Item, ...Item[]]): readonly [Item, number] {
    if (call.nodesVisited.length !== entered) {
      entered = call.nodesVisited.length;
      local = fresh();
    }
    const number = taken[made.length] ?? 0;
    if (made.length >= taken.length && !isOver) stopAt(kind, options.length);
    made.push(number);
    return [options[number] ?? options[0], number];
  }

  function stopAt(kind: string, options: number): void {
    const at = call.nodesVisited.at(-1) ?? "";
    const hops = call.nodesVisited.length - turnStart;
    const { decisions, called, outcomes } = local;
    const { list: events, spoken: isSpoken } = eventsOf(graph, call, script);
    const isStatic = graph.nodes[at]?.instruction_type === "static_text";
    const stack = noticedStack(graph, at, call.originators);
    const isWaiting = kind === "wait";
    const here = isWaiting ? [isStatic && isSpoken] : [hops, hops === 0 && isStatic && spoken, decisions, called];
    const variables = Object.entries(call.variables).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([kind, at, stack, variables, here, isWaiting ? [] : [...outcomes].sort()]);
    const isPlain = stack.length === 0 && !(isStatic && isSpoken);
    const next: Script = isPlain
      ? { node: at, given: call.variables, taken: [0], fails: {} }
      : { ...script, taken: [...made, 0] };
    const isFirst = isNew(key);
    stops.push({ key, isFirst, options, taken: [...made], events, ...(isWaiting ? { next, restarts: isPlain } : {}) });
    if (!isWaiting && isFirst) return;
    isOver = true;
    call.end("caller_ended");
  }

  const many = (answer: unknown) => Array.from({ length: 1_000 }, () => answer);
  const agent = scripted({
    transition: many(({ available_transitions: offers }: { available_transitions: { target: string }[] }) => {
      const targets = [...new Set(offers.map(({ target }) => target))];
      const [answer, number] = choose("transition", [
        { objectives_complete: false, transition_to: "" },
        { objectives_complete: true, transition_to: "" },
        ...targets.map((transition_to) => ({ objectives_complete: true, transition_to })),
      ]);
      local.decisions.push(String(number));
      return answer;
    }),
    extract: many(({ variables }: { variables: { name: string }[] }) => {
      let all: [{ [name: string]: unknown }, ...{ [name: string]: unknown }[]] = [{}];
      for (const { name } of variables) {
        const [first, ...others] = all.flatMap((each) =>
          [null, ...(choices[name] ?? [])].map((value) => ({ ...each, [name]: value })),
        );
        if (first) all = [first, ...others];
      }
      const [answer] = choose("extract", all);
      local.decisions.push("extract");
      return answer;
    }),
    arguments: many({}),
    respond: many(() => {
      const node = graph.nodes[call.nodesVisited.at(-1) ?? ""];
      const names = local.called < MOST_TOOLS ? (node?.tools ?? []).map(({ name }) => name) : [];
      const [name] = choose<string | undefined>("respond", [undefined, ...names]);
      if (name === undefined) return "Well.";
      local.called++;
      return { toolCalls: [{ name, arguments: { called: local.called } }] };
    }),
  });
  const tool = () => {
    const node = graph.nodes[call.nodesVisited.at(-1) ?? ""];
    const isRead = node?.tools.some(({ response_variables: read }) => Object.keys(read ?? {}).length > 0);
    const [status] = choose<unknown>("tool", [undefined, ...(isRead ? (choices.status ?? []) : []), "fails"]);
    local.outcomes.add(status === "fails" ? "failed" : "succeeded");
    if (status === "fails") throw new Error("failed");
    return { status };
  };
  const mocks = Object.entries(fails).map(
    ([tool_name, times]): ToolMock => ({
      ...{ tool_name, input_match_rule: { type: "any" }, output: "" },
      ...{ result: false, times },
    }),
  );
  const call: Conversation = conversation(startingAt(graph, script.node), {
    ...{ models: { agent }, mocks, variables: given },
    tools: { charge: tool, look: tool },
  });
  turnStart = call.nodesVisited.length;
  await call.open();
  while (!isOver && !call.ended) {
    choose("wait", [undefined]);
    if (isOver) break;
    spoken = eventsOf(graph, call, script).spoken;
    turnStart = call.nodesVisited.length;
    local = fresh();
    await call.hear("Yes");
  }
  if (isOver) return stops;
  const at = call.nodesVisited.at(-1) ?? "";
  const isTransfer = call.endReason === "agent_transferred" && graph.nodes[at]?.node_type === "transfer";
  const { list: events } = eventsOf(graph, call, script);
  return [
    ...stops,
    { key: undefined, isFirst: false, options: 0, taken: made, events, ...(isTransfer ? { transfer: at } : {}) },
  ];
}

const STARTING = new WeakMap<AgentGraph, Map<string, AgentGraph>>();

/** A graph whose calls first wait for the caller at a node. */
function startingAt(graph: AgentGraph, node: string | undefined): AgentGraph {
  if (node === undefined) return graph;
  const all = STARTING.get(graph) ?? new Map<string, AgentGraph>();
  STARTING.set(graph, all);
  const known = all.get(node);
  if (known) return known;
  const { begin_message: _begin, ...source } = graph.source_metadata;
  const made = parseGraph({ ...graph, entry_node_id: node, source_metadata: { ...source, start_speaker: "user" } });
  all.set(node, made);
  return made;
}

function fresh() {
  return { decisions: [] as string[], called: 0, outcomes: new Set<string>() };
}

/** The events of a call so far, and whether the agent has spoken at the node where it waits. */
function eventsOf(original: AgentGraph, call: Conversation, { node, given }: Script) {
  const graph = startingAt(original, node);
  const list: { event: CallEvent; values: Values }[] = [];
  let spoken = false;
  let known = "";
  let values: Values = {};
  const startVariables = new Map(Object.entries(given).map(([name, value]) => [name, String(value)]));
  followTrace(
    graph,
    { transcript: call.transcript, endReason: call.endReason, startVariables },
    {
      onEvent: (event, variables) => {
        const entries = JSON.stringify([...variables]);
        if (entries !== known) values = Object.fromEntries(variables);
        known = entries;
        list.push({ event, values });
      },
      onWait: (position) => {
        spoken = position.spoken;
      },
    },
  );
  return { list, spoken };
}

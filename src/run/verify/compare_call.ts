import { knownVariables } from "../../agent/analysis/mod.ts";
import { type JsonObject, own, sameJson } from "../../base/values/mod.ts";
import { type AgentConnection, isReported } from "../../call/connection/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import { type AgentGraph, isTerminal } from "../../document/graph/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import { type CallTurn, type TurnStep, turnsOf } from "./call_turns.ts";
import type { CallDifference } from "./types.ts";

/** A call with the agent, and the same words said to its graph. */
export interface CallPair {
  readonly agent: ResultRecord;
  readonly graph: ResultRecord;
}

/** What the connection reports, and so can be compared. */
export interface Reported {
  readonly path: boolean;
  readonly variable: boolean;
  readonly tool: boolean;
  readonly end: boolean;
  /** Whether calls can report a node of the graph. */
  readonly isReportable: (node: string) => boolean;
}

/** What a connection reports of its calls. */
export function reportedBy(connection: AgentConnection, graph: AgentGraph): Reported {
  const { nodeEachTurn, toolArguments, variables, endSignal } = connection.capabilities;
  return {
    path: nodeEachTurn,
    variable: variables,
    tool: toolArguments,
    end: endSignal,
    isReportable: (id) => isReported(connection, id, graph),
  };
}

/**
 * Finds the differences of a call, the first one first. Steps of a turn are compared in the order of the graph's call: an
 * agent reports variables only for a whole turn. After the first difference in the path, the calls are in different
 * places, and nothing later is compared.
 */
export function compareCall(pair: CallPair, graph: AgentGraph, reported: Reported): readonly CallDifference[] {
  const ours = turnsOf(pair.graph, graph);
  const theirs = turnsOf(pair.agent, graph);
  const known = knownVariables(graph);
  const isKnownNode = silentNodes(theirs, graph);
  const isCompared = (step: TurnStep) => {
    if (step.kind === "variable") return reported.variable && known.has(step.name);
    if (step.kind === "tool") return reported.tool;
    return (
      reported.path &&
      step.from !== step.to && // a connection does not tell going to a node from staying there
      own(graph.nodes, step.to) !== undefined &&
      isKnownNode(step.to) &&
      reported.isReportable(step.to)
    );
  };
  const found: CallDifference[] = [];
  const values = { agent: textsOf(pair.agent.startVariables), graph: textsOf(pair.graph.startVariables) };
  let at = "";
  for (let turn = 0; turn < Math.max(ours.length, theirs.length); turn++) {
    const [a, b] = [theirs[turn], ours[turn]];
    if (!a || !b) break; // one of the calls was over: its end differs, or the caller had no more to say
    const compared = compareTurn(
      { agent: a.steps.filter(isCompared), graph: b.steps.filter((step) => step.kind === "path" || isCompared(step)) },
      { turn, at, said: b.said, values, isCompared },
    );
    found.push(...compared.differences);
    at = compared.at;
    if (compared.differences.some(({ kind }) => kind === "path")) return found;
  }
  const ends = [pair.agent.endReason, pair.graph.endReason] as const;
  if (reported.end && ends[0] !== ends[1]) {
    const turn = Math.min(ours.length, theirs.length) - 1;
    const [agent, own] = [endWords(ends[0]), endWords(ends[1])];
    found.push({ kind: "end", turn, nodeId: at, agent, graph: own, said: ours[turn]?.said ?? "" });
  }
  return found;
}

function endWords(reason: string | undefined): string | null {
  return reason === undefined ? null : `ends with ${reason}`;
}

/** The steps of a turn on both sides; those of the graph with the nodes that the agent would not report. */
interface TurnPair {
  readonly agent: readonly TurnStep[];
  readonly graph: readonly TurnStep[];
}

/** Where a turn is in the call. `values`: the variables of both sides, which the comparison updates. */
interface TurnPlace {
  readonly turn: number;
  readonly at: string;
  readonly said: string;
  readonly values: { readonly agent: Map<string, string>; readonly graph: Map<string, string> };
  readonly isCompared: (step: TurnStep) => boolean;
}

function compareTurn({ agent, graph }: TurnPair, { turn, at: start, said, values, isCompared }: TurnPlace) {
  const differences: CallDifference[] = [];
  // differences at nodes that the agent does not report: they count only if both sides arrive at the same node after them
  let pending: CallDifference[] = [];
  let passed: string[] = [];
  const paths = agent.filter((step) => step.kind === "path");
  const tools = agent.filter((step) => step.kind === "tool");
  for (const step of agent) if (step.kind === "variable") values.agent.set(step.name, step.value);
  for (const step of graph) if (step.kind === "variable") values.graph.set(step.name, step.value);
  const checked = new Set<string>();
  let at = start;
  const differ = (what: Omit<CallDifference, "turn" | "said">) =>
    void (passed.length > 0 ? pending : differences).push({ turn, said, ...what });
  const partWays = (agentTo: string | null, graphTo: string | null) => {
    const to = { agent: agentTo, graph: passed[0] ?? graphTo };
    const words = (node: string | null) => (node === null ? null : `goes to ${node}`);
    differences.push({ turn, said, kind: "path", nodeId: at, agent: words(to.agent), graph: words(to.graph), to });
    return { differences, at };
  };
  const compareVariable = (name: string) => {
    if (checked.has(name)) return;
    checked.add(name);
    const [theirs, own] = [values.agent.get(name), values.graph.get(name)];
    if (theirs !== own) differ(variableDifference(name, passed.at(-1) ?? at, theirs, own));
  };
  for (const step of graph) {
    if (step.kind === "path" && !isCompared(step)) passed.push(step.to);
    else if (step.kind === "path") {
      const there = paths.shift();
      if (there?.to !== step.to) return partWays(there?.to ?? null, step.to);
      differences.push(...pending);
      [pending, passed, at] = [[], [], step.to];
    } else if (step.kind === "tool") {
      const there = tools.shift();
      const [theirs, own] = [there ? callWords(there) : null, callWords(step)];
      if (!there || !isSameCall(there, step))
        differ({ kind: "tool", nodeId: step.node, name: step.name, agent: theirs, graph: own });
    } else compareVariable(step.name);
  }
  const [more] = paths;
  if (more) return partWays(more.to, null);
  differences.push(...pending);
  passed = [];
  for (const there of tools) {
    // a second call of a tool belongs to the first one's node: the agent's own node may not be in the graph
    const before = graph.findLast((step) => step.kind === "tool" && step.name === there.name);
    const nodeId = before?.kind === "tool" ? before.node : at;
    differ({ kind: "tool", nodeId, name: there.name, agent: callWords(there), graph: null });
  }
  for (const step of agent) if (step.kind === "variable") compareVariable(step.name);
  return { differences, at };
}

function textsOf(variables: JsonObject = {}): Map<string, string> {
  const texts = Object.entries(variables).flatMap(([name, value]) => {
    const text = textOf(value, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map(texts);
}

function variableDifference(name: string, nodeId: string, agent: string | undefined, graph: string | undefined) {
  const words = (value: string | undefined) => (value === undefined ? null : `${name} = ${JSON.stringify(value)}`);
  return { kind: "variable", nodeId, name, agent: words(agent), graph: words(graph) } as const;
}

type ToolStep = Extract<TurnStep, { readonly kind: "tool" }>;

function isSameCall(one: ToolStep, other: ToolStep): boolean {
  return one.name === other.name && sameJson(one.arguments, other.arguments) && one.outcome === other.outcome;
}

function callWords({ name, arguments: args, outcome }: ToolStep): string {
  return `calls ${name}(${JSON.stringify(args)}), which ${outcome === "failed" ? "fails" : "succeeds"}`;
}

/**
 * Which nodes can be compared: all of them if the agent reports nodes at which nothing is said; otherwise only those at
 * which something is, and those that it did report.
 */
function silentNodes(theirs: readonly CallTurn[], graph: AgentGraph): (id: string) => boolean {
  const named = new Set(
    theirs.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === "path" ? [step.to] : []))),
  );
  const speaks = (id: string) => {
    const node = own(graph.nodes, id);
    return node === undefined || node.node_type === "conversation" || isTerminal(node);
  };
  const reportsSilent = [...named].some((id) => !speaks(id));
  return (id) => reportsSilent || speaks(id) || named.has(id);
}

import { isRecord, own } from "../../base/values/mod.ts";
import { containsText, foldText } from "../../call/judges/mod.ts";
import { clausesText } from "../../document/expressions/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../document/graph/mod.ts";
import type { Scenario } from "../../document/scenario/mod.ts";
import { type CheckResult, END_REASONS, type Message, type Verdict } from "../../document/transcript/mod.ts";
import type { FailedResult, FailureFact } from "./types.ts";

/** Kinds of facts, the most informative first: later ones often follow from earlier ones. */
const ORDER: readonly FailureFact["kind"][] = [
  "caller",
  "error",
  "unmocked_tool",
  "tool_failed",
  "path_left",
  "no_way",
  "wrong_node",
  "missing_variable",
  "wrong_variable",
  "tool_not_called",
  "said",
  "not_said",
  "verdict",
  "check",
  "ended",
];
/** Part of the error message of a tool without a mock or implementation. */
const UNMOCKED = "it has no mock, no function and no allowed URL";

/**
 * Collects facts about a failed call without a model: where it left the expected path, what was not extracted,
 * said or called, which tools failed, and what the judge and the caller's audit found.
 *
 * @param scenario Default: the expectations are read from the checks.
 */
export function failureFacts(graph: AgentGraph, result: FailedResult, scenario?: Scenario): readonly FailureFact[] {
  const failed = result.checks.filter(({ passed }) => !passed);
  const facts = [
    ...(result.audit?.findings ?? []).map(({ reason }) => factOf("caller", `The caller broke its rules: ${reason}`)),
    ...(result.errorMessage ? [factOf("error", `The call ended in an error: ${result.errorMessage}`)] : []),
    ...toolFacts(result),
    ...failed.flatMap((check) => checkFacts(graph, result, check, scenario)),
    ...result.verdicts.filter(({ passed }) => !passed).map((verdict) => verdictFact(graph, result, verdict)),
  ];
  const unique = [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
  return unique.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/** Tools that failed although the scenario did not mock a failure. */
function toolFacts({ toolsCalled }: FailedResult): readonly FailureFact[] {
  return toolsCalled
    .filter(({ outcome, mocked }) => outcome === "failed" && !mocked)
    .map(({ name, nodeId: node, result }) => {
      const text = String(result);
      if (text.includes(UNMOCKED))
        return factOf("unmocked_tool", `Nothing answered the tool "${name}": ${UNMOCKED}.`, { node, name });
      return factOf("tool_failed", `The tool "${name}" failed: ${text}`, { node, name });
    });
}

function checkFacts(
  graph: AgentGraph,
  result: FailedResult,
  check: CheckResult,
  scenario: Scenario | undefined,
): readonly FailureFact[] {
  const { kind, expected, reason } = check;
  const node = lastSpeaker(result);
  switch (kind) {
    case "visits": {
      const facts = visitsFacts(graph, result, scenario?.visits ?? expected.split(" -> "));
      return facts.length > 0 ? facts : [factOf("check", `Expected to visit ${expected}: ${reason}`, { node })];
    }
    case "avoids":
      return avoidsFacts(graph, result, expected);
    case "ends": {
      const wanted = END_REASONS.find((each) => each === expected);
      return endFacts(graph, result, wanted, reason);
    }
    case "extracts":
      return variableFacts(graph, result, check);
    case "calls":
      return calledFacts(graph, result, check);
    case "includes":
    case "patterns": {
      const fact = `The agent should have said ${JSON.stringify(expected)}: ${reason}.`;
      return [factOf("not_said", fact, { node, name: expected })];
    }
    case "excludes": {
      const line = spokenWith(result, expected);
      const fact = `The agent must not say ${JSON.stringify(expected)}: ${reason}.`;
      return [factOf("said", fact, { node: line?.node_id ?? node, name: expected })];
    }
    default:
      return [factOf("check", `${kind} "${expected}" failed: ${reason}`, { node, name: expected })];
  }
}

function variableFacts(graph: AgentGraph, result: FailedResult, { expected, reason }: CheckResult) {
  const name = expected.replace(/ (?:== |not set$)[\s\S]*$|(?<= )not set$/, "").trim();
  const isMissing = own(result.variables, name) === undefined;
  const fillers = Object.values(graph.nodes).filter(({ variables_to_extract: variables }) =>
    variables.some((variable) => variable.name === name),
  );
  const filler = fillers.findLast(({ id }) => result.nodesVisited.includes(id));
  const fact = `Expected ${expected}, but ${reason}.`;
  const [first] = fillers;
  if (!filler && first && isMissing) {
    const way = wayFacts(graph, result.nodesVisited, first.id, `${fact} The call was expected to reach "${first.id}"`);
    if (way.length > 0) return way;
  }
  const kind = isMissing ? "missing_variable" : "wrong_variable";
  return [factOf(kind, fact, { node: filler?.id ?? first?.id ?? "", name })];
}

function calledFacts(graph: AgentGraph, result: FailedResult, { expected, reason }: CheckResult) {
  const [name = ""] = /^[^(,]+/.exec(expected) ?? [];
  const holders = Object.values(graph.nodes).filter(
    ({ id, tools }) => id === name || tools.some((tool) => tool.name === name),
  );
  const holder = holders.findLast(({ id }) => result.nodesVisited.includes(id));
  const fact = `Expected the tool call ${expected}, but ${reason}.`;
  const [first] = holders;
  if (!holder && first) {
    const way = wayFacts(graph, result.nodesVisited, first.id, `${fact} The call was expected to reach "${first.id}"`);
    if (way.length > 0) return way;
  }
  return [factOf("tool_not_called", fact, { node: holder?.id ?? "", name })];
}

function verdictFact(graph: AgentGraph, result: FailedResult, { criterion, score, reasoning, evidence }: Verdict) {
  const quoted = evidence.replace(/^(?:agent|caller): /, "").split("\n", 1)[0] ?? "";
  const line = quoted === "" ? undefined : spokenWith(result, quoted);
  const at = line && own(graph.nodes, line.node_id) ? line.node_id : lastSpeaker(result);
  const fact = `Judged as not met, with a score of ${score}: ${JSON.stringify(criterion)}. ${reasoning}`;
  return factOf("verdict", fact, { node: at, name: criterion });
}

/** The agent's message that has these words, compared as the checks of a scenario compare them. */
function spokenWith({ transcript }: FailedResult, words: string): Message | undefined {
  const wanted = foldText(words);
  return transcript.find(({ role, content }) => role === "assistant" && containsText(foldText(content), wanted));
}

/** The node that spoke last; else the last one that was visited. */
function lastSpeaker({ transcript, nodesVisited }: FailedResult): string {
  return transcript.findLast(({ role }) => role === "assistant")?.node_id || (nodesVisited.at(-1) ?? "");
}

/** Facts of a failed `visits` expectation: where the call left the expected path. */
function visitsFacts(graph: AgentGraph, result: FailedResult, visits: readonly string[]): readonly FailureFact[] {
  let from = 0;
  for (const [index, id] of visits.entries()) {
    const at = result.nodesVisited.indexOf(id, from);
    if (at === -1) {
      const since = result.nodesVisited.slice(index === 0 ? 0 : from - 1);
      return wayFacts(graph, since, id, `The call was expected to reach "${id}"`);
    }
    from = at + 1;
  }
  return [];
}

/** The fact that a call did not take the path to a node. */
function wayFacts(
  graph: AgentGraph,
  visited: readonly string[],
  wanted: string,
  expectation: string,
): readonly FailureFact[] {
  const left = leftPath(graph, visited, wanted);
  if (!left) return [];
  const { node, transition, target, took, hasWay } = left;
  const went = took === undefined ? "stayed" : `went to "${took}"`;
  if (!hasWay) {
    const fact = `${expectation}. No way leads there from any node that it visited; it was last at "${node}".`;
    return [factOf("no_way", fact, { node, target: wanted })];
  }
  const way = transition === -1 ? `the global node "${target}"` : transitionInSentence(graph, node, transition);
  const fact = `${expectation}. It left the way at "${node}": it ${went} instead of taking ${way}.`;
  return [factOf("path_left", fact, { node, transition, target })];
}

/** The fact that a call went to a node that it had to avoid. */
function avoidsFacts(graph: AgentGraph, result: FailedResult, id: string): readonly FailureFact[] {
  const at = result.nodesVisited.indexOf(id);
  const before = result.nodesVisited[at - 1];
  if (before === undefined)
    return [factOf("wrong_node", `The call must not visit "${id}", where it starts.`, { node: id })];
  const transition = takenTransition(graph, result, before, id);
  const way = transition === -1 ? "" : ` by ${transitionInSentence(graph, before, transition)}`;
  const fact = `The call must not visit "${id}", and went there from "${before}"${way}.`;
  return [factOf("wrong_node", fact, { node: before, transition, target: id })];
}

/** Facts about a call that did not end as expected. */
function endFacts(
  graph: AgentGraph,
  result: FailedResult,
  expected: Scenario["ends"],
  reason: string,
): readonly FailureFact[] {
  const type = expected === "agent_ended" ? "end" : expected === "agent_transferred" ? "transfer" : undefined;
  const node = result.nodesVisited.at(-1) ?? "";
  const targets = own(graph.nodes, node)?.transitions ?? [];
  const isEnd = (id: string) => own(graph.nodes, id)?.node_type === type;
  const transition = type === undefined ? -1 : targets.findIndex(({ target_node_id: id }) => isEnd(id));
  if (transition === -1) return [factOf("ended", `The call ended in an unexpected way: ${reason}.`, { node })];
  const target = targets[transition]?.target_node_id ?? "";
  const fact = `The call was expected to end with ${expected}, and ${reason}. At "${node}" it did not take ${transitionInSentence(graph, node, transition)}.`;
  return [factOf("path_left", fact, { node, transition, target })];
}

/** Index of the transition that a call took from one node to another; -1: not known. */
function takenTransition(graph: AgentGraph, { transcript }: FailedResult, from: string, to: string): number {
  for (const { node_id: node, metadata } of transcript) {
    if (metadata.kind !== "transition" || node !== from || metadata.to !== to || !Array.isArray(metadata.ways))
      continue;
    const way = metadata.ways.find((each) => isRecord(each) && typeof each.transition === "number");
    if (isRecord(way)) return Number(way.transition);
  }
  return own(graph.nodes, from)?.transitions.findIndex(({ target_node_id: id }) => id === to) ?? -1;
}

/** Where a call left the path to a node. */
export interface LeftPath {
  /** The node at which it could have continued towards the target. */
  readonly node: string;
  /** Index of the transition that it did not take; -1: the entry condition of a global node, or there is no path. */
  readonly transition: number;
  /** The next node of that path; the target if there is no path. */
  readonly target: string;
  /** Where it went instead; `undefined` if it stayed. */
  readonly took: string | undefined;
  /** Whether the graph has a path. */
  readonly hasWay: boolean;
}

/**
 * Finds where a call left the shortest path to a node.
 *
 * @param visited Nodes in the order of entry.
 */
function leftPath(graph: AgentGraph, visited: readonly string[], wanted: string): LeftPath | undefined {
  const distances = distancesTo(graph, wanted);
  const known = visited.filter((id) => own(graph.nodes, id));
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const steps = known.map((id) => distances.get(id) ?? Number.POSITIVE_INFINITY);
  // the last of the closest visits: the call came back from earlier detours
  const closer = steps.lastIndexOf(Math.min(...steps));
  if (!Number.isFinite(steps[closer])) {
    return { node: last, transition: -1, target: wanted, took: undefined, hasWay: false };
  }
  const node = known[closer] ?? last;
  const took = known[closer + 1];
  const next = (id: string) => (distances.get(id) ?? Number.POSITIVE_INFINITY) === (steps[closer] ?? 0) - 1;
  const transitions = own(graph.nodes, node)?.transitions ?? [];
  const transition = transitions.findIndex(({ target_node_id: id }) => next(id));
  const target = transitions[transition]?.target_node_id ?? wanted;
  return { node, transition, target, took, hasWay: true };
}

/** Number of moves from each node to a target. Nodes without a path are missing. */
function distancesTo({ nodes }: AgentGraph, wanted: string): ReadonlyMap<string, number> {
  const before = new Map<string, string[]>();
  const add = (from: string, to: string) => before.set(to, [...(before.get(to) ?? []), from]);
  for (const [id, { transitions }] of Object.entries(nodes))
    for (const { target_node_id: target } of transitions) add(id, target);
  const conversations = Object.values(nodes).filter(({ node_type: type }) => type === "conversation");
  for (const [id, node] of Object.entries(nodes))
    if (node.global_node_setting) for (const each of conversations) if (each.id !== id) add(each.id, id);
  const distances = new Map([[wanted, 0]]);
  const open = [wanted];
  for (const id of open) {
    for (const from of before.get(id) ?? []) {
      if (distances.has(from)) continue;
      distances.set(from, (distances.get(id) ?? 0) + 1);
      open.push(from);
    }
  }
  return distances;
}

/** Creates a fact; missing fields are empty. */
function factOf(
  kind: FailureFact["kind"],
  fact: string,
  names: Partial<Omit<FailureFact, "kind" | "fact">> = {},
): FailureFact {
  return { kind, fact, node: "", transition: -1, target: "", name: "", ...names };
}

/** The text of a condition: of an LLM condition, or its equations. Empty for one that always holds. */
export function writtenCondition(condition: TransitionCondition): string {
  const { type, value, outcome } = condition;
  if (type === "llm_prompt") return value;
  if (type === "equation") return clausesText(condition);
  if (type === "tool_call") return [value || "any tool", outcome ?? "has answered"].join(" ");
  return "";
}

/** A transition in a sentence: `transition 0 to "book" ("Caller wants to book")`. */
export function transitionInSentence(graph: AgentGraph, node: string, index: number): string {
  const transition = own(graph.nodes, node)?.transitions[index];
  if (!transition) return `transition ${index}`;
  const condition = writtenCondition(transition.condition);
  return `transition ${index} to "${transition.target_node_id}" (${condition === "" ? "always" : JSON.stringify(condition)})`;
}

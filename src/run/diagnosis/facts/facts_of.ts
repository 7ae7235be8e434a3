import { own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import { type CheckResult, END_REASONS, type Message, type Verdict } from "../../../document/transcript/mod.ts";
import type { FailedResult, FailureFact } from "../types.ts";
import { factOf } from "./fact_of.ts";
import { avoidsFacts, endFacts, visitsFacts, wayFacts } from "./path_facts.ts";

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

/** The agent's message that has these words, ignoring case. */
function spokenWith({ transcript }: FailedResult, words: string): Message | undefined {
  const wanted = words.toLowerCase();
  return transcript.find(({ role, content }) => role === "assistant" && content.toLowerCase().includes(wanted));
}

/** The node that spoke last; else the last one that was visited. */
function lastSpeaker({ transcript, nodesVisited }: FailedResult): string {
  return transcript.findLast(({ role }) => role === "assistant")?.node_id || (nodesVisited.at(-1) ?? "");
}

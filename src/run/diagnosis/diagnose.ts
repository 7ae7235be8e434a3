import { isCallweaveError, ModelError, ScenarioError } from "../../base/errors.ts";
import { checkOptions, defined, isRecord, OPTION, own, rule } from "../../base/values/mod.ts";
import {
  type CallUsage,
  callModel,
  type DiagnosisOutput,
  diagnosisProblem,
  diagnosisSignature,
  type FailedCallInput,
  modelName,
  offline,
  type RepairOutput,
  repairSignature,
  resolveModel,
  type SignatureName,
} from "../../call/models/mod.ts";
import { type AgentGraph, type AgentNode, toGraph } from "../../document/graph/mod.ts";
import { toScenario } from "../../document/scenario/mod.ts";
import { totalOf } from "../runner/mod.ts";
import { failureFacts, writtenCondition } from "./facts.ts";
import { applyChanges, changesAsDiff, type ProposedChange, readChange } from "./proposed_change.ts";
import type { DiagnoseOptions, Diagnosis, FailedResult, FailureFact, RefusedChange } from "./types.ts";

const RULES = {
  model: rule("a model, or its name as provider/model", (value) => typeof value === "string" || isRecord(value)),
  scenario: OPTION.object,
  refused: OPTION.list,
  requests: OPTION.object,
  signal: OPTION.signal,
};
const RESULT = {
  result: rule(
    "a result of a run, with transcript and checks",
    (value) =>
      isRecord(value) &&
      ["transcript", "checks", "verdicts", "nodesVisited", "toolsCalled"].every((key) => Array.isArray(value[key])),
  ),
};

/**
 * Finds the fault of a failed call, and proposes the smallest change of the graph that may repair it.
 *
 * Rules first collect facts: where the call left the expected path, what was not said, extracted or called. A
 * model explains them, quotes the words at fault and proposes the change. A quotation that does not exist, or a change
 * that does not fit the graph, is rejected; the model gets the reason and is asked again, at most twice for each.
 *
 * @param graph The graph of the call.
 * @throws {ScenarioError} `nothing-to-diagnose` for a call that did not fail; `invalid-option`.
 * @throws {ModelError} `model-output` when no answer was usable; `model-failed`, `model-timeout`, `aborted`.
 * @throws {GraphError} `not-a-graph`.
 * @example
 * ```ts
 * import { flow, run, scenario } from "callweave";
 * import { diagnose } from "callweave/calls";
 *
 * const hello = flow("hello")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
 *   .end("bye", { prompt: "Say goodbye." })
 *   .compile();
 * const leaves = scenario("leaves", hello).says("That is all.").visits("bye");
 * const { results } = await run(hello, [leaves], { store: false });
 * const failed = results.find(({ status }) => status === "fail");
 * if (failed) {
 *   const { place, node, explanation, diff } = await diagnose(failed, hello, { scenario: leaves });
 *   console.log(place, node, explanation, diff);
 * }
 * ```
 */
export async function diagnose(
  result: FailedResult,
  graph: AgentGraph,
  options: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const action = "Cannot diagnose a call";
  const known = toGraph(graph, action);
  checkResult(result, action);
  checkOptions(options, RULES, ScenarioError, action);
  const scenario = options.scenario && toScenario(options.scenario);
  const facts = failureFacts(known, result, scenario);
  if (facts.length === 0 || result.status === "pass") throw nothingFailed(result);
  const model = await resolveModel(options.model ?? offline());
  const requests: CallUsage[] = [];
  const call = {
    ...options.requests,
    ...(options.signal ? { signal: options.signal } : {}),
    onUsage: (usage: CallUsage) => void requests.push(usage),
  };
  const input = failedCallInput(known, result, facts, options.refused ?? []);
  const found = await askUntilFit(
    "diagnosis",
    async (problems) => await callModel(model, diagnosisSignature, { ...input, problems }, call),
    (answer) => diagnosisProblem(answer, input),
  );
  const { place, node, transition, target, tool, explanation } = found;
  const fault = { place, node, transition, target, tool, explanation };
  const refused = (options.refused ?? []).map(({ changes }) => JSON.stringify(changes));
  const proposed = await askUntilFit(
    "repair",
    async (problems) => await callModel(model, repairSignature, { ...input, problems, fault }, call),
    (answer) => problemOf(known, answer, refused),
  );
  const changes = proposed.changes.map(readChange);
  return {
    scenario: result.scenario,
    ...(result.id === undefined ? {} : { resultId: result.id }),
    ...placeOf(found, input),
    facts,
    changes,
    diff: changesAsDiff(known, changes),
    reasoning: proposed.reasoning,
    model: modelName(model).replace(/^callweave\//, ""),
    usage: totalOf(requests),
  };
}

/** @throws {ScenarioError} `invalid-option` if the value is not a result. */
export function checkResult(result: FailedResult, action: string): void {
  checkOptions({ result: result ?? null }, RESULT, ScenarioError, action);
}

/** Returns why proposed changes are invalid. */
function problemOf(graph: AgentGraph, { changes }: RepairOutput, refused: readonly string[]): string | undefined {
  const proposed: readonly ProposedChange[] = changes.map(readChange);
  if (proposed.length === 0) return undefined;
  if (refused.includes(JSON.stringify(proposed))) return "changes: this change was tried already and refused";
  try {
    applyChanges(graph, proposed);
    return undefined;
  } catch (error) {
    if (!isCallweaveError(error)) throw error;
    return `changes: ${error.message} (${error.hint})`;
  }
}

function placeOf(found: DiagnosisOutput, { call }: FailedCallInput) {
  const { place, node, transition, target, tool, quotes, evidence, explanation, confidence } = found;
  const hasNode = !["general_prompt", "scenario", "caller"].includes(place) && node !== "";
  return {
    place,
    node: hasNode ? node : null,
    transition: place === "transition" && transition >= 0 ? transition : null,
    target: place === "missing_transition" ? target : null,
    tool: place === "tool" ? tool : null,
    quotes: quotes.map((each) => ({ node: each.node === "" ? null : each.node, quote: each.quote })),
    evidence: evidence.map(({ line, quote }) => ({
      line,
      role: call.transcript.find((each) => each.line === line)?.role ?? "",
      quote,
    })),
    explanation,
    ...defined({ confidence }),
  };
}

function nothingFailed({ scenario, status }: FailedResult): ScenarioError {
  return new ScenarioError(`Cannot diagnose a call of "${scenario}": its status is "${status}", and nothing failed`, {
    code: "nothing-to-diagnose",
    path: [scenario],
    hint: "Pass a result whose status is fail, error or invalid",
  });
}

/** Maximum number of times a model is asked for a valid answer. */
const MOST_ASKS = 3;

/**
 * Asks a model until its answer is valid. Each repetition tells it what was wrong with its earlier answers.
 *
 * @throws {ModelError} `model-output` when no answer was valid.
 */
async function askUntilFit<Answer>(
  name: SignatureName,
  ask: (problems: string[]) => Promise<Answer>,
  problemOf: (answer: Answer) => string | undefined,
): Promise<Answer> {
  const problems: string[] = [];
  for (let asked = 0; asked < MOST_ASKS; asked++) {
    const answer = await ask([...problems]);
    const problem = problemOf(answer);
    if (problem === undefined) return answer;
    problems.push(problem);
  }
  throw new ModelError(`Cannot use the answers to "${name}": ${problems.at(-1)}`, {
    code: "model-output",
    path: [name],
    hint: "Use a more capable model for the diagnosis",
  });
}

/** Maximum number of nodes that the model sees; the visited ones come first. */
const MOST_NODES = 80;

/** The input of the diagnosis: the relevant part of the agent, the call, and the facts. */
function failedCallInput(
  graph: AgentGraph,
  result: FailedResult,
  facts: readonly FailureFact[],
  refused: readonly RefusedChange[],
): FailedCallInput {
  return {
    agent: {
      general_prompt: graph.source_metadata.general_prompt ?? "",
      nodes: concerned(graph, result, facts).map(nodeInput),
      snippets: Object.entries(graph.snippets).map(([name, text]) => ({ name, text })),
    },
    call: {
      scenario: result.scenario,
      end_reason: result.endReason ?? "",
      transcript: result.transcript.map(({ role, content, node_id: node }, index) => ({
        line: index + 1,
        role,
        node,
        content,
      })),
    },
    facts: [...facts],
    problems: [],
    refused_tries: refused.map(({ changes, reason }) => ({ change: JSON.stringify(changes), refused_because: reason })),
  };
}

/** The nodes that a call visited, those that it could have gone to, and those that the facts name. */
function concerned(graph: AgentGraph, { nodesVisited }: FailedResult, facts: readonly FailureFact[]) {
  const ids = new Set([...nodesVisited, ...facts.flatMap(({ node, target }) => [node, target])]);
  for (const id of [...ids])
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? []) ids.add(target);
  for (const node of Object.values(graph.nodes)) if (node.global_node_setting) ids.add(node.id);
  return [...ids].flatMap((id) => own(graph.nodes, id) ?? []).slice(0, MOST_NODES);
}

function nodeInput(node: AgentNode): FailedCallInput["agent"]["nodes"][number] {
  return {
    id: node.id,
    type: node.node_type,
    prompt: node.state_prompt,
    global_condition: node.global_node_setting?.condition ?? "",
    transitions: node.transitions.map(({ target_node_id: target, condition }, index) => ({
      index,
      target,
      condition: writtenCondition(condition),
      condition_type: condition.type,
    })),
    variables: node.variables_to_extract.map(({ name, description }) => ({ name, description })),
    tools: node.tools.map(({ name, description }) => ({ name, description })),
  };
}

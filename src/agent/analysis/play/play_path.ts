import { own, parsedJson, sameJson } from "../../../base/values/mod.ts";
import { equationHolds, startVariables } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  hasOutcome,
  isSilent,
  type TransitionCondition,
  toGraph,
  type VariableExtraction,
  waysAfterHearing,
  waysAfterWork,
  waysBack,
} from "../../../document/graph/mod.ts";
import { completeScenario, type OfflineTurn, type Scenario, type ToolMock } from "../../../document/scenario/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";
import { knownVariables } from "../facts/mod.ts";
import { type CallPath, type PathStep, toolResult } from "../paths/mod.ts";
import { callerFacts } from "./caller_facts.ts";
import { lineAt, type PathAnswers, pathAnswers, writePersona } from "./persona.ts";

/** Default of a run's `limits.maxTurns`. */
const DEFAULT_TURNS = 20;

/** A path as a scenario, and the answers of a model that follows it. */
export interface PlayedPath {
  readonly scenario: Scenario;
  /** For `scripted(answers)`, which plays the agent and the caller. A model answers one call: create one for each. */
  readonly answers: PathAnswers;
}

/** Options of {@link playPath}. */
export interface PlayOptions {
  /** Name of the scenario. Default: the nodes at which the path begins and ends. */
  readonly name?: string;
  /** How a call ends that has taken the path. Default: as the path says; expected only if it does. */
  readonly ends?: EndReason;
}

/**
 * Turns a path through a graph into a scenario: a persona whose facts lead the call there, the variables and tool
 * answers of the path, and the nodes that the call must visit, in order.
 *
 * @throws {GraphError} `not-a-graph`.
 * @example
 * ```ts
 * import { flow, run, scripted } from "callweave";
 * import { findPath, playPath } from "callweave/analysis";
 *
 * const hello = flow("hello")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
 *   .end("bye", { prompt: "Say goodbye." })
 *   .compile();
 * const answer = findPath(hello, { from: "greet", transition: 0 });
 * if (answer.kind === "found") {
 *   const { scenario, answers } = playPath(hello, answer.path);
 *   const report = await run(hello, [scenario], { models: { agent: scripted(answers) }, store: false });
 *   console.log(report.results[0]?.nodesVisited); // [ "greet", "bye" ]
 * }
 * ```
 */
export function playPath(source: AgentGraph, path: CallPath, options: PlayOptions = {}): PlayedPath {
  const graph = toGraph(source, "Cannot play a path");
  const ends = options.ends ?? endOf(path);
  const facts = callerFacts(graph, path, ends);
  const lines = facts.moments.map(lineAt);
  const visits = visitedNodes(path);
  const scenario = completeScenario({
    name: options.name ?? nameOf(visits),
    user_prompt: writePersona(facts),
    dynamic_variables: path.variables,
    tool_mocks: toolMocks(path.steps),
    visits,
    ...(ends ? { ends } : {}),
    ...(lines.length > DEFAULT_TURNS ? { max_turns: lines.length } : {}),
    offline_path: offlinePath(path, lines),
  });
  return { scenario, answers: pathAnswers(graph, path, lines) };
}

function endOf({ steps }: CallPath): EndReason | undefined {
  const last = steps.at(-1);
  return last?.kind === "end" ? last.reason : undefined;
}

/** The nodes that a call on a path visits, in order. */
export function visitedNodes({ steps }: CallPath): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === "open") return [step.node];
    return step.kind === "move" ? [step.to] : [];
  });
}

function nameOf(visits: readonly string[]): string {
  const [first = "", ...others] = visits;
  const last = others.at(-1);
  return last === undefined ? first : `${first} to ${last}`;
}

/** Mocks that answer the tool calls and transfers of a path as the path says, each as often as it is needed. */
export function toolMocks(steps: readonly PathStep[]): readonly ToolMock[] {
  const runs: { readonly mock: ToolMock; times: number }[] = [];
  const failing = new Set(steps.flatMap((step) => (isFailed(step) ? [step.node] : [])));
  for (const step of steps) {
    const mock = mockOf(step, failing);
    if (!mock) continue;
    const last = runs.findLast((run) => run.mock.tool_name === mock.tool_name);
    if (last && sameJson(last.mock, mock)) last.times += 1;
    else runs.push({ mock, times: 1 });
  }
  return runs.map(({ mock, times }) => {
    const isOnly = runs.filter((run) => run.mock.tool_name === mock.tool_name).length === 1;
    return isOnly ? mock : { ...mock, times };
  });
}

function isFailed(step: PathStep): step is Extract<PathStep, { kind: "transfer" }> {
  return step.kind === "transfer" && step.outcome === "failed";
}

/** A transfer goes through without a mock, except at a node where another one fails. */
function mockOf(step: PathStep, failing: ReadonlySet<string>): ToolMock | undefined {
  const any = { type: "any" } as const;
  if (step.kind === "tool") {
    const { tool, outcome, result } = step;
    return { tool_name: tool, input_match_rule: any, output: asOutput(result), result: outcome === "succeeded" };
  }
  if (step.kind !== "transfer" || !failing.has(step.node)) return undefined;
  const output = step.outcome === "failed" ? "the transfer failed" : "";
  return { tool_name: step.node, input_match_rule: any, output, result: step.outcome === "succeeded" };
}

/** A result as a mock's output, whose texts are read as JSON. */
function asOutput(result: unknown): unknown {
  if (typeof result !== "string") return result ?? "";
  return parsedJson(result) === undefined ? result : JSON.stringify(result);
}

interface OpenTurn {
  readonly says?: string;
  readonly moves: { readonly to: string | null; readonly complete?: boolean }[];
  readonly extracts: { readonly [variable: string]: string }[];
  readonly tools: string[];
}

/**
 * Writes a path for the offline model: what the caller says, and what the model decides, extracts and calls.
 *
 * @param lines What the caller says, one line for each time that the path hears the caller.
 */
function offlinePath({ steps }: CallPath, lines: readonly string[]): readonly OfflineTurn[] {
  const turn = (says?: string): OpenTurn => ({
    ...(says === undefined ? {} : { says }),
    moves: [],
    extracts: [],
    tools: [],
  });
  const turns = [turn()];
  for (const step of steps) {
    const now = turns.at(-1);
    if (step.kind === "hear") turns.push(turn(lines[turns.length - 1] ?? ""));
    else if (step.kind === "decide") {
      const to = step.target ?? null;
      now?.moves.push(step.objectivesComplete ? { to } : { to, complete: false });
    } else if (step.kind === "extract") {
      const found = Object.entries(step.values).flatMap(([name, value]) =>
        value === null ? [] : [[name, value] as const],
      );
      now?.extracts.push(Object.fromEntries(found));
    } else if (step.kind === "tool" && step.by === "reply") now?.tools.push(step.tool);
  }
  return turns.map(written).filter((each) => Object.keys(each).length > 0);
}

function written({ says, ...lists }: OpenTurn): OfflineTurn {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return { ...(says === undefined ? {} : { says }), ...Object.fromEntries(filled) };
}

/** Whether the equations on a path lead along it, with the values that the path has now. */
function isSamePath(graph: AgentGraph, path: CallPath): boolean {
  const variables = startVariables(graph, path.variables);
  return path.steps.every((step, index) => {
    const set = step.kind === "extract" ? step.values : step.kind === "tool" ? step.variables : {};
    for (const [name, value] of Object.entries(set)) if (value !== null) variables.set(name, value);
    const next = path.steps[index + 1];
    const node = own(graph.nodes, step.kind === "move" ? step.to : step.node);
    if (!next || !node) return true;
    const free = freeWays(node, step, next);
    if (free.length === 0) return true;
    const values = Object.fromEntries(variables);
    const outcome = step.kind === "tool" ? step.outcome : undefined;
    const first = free.find((way) => isTrue(way.condition, values, outcome));
    const isTaken = next.kind === "move" && ["equation", "tool", "go-back"].includes(next.by);
    if (!isTaken) return first === undefined;
    return first !== undefined && first.index === next.transition && first.goBack === next.goBack;
  });
}

interface FreeWay {
  readonly condition: TransitionCondition;
  readonly index?: number;
  readonly goBack?: number;
}

/** The ways that a call takes without a model, if it chooses between these two steps. */
function freeWays(node: AgentNode, step: PathStep, next: PathStep): readonly FreeWay[] {
  const indexed = (ways: readonly { readonly condition: TransitionCondition }[]) =>
    node.transitions.flatMap((each, index) => (ways.includes(each) ? [{ condition: each.condition, index }] : []));
  if (node.node_type === "conversation") {
    if (step.kind !== "hear") return [];
    const backs = node.global_node_setting?.go_back_conditions ?? [];
    const back = waysBack(node).withoutModel.map((each) => ({
      condition: each.condition,
      goBack: backs.indexOf(each),
    }));
    return [...indexed(waysAfterHearing(node).withoutModel), ...back];
  }
  const isAtWork = next.kind === "extract" || next.kind === "tool";
  return isSilent(node) && !isAtWork ? indexed(waysAfterWork(node).withoutModel) : [];
}

function isTrue(
  condition: TransitionCondition,
  values: { readonly [name: string]: string },
  outcome: "succeeded" | "failed" | undefined,
): boolean {
  if (condition.type !== "tool_call") return equationHolds(condition, values);
  return outcome !== undefined && hasOutcome(condition, outcome);
}

/**
 * Replaces the values of a path by ones that people would say, where the equations on it lead the same way. A variable
 * that the path leaves empty for no reason gets a value too.
 */
export function withSamples(graph: AgentGraph, path: CallPath): CallPath {
  const declared = knownVariables(graph);
  const variableNamed = (name: string): VariableExtraction =>
    declared.get(name) ?? { name, description: "", type: "string" };
  let found = path;
  const attempt = (next: CallPath) => {
    if (isSamePath(graph, next)) found = next;
  };
  for (const index of [...path.steps.keys()].reverse()) {
    const step = path.steps[index];
    const variables = step ? settable(graph, step, variableNamed) : [];
    for (const variable of [...variables].reverse()) {
      const sample = sampleValue(variable) ?? (step?.kind === "tool" ? spacedName(variable.name) : undefined);
      const now = found.steps[index];
      if (sample === undefined || !now) continue;
      attempt({ ...found, steps: found.steps.with(index, withValue(graph, now, variable.name, sample)) });
    }
  }
  for (const name of Object.keys(path.variables)) {
    const sample = sampleValue(variableNamed(name));
    if (sample !== undefined) attempt({ ...found, variables: { ...found.variables, [name]: sample } });
  }
  return found;
}

/** The variables that a step can set. */
function settable(
  { nodes }: AgentGraph,
  step: PathStep,
  variableNamed: (name: string) => VariableExtraction,
): readonly VariableExtraction[] {
  if (step.kind === "extract") return own(nodes, step.node)?.variables_to_extract ?? [];
  if (step.kind !== "tool" || step.outcome === "failed") return [];
  const tool = own(nodes, step.node)?.tools.find(({ name }) => name === step.tool);
  return Object.keys(tool?.response_variables ?? {}).map(variableNamed);
}

function withValue(graph: AgentGraph, step: PathStep, name: string, value: string): PathStep {
  if (step.kind === "extract") return { ...step, values: withEntry(step.values, name, value) };
  if (step.kind !== "tool") return step;
  const variables = withEntry(step.variables, name, value);
  return { ...step, variables, result: toolResult(graph, step, variables) };
}

/** A name may be `__proto__`, which a spread would not copy. */
function withEntry<Value>(
  record: { readonly [name: string]: Value },
  name: string,
  value: Value,
): { readonly [name: string]: Value } {
  return Object.fromEntries([...Object.entries(record), [name, value]]);
}

function spacedName(name: string): string {
  return name.replace(/[_\s]+/g, " ").trim();
}

/** Words before "name" with which a variable holds a person's name. */
const PERSON =
  "(?:full|your|caller|user|customer|client|guest|patient|member|visitor|person|contact|lead|owner|holder|s) ?";

/** Sample values by the words of a variable's name. */
const BY_NAME: readonly (readonly [name: RegExp, value: string])[] = [
  [/\be ?mail\b/, "anna.fischer@example.com"],
  [/\b(?:(?:tele)?phone|mobile|callback)/, "+12025550143"],
  [/\bfirst ?name\b/, "Anna"],
  [/\b(?:last ?name|surname|family ?name)\b/, "Fischer"],
  [/\b(?:company|business|employer)\b/, "Lumen"],
  [new RegExp(`^(?:${PERSON})*names?$`), "Anna Fischer"],
  [/\b(?:birth|dob\b)/, "May 4, 1985"],
  [/\b(?:zip|postal)/, "94107"],
  [/\b(?:address|street)\b/, "12 Main Street"],
  [/\b(?:city|town)\b/, "Springfield"],
  [/\b(?:date|day)\b/, "March 3"],
  [/\b(?:time|hour)\b/, "10 in the morning"],
];

const EXAMPLE = /\b(?:such as|for example|for instance|e\.g\.|eg|like)[,:]?\s+["'“]?([^,;.()"'”]+(?:\.\d+)?)/i;

/** A value that people would say; `undefined` if neither type, description nor name tells what the variable holds. */
export function sampleValue({ name, description, type, choices }: VariableExtraction): string | undefined {
  const [choice] = choices ?? [];
  if (choice !== undefined) return choice;
  if (type === "boolean") return "true";
  const example = EXAMPLE.exec(description)?.[1]?.trim();
  if (type === "number") return example !== undefined && /^-?\d+(?:\.\d+)?$/.test(example) ? example : "1";
  return example ?? BY_NAME.find(([pattern]) => pattern.test(lowerCaseWords(name)))?.[1];
}

/** The words of a name in small letters: "first name" for `firstName` and `first_name`. */
function lowerCaseWords(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

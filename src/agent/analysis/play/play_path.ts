import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
import { completeScenario, type Scenario } from "../../../document/scenario/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";
import type { CallPath } from "../paths/mod.ts";
import { type PathAnswers, pathAnswers } from "./answers.ts";
import { callerFacts } from "./caller_facts.ts";
import { offlinePath } from "./offline_path.ts";
import { lineAt, writePersona } from "./persona.ts";
import { toolMocks } from "./tool_mocks.ts";

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

import pLimit from "p-limit";
import {
  type CallerFacts,
  type CallPath,
  callerFacts,
  explainUnreachable,
  type GraphTransition,
  goalOf,
  graphTransitionKey,
  graphTransitions,
  keysOfCall,
  keysOfPath,
  keysOfVisits,
  type PathFinder,
  type PlayedPath,
  pathFinder,
  playPath,
  visitedNodes,
  withSamples,
} from "../../agent/analysis/mod.ts";
import { isCallweaveError, ModelError, ScenarioError } from "../../base/errors.ts";
import { checkOptions, didYouMean, eitherSignal, OPTION, rule } from "../../base/values/mod.ts";
import { callableGraph } from "../../call/engine/mod.ts";
import {
  callModel,
  type Model,
  type PersonaInput,
  personaSignature,
  type RequestOptions,
  resolveModel,
  scripted,
} from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { type Scenario, toScenarios } from "../../document/scenario/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import { run } from "../runner/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { GeneratedScenario, GeneratedScenarios, GenerateOptions, UnshownTransition } from "./types.ts";

const RULES = {
  scenarios: OPTION.list,
  results: OPTION.list,
  only: OPTION.text,
  model: rule("a model", (value) => value !== null),
  requests: rule("an object", (value) => typeof value === "object" && value !== null),
  signal: rule("an AbortSignal", (value) => value instanceof AbortSignal),
};

/**
 * Writes scenarios for the transitions of a graph that no scenario covers. Each takes the shortest path to its
 * transition, with the variables and tool results that it needs, and expects that path. Each is verified by a run
 * with a scripted model. The result is deterministic, unless a model writes the personas.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`, `duplicate-scenario`; `unknown-node` for `only`.
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 * @example
 * ```ts
 * import { flow } from "callweave";
 * import { generateScenarios } from "callweave/analysis";
 *
 * const hello = flow("hello")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller asks for the time")] })
 *   .end("bye", { prompt: "Say goodbye." })
 *   .compile();
 * const { scenarios } = await generateScenarios(hello);
 * console.log(scenarios[0]?.scenario.user_prompt); // You call hello. First you ask for the time.
 * ```
 */
export async function generateScenarios(
  source: AgentGraph,
  options: GenerateOptions = {},
): Promise<GeneratedScenarios> {
  checkOptions(options, RULES, ScenarioError, "Cannot generate scenarios");
  const graph = callableGraph(source);
  checkNode(graph, options.only);
  const existing = toScenarios(options.scenarios ?? []);
  const all = graphTransitions(graph);
  const finder = pathFinder(graph);
  const { candidates: found, missing, unknown } = pathsTo(all, graph, finder, options.signal);
  const unreachable = new Set(missing.map(graphTransitionKey));
  const known = coveredKeys(graph, existing, options.results ?? []);
  const covered = new Set(known.filter((key) => !unreachable.has(key)));
  const isAsked = ({ node, to }: GraphTransition) => [undefined, node, to].includes(options.only);
  const candidates = found.filter(({ target, key }) => isAsked(target) && !covered.has(key));
  const names = new Set(existing.map(({ name }) => name));
  const { drafts, failed, taken: shown } = await draftScenarios(graph, candidates, names, options.signal);

  const taken = new Set([...covered, ...shown]);
  const isReached = (node: string) => finder.find({ node }).kind !== "none";
  return {
    scenarios: await withPersonas(graph, drafts, options),
    unreachable: explainUnreachable(graph, missing.filter(isAsked), isReached),
    unshown: [...unknown, ...failed].filter(
      ({ transition }) => isAsked(transition) && !taken.has(graphTransitionKey(transition)),
    ),
    coverage: { transitions: all.length, before: covered.size, after: taken.size },
  };
}

function coveredKeys(
  graph: AgentGraph,
  scenarios: readonly Scenario[],
  results: NonNullable<GenerateOptions["results"]>,
): readonly string[] {
  return scenarios.flatMap(({ name, visits }) => {
    const calls = results.filter(({ scenario }) => scenario === name);
    if (calls.length === 0) return [...keysOfVisits(graph, visits)];
    return calls.flatMap((call) => [...keysOfCall(graph, call)]);
  });
}

/** @throws {ScenarioError} `unknown-node`. */
function checkNode({ nodes }: AgentGraph, only: string | undefined): void {
  if (only === undefined || Object.hasOwn(nodes, only)) return;
  throw new ScenarioError(`Cannot generate scenarios: the graph has no node "${only}"`, {
    code: "unknown-node",
    path: ["only"],
    hint: didYouMean(only, Object.keys(nodes), "Name a node of the graph"),
  });
}

/** The shortest path to each transition; the transitions without one, and those for which it is unknown. */
function pathsTo(
  all: readonly GraphTransition[],
  graph: AgentGraph,
  finder: PathFinder,
  signal: AbortSignal | undefined,
) {
  const missing: GraphTransition[] = [];
  const unknown: UnshownTransition[] = [];
  const candidates = all.flatMap((target): Candidate<GraphTransition>[] => {
    throwIfAborted(signal);
    const answer = finder.find(goalOf(target));
    if (answer.kind === "found") {
      const { path } = answer;
      return [{ target, key: graphTransitionKey(target), path, takes: keysOfPath(graph, path) }];
    }
    if (answer.kind === "none") missing.push(target);
    else unknown.push({ transition: target, reason: answer.reason });
    return [];
  });
  return { candidates, missing, unknown };
}

/**
 * Plays the selected paths. If a call does not take its path, the transitions on it are left to the other paths.
 *
 * @returns In the order of the candidates.
 */
async function draftScenarios(
  graph: AgentGraph,
  candidates: readonly Candidate<GraphTransition>[],
  names: Set<string>,
  signal: AbortSignal | undefined,
) {
  const failed: UnshownTransition[] = [];
  const drafts = new Map<Candidate<GraphTransition>, DraftScenario>();
  const taken = new Set<string>();
  let open = candidates;
  while (open.length > 0) {
    const tried = selectPaths(open);
    for (const candidate of tried) {
      const { target, takes, path: found } = candidate;
      const outcome = await showPath(graph, found, { name: unusedName(target.name, names), signal });
      throwIfAborted(signal);
      if (!outcome.isShown) {
        failed.push({ transition: target, reason: outcome.reason });
        continue;
      }
      const { path, played } = outcome;
      const { scenario } = played;
      const facts = callerFacts(graph, path, scenario.ends);
      const covers = candidates.map((each) => each.target).filter((each) => takes.has(graphTransitionKey(each)));
      drafts.set(candidate, { scenario, target, covers, path, personaBy: "rules", facts });
      names.add(scenario.name);
      for (const key of takes) taken.add(key);
    }
    open = open.filter((candidate) => !tried.includes(candidate) && !taken.has(candidate.key));
  }
  return { drafts: candidates.flatMap((candidate) => drafts.get(candidate) ?? []), failed, taken };
}

function unusedName(base: string, names: ReadonlySet<string>): string {
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base} (${count})`;
  return name;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new ModelError("Cannot generate scenarios: the work was aborted", {
    code: "aborted",
    hint: "Generate again, without the aborted signal",
  });
}

/** A path to a transition, with the keys of all transitions that it takes. */
export interface Candidate<Target> {
  readonly target: Target;
  readonly key: string;
  readonly path: CallPath;
  readonly takes: ReadonlySet<string>;
}

/**
 * Selects a small set of paths that takes all wanted transitions: the longest first, skipping those whose transition a
 * selected path takes; then drops paths that the others make redundant.
 *
 * @returns In the order of the candidates.
 */
function selectPaths<Target>(candidates: readonly Candidate<Target>[]): readonly Candidate<Target>[] {
  const wanted = new Set(candidates.map(({ key }) => key));
  const byLength = [...candidates].sort((a, b) => b.path.steps.length - a.path.steps.length);
  const taken = new Map<string, number>();
  const count = ({ takes }: Candidate<Target>, by: number) => {
    for (const key of takes) if (wanted.has(key)) taken.set(key, (taken.get(key) ?? 0) + by);
  };
  const selected = new Set<Candidate<Target>>();
  for (const candidate of byLength) {
    if (taken.has(candidate.key)) continue;
    selected.add(candidate);
    count(candidate, 1);
  }
  for (const candidate of [...selected].reverse()) {
    const isNeeded = [...candidate.takes].some((key) => taken.get(key) === 1);
    if (isNeeded) continue;
    selected.delete(candidate);
    count(candidate, -1);
  }
  return candidates.filter((candidate) => selected.has(candidate));
}

/** A scenario whose persona was written by rules, with what it was written from. */
export interface DraftScenario extends GeneratedScenario {
  readonly facts: CallerFacts;
}

/** Number of personas to write concurrently. */
const MOST_CALLS = 4;

/**
 * Lets the model write the personas, if there is one. The first error stops the others.
 *
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
async function withPersonas(
  graph: AgentGraph,
  drafts: readonly DraftScenario[],
  { model: reference, requests, signal }: GenerateOptions,
): Promise<readonly GeneratedScenario[]> {
  if (reference === undefined || drafts.length === 0) return drafts.map(({ facts: _facts, ...rest }) => rest);
  const stop = new AbortController();
  const settings = {
    model: await resolveModel(reference),
    signal: eitherSignal(signal, stop.signal),
    ...(requests ? { requests } : {}),
  };
  const limit = pLimit(MOST_CALLS);
  return await Promise.all(
    drafts.map(({ facts, ...rest }) =>
      limit(async (): Promise<GeneratedScenario> => {
        try {
          const persona = await writePersonaWith(settings, graph, facts);
          if (persona === undefined) return rest;
          return { ...rest, personaBy: "model", scenario: { ...rest.scenario, user_prompt: persona } };
        } catch (error) {
          stop.abort();
          throw error;
        }
      }),
    ),
  );
}

/** Settings of the model calls that write personas. */
export interface PersonaSettings {
  readonly model: Model;
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/**
 * Lets a model write the persona of a caller.
 *
 * @returns `undefined` when no answer of the model states all facts.
 * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
async function writePersonaWith(
  { model, requests, signal }: PersonaSettings,
  graph: AgentGraph,
  facts: CallerFacts,
): Promise<string | undefined> {
  const options = { ...requests, ...(signal ? { signal } : {}) };
  try {
    const { persona } = await callModel(model, personaSignature, inputOf(graph, facts), options);
    return persona.trim();
  } catch (error) {
    if (isCallweaveError(error) && error.code === "model-output") return undefined;
    throw error;
  }
}

function inputOf({ source_metadata: { general_prompt: general } }: AgentGraph, facts: CallerFacts): PersonaInput {
  const { agent, given, moments } = facts;
  const told = moments.flatMap((moment) => moment.facts);
  const all = [...given, ...told].map(({ name, meaning, value }) => ({ name, meaning, value }));
  const unique = new Map(all.map((fact) => [JSON.stringify([fact.name, fact.value]), fact]));
  return {
    agent: [agent, general?.trim()].filter(Boolean).join(": "),
    moments: moments.map(({ agentIsTold, conditions, others }) => ({
      agent_is_told: agentIsTold,
      comes_true: [...conditions, ...others.map((other) => `not: ${other}`)].join("; ") || "the caller answers",
    })),
    facts: [...unique.values()],
  };
}

/** Endings that a scenario expects: the agent's, and those that fail a scenario unless it expects them. */
const EXPECTED: readonly (EndReason | undefined)[] = ["agent_ended", "agent_transferred", "dead_air", "hop_limit"];

/** A scenario that took its path, or the reason why none did. */
export type PathAttempt =
  | { readonly isShown: true; readonly played: PlayedPath; readonly path: CallPath }
  | { readonly isShown: false; readonly reason: string };

/** Options of {@link showPath}. */
export interface ShowOptions {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Plays a path, with realistic values where they lead the same way, and runs the scenario like `run()`,
 * with the scripted model of the path.
 */
async function showPath(graph: AgentGraph, found: CallPath, options: ShowOptions): Promise<PathAttempt> {
  const withValues = withSamples(graph, found);
  const shown = await show(graph, withValues, options);
  return shown.isShown || withValues === found ? shown : await show(graph, found, options);
}

async function show(graph: AgentGraph, path: CallPath, { name, signal }: ShowOptions): Promise<PathAttempt> {
  let played = playPath(graph, path, { name });
  let result = await runScenario(graph, played, signal);
  const { endReason: end } = result;
  if (end !== null && end !== played.scenario.ends && EXPECTED.includes(end)) {
    played = playPath(graph, path, { name, ends: end });
    result = await runScenario(graph, played, signal);
  }
  const { status, nodesVisited: visited, checks, errorMessage: error } = result;
  const isTaken = visitedNodes(path).every((id, index) => visited[index] === id);
  if (status === "pass" && isTaken) return { isShown: true, played, path };
  const failed = checks.find(({ passed }) => !passed)?.reason;
  return { isShown: false, reason: error ?? failed ?? `the call visited ${visited.join(" -> ")}` };
}

async function runScenario(
  graph: AgentGraph,
  { scenario, answers }: PlayedPath,
  signal: AbortSignal | undefined,
): Promise<ResultRecord> {
  const options = { store: false, limits: { concurrency: 1 }, ...(signal ? { signal } : {}) } as const;
  const { results } = await run(graph, [scenario], { ...options, models: { agent: scripted(answers) } });
  const [result] = results;
  if (!result) throw new TypeError("unreachable: a run has a result for each scenario");
  return result;
}

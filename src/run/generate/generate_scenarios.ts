import {
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
  pathFinder,
} from "../../agent/analysis/mod.ts";
import { ModelError, ScenarioError } from "../../base/errors.ts";
import { checkOptions, didYouMean, OPTION, rule } from "../../base/values/mod.ts";
import { callableGraph } from "../../call/engine/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { type Scenario, toScenarios } from "../../document/scenario/mod.ts";
import { type Candidate, selectPaths } from "./select_paths.ts";
import { showPath } from "./show_path.ts";
import type { GeneratedScenarios, GenerateOptions, UnshownTransition } from "./types.ts";
import { type DraftScenario, withPersonas } from "./with_personas.ts";

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

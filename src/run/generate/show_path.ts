import { type CallPath, type PlayedPath, playPath, visitedNodes, withSamples } from "../../agent/analysis/mod.ts";
import { scripted } from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import { run } from "../runner/mod.ts";
import type { ResultRecord } from "../store/mod.ts";

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
export async function showPath(graph: AgentGraph, found: CallPath, options: ShowOptions): Promise<PathAttempt> {
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

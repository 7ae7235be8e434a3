import { wordsWithHint } from "../../../base/values/mod.ts";
import { definitionOf, toolImplementations } from "../../../document/graph/mod.ts";
import { CHECKS, type Scenario } from "../../../document/scenario/mod.ts";
import type { NewResult, ResultRecord } from "../../store/mod.ts";
import type { RunSetup } from "../call/mod.ts";
import type { CallFeed, QueuedRun, TrialAttempt } from "../options/mod.ts";
import type { TrialPlan } from "../plan/mod.ts";
import { cancelledResult } from "../trial/mod.ts";
import { checkSecrets } from "./queue_settings.ts";

/** Runs a call in a worker. Returns its stored result; `undefined` if its scenario's gate was decided before. */
export async function runQueuedCall(
  { resolved: { scenario } }: TrialPlan,
  slot: TrialAttempt,
  { feed, setup, find }: QueuedRunContext,
): Promise<NewResult | undefined> {
  const { graph, now, signal, options } = setup;
  if (signal.aborted) return cancelledResult(slot, now());
  const onStart = () => options.listeners?.onProgress?.({ kind: "call-start", ...slot });
  try {
    const end = await feed.runCall({ slot, scenario, needs: codeNeeds(graph, scenario) }, onStart);
    if (end.kind === "dropped") return undefined;
    if (end.kind === "cancelled") return cancelledResult(slot, now());
    const stored = await find(end.resultId);
    return stored ?? failed(slot, now(), "The worker stored the result in another database");
  } catch (error) {
    if (signal.aborted) return cancelledResult(slot, now());
    return failed(slot, now(), wordsWithHint(error));
  }
}

/** Dependencies of a queued call. */
export interface QueuedRunContext {
  readonly feed: CallFeed;
  readonly setup: RunSetup;
  readonly find: (resultId: string) => Promise<ResultRecord | undefined>;
}

/**
 * Checks that the scenarios can be sent to workers.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkSendable(plans: readonly TrialPlan[]): void {
  for (const { resolved } of plans) checkSecrets(resolved.scenario, ["scenarios", resolved.scenario.name]);
}

/** Returns the names and types of the variables that a flow declares in code; `undefined` for other graphs. */
export function variableTypes(graph: RunSetup["graph"]): QueuedRun["variables"] {
  return definitionOf(graph)?.variables.map(({ name, type }) => ({ name, type, description: "" }));
}

/** Lists the code that a call needs: its own checks, and tools that neither a mock nor a URL answers. */
function codeNeeds(graph: RunSetup["graph"], scenario: Scenario): readonly string[] {
  const mocked = new Set(scenario.tool_mocks.map(({ tool_name }) => tool_name));
  const tools = Object.keys(toolImplementations(graph)).filter((name) => !mocked.has(name));
  return [...tools.map((name) => `tool "${name}"`), ...(scenario[CHECKS] ?? []).map(({ name }) => `check "${name}"`)];
}

function failed(slot: TrialAttempt, now: Date, errorMessage: string): NewResult {
  return { ...cancelledResult(slot, now), status: "error", errorMessage };
}

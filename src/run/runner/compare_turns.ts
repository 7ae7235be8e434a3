import { ScenarioError } from "../../base/errors.ts";
import { quotedList, shown } from "../../base/values/mod.ts";
import { createReplayCaller } from "../../call/callers/mod.ts";
import { SHARED_OPTIONS, type TurnMode } from "../../call/engine/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import { TURN_MODES } from "../../document/settings/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { RunOptions, TrialAttempt } from "./options.ts";
import { checkRunOptions } from "./plan/mod.ts";
import type { RunReport } from "./report.ts";
import { run } from "./run.ts";

/** A turn in which the two turn modes gave different results. */
export interface TurnDisagreement {
  readonly scenario: string;
  /** Turn number; 0 is the opening, 1 the reply to the caller's first message. */
  readonly turn: number;
  readonly caller: string;
  readonly before: TurnOutcome;
  readonly after: TurnOutcome;
}

/** Result of one turn. */
export interface TurnOutcome {
  /** Nodes entered during the turn. */
  readonly entered: readonly string[];
  readonly spoken: readonly string[];
}

/** Differences between two turn modes on the same scenarios. */
export interface TurnComparison {
  readonly modes: readonly [TurnMode, TurnMode];
  readonly turns: number;
  /** Turns after which the two calls were at different nodes. */
  readonly routedDifferently: readonly TurnDisagreement[];
  /** Turns in which both calls were at the same node but the agent said different things. */
  readonly saidDifferently: readonly TurnDisagreement[];
  /** Number of model calls, and milliseconds spent waiting for models, per mode. */
  readonly calls: readonly [number, number];
  readonly modelMs: readonly [number, number];
  /** Calls that did not finish, because a model failed or they were cancelled. Their turns cannot be compared fully. */
  readonly broken: readonly { readonly scenario: string; readonly mode: TurnMode; readonly reason: string }[];
}

/**
 * Runs the scenarios in two turn modes and reports where they differ. The second run repeats the caller's messages of
 * the first, so that only the agent can differ. Results are not stored.
 *
 * @param modes Default: `["split", "fused"]`.
 * @throws {ScenarioError} `invalid-option`, and every error of `run()`.
 */
export async function compareTurns(
  graph: AgentGraph,
  scenarios: readonly ScenarioSource[],
  options: Omit<RunOptions, "store" | "turn" | "createCaller"> = {},
  modes: readonly [TurnMode, TurnMode] = ["split", "fused"],
): Promise<TurnComparison> {
  checkRunOptions(options, "Cannot compare turns");
  checkModes(modes);
  const shared: RunOptions = { ...options, store: false, repeat: { ...options.repeat, sequential: false } };
  const before = await run(graph, scenarios, { ...shared, turn: modes[0] });
  const heard = new Map(before.results.map((result) => [keyOf(result), result]));
  const after = await run(graph, scenarios, {
    ...shared,
    turn: modes[1],
    createCaller: (_scenario, slot) => createReplayCaller(heard.get(keyOf(slot)) ?? { transcript: [] }),
  });
  const pairs = before.results.flatMap((result, index) => {
    const other = turnsOf(after.results[index]?.transcript ?? []);
    return turnsOf(result.transcript).map((turn, number) => ({
      scenario: result.scenario,
      turn: number,
      caller: turn.caller,
      before: turn.outcome,
      after: other[number]?.outcome ?? { entered: [], spoken: [] },
    }));
  });
  const differ = (one: readonly string[], two: readonly string[]) => one.join("\n") !== two.join("\n");
  const routedDifferently = pairs.filter((pair) => differ(pair.before.entered, pair.after.entered));
  return {
    modes,
    turns: pairs.length,
    routedDifferently,
    saidDifferently: pairs.filter(
      (pair) => !routedDifferently.includes(pair) && differ(pair.before.spoken, pair.after.spoken),
    ),
    calls: [before.usage.calls, after.usage.calls],
    modelMs: [before.usage.modelMs, after.usage.modelMs],
    broken: [...brokenIn(modes[0], before), ...brokenIn(modes[1], after)],
  };
}

function keyOf({ scenario, trial }: Pick<TrialAttempt, "scenario" | "trial">): string {
  return JSON.stringify([scenario, trial]);
}

function brokenIn(mode: TurnMode, { results }: RunReport): TurnComparison["broken"] {
  return results
    .filter(({ status }) => status === "error" || status === "cancelled")
    .map(({ scenario, errorMessage: reason }) => ({ scenario, mode, reason: reason ?? "it was cancelled" }));
}

function turnsOf(transcript: readonly Message[]): readonly { caller: string; outcome: TurnOutcome }[] {
  const turns: { caller: string; outcome: { entered: string[]; spoken: string[] } }[] = [
    { caller: "", outcome: { entered: [], spoken: [] } },
  ];
  for (const { role, content, metadata } of transcript) {
    if (role === "user") turns.push({ caller: content, outcome: { entered: [], spoken: [] } });
    const outcome = turns.at(-1)?.outcome;
    if (role === "assistant") outcome?.spoken.push(content);
    if (role === "tool" && metadata.kind === "transition") outcome?.entered.push(String(metadata.to));
  }
  return turns;
}

function checkModes(modes: unknown): void {
  if (Array.isArray(modes) && modes.length === 2 && modes.every(SHARED_OPTIONS.turn.accepts)) return;
  throw new ScenarioError(
    `Cannot compare turns: the modes are ${Array.isArray(modes) ? modes.map(shown) : shown(modes)}`,
    {
      code: "invalid-option",
      path: ["modes"],
      hint: `Pass two of ${quotedList(TURN_MODES)}`,
    },
  );
}

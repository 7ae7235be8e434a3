import { isCallweaveError, ScenarioError } from "../../../base/errors.ts";
import { DEFAULT_GATE } from "../../../base/statistics/mod.ts";
import { checkOptions, groupOf, isRecord, OPTION, rule } from "../../../base/values/mod.ts";
import { offline, resolveModel } from "../../../call/models/mod.ts";
import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
import { type Scenario, toScenario } from "../../../document/scenario/mod.ts";
import { addTotals } from "../../runner/mod.ts";
import { plannedIn, summarise } from "../../summary/mod.ts";
import { checkResult, diagnose } from "../diagnose.ts";
import { applyChanges } from "../proposed_change.ts";
import type { Diagnosis, FailedResult } from "../types.ts";
import { checkPrices, type Limiter, startLimits } from "./limits.ts";
import { type Bench, countedTrials, createBench, reusableScenarios } from "./trials.ts";
import type { MeasuredTrials, Repair, RepairOptions, RepairOutcome, RepairTry } from "./types.ts";
import { isImproved, type PassingScenario, share, verifyChange } from "./verify_change.ts";

/** Default of `repeats`. */
export const DEFAULT_REPEATS = 8;
/** Default of `maxIterations`. */
export const DEFAULT_ITERATIONS = 3;

const RULES = {
  scenarios: OPTION.list,
  run: rule("a run from a store: { run, results, graph }", (value) => isRecord(value) && isRecord(value.run)),
  model: rule("a model, or its name as provider/model", (value) => typeof value === "string" || isRecord(value)),
  repeats: rule("a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
  maxIterations: rule("a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
  limits: groupOf({ costUsd: OPTION.fromZero, wallMs: OPTION.milliseconds }),
  runOptions: OPTION.object,
  onProgress: OPTION.function,
  signal: OPTION.signal,
  clock: OPTION.object,
};

/**
 * Diagnoses a failed call, applies the proposed change to a copy of the graph, and measures whether it helps.
 *
 * The failing scenario runs `repeats` times with and without the change. If it improves beyond noise, by Fisher's
 * exact test, every passing scenario whose calls visited the change runs as often. The change is accepted only
 * if none of them got worse. Otherwise the model gets the reason, and proposes another change, up to
 * `maxIterations`. The given graph is not modified. Each measurement is a separate run, stored like any other.
 *
 * @throws {ScenarioError} `unknown-scenario` when the failing scenario, or one that passed in the run, is not among the
 *   scenarios; `nothing-to-diagnose`, `invalid-option`, and what `run()` throws.
 * @throws {ModelError} `missing-price` when the cost is limited; `model-output`, `model-failed` for the first diagnosis.
 * @throws {GraphError} `not-a-graph`.
 * @example
 * ```ts
 * import { flow, offline, run, scenario } from "callweave";
 * import { repair } from "callweave/calls";
 *
 * const shop = flow("shop")
 *   .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("refund", "Caller complains")] })
 *   .end("refund", { prompt: "Refund the order." })
 *   .compile();
 * const scenarios = [scenario("money back", shop).says("My money back!").visits("refund")];
 * const models = { agent: offline() };
 * const { results } = await run(shop, scenarios, { models, store: false });
 * const failed = results.find(({ status }) => status === "fail");
 * if (failed) {
 *   const { outcome, reason } = await repair(failed, shop, { scenarios, runOptions: { models, store: false } });
 *   console.log(outcome, reason);
 * }
 * ```
 */
export async function repair(result: FailedResult, graph: AgentGraph, options: RepairOptions): Promise<Repair> {
  checkOptions({ options: options ?? null }, { options: OPTION.object }, ScenarioError, ACTION);
  checkOptions(options, RULES, ScenarioError, ACTION);
  const known = toGraph(graph, ACTION);
  checkResult(result, ACTION);
  const { repeats = DEFAULT_REPEATS, runOptions = {}, limits = {}, onProgress = () => {} } = options;
  const scenarios = (options.scenarios ?? []).map(toScenario);
  const failing = scenarioOf(result.scenario, scenarios);
  const passed = passedIn(options).filter(({ name }) => name !== failing.name);
  for (const { name } of passed) scenarioOf(name, scenarios);
  const models = { ...runOptions.models, agent: runOptions.models?.agent ?? offline() };
  const reference = options.model ?? models.judge ?? models.agent;
  const all = [models.agent, models.caller ?? models.agent, models.judge ?? models.agent, reference];
  checkPrices(await Promise.all(all.map(resolveModel)), limits, runOptions.requests?.prices);
  using limiter = startLimits(limits, options.signal ?? runOptions.signal, options.clock);
  const bench = createBench({ repeats, scenarios, runOptions }, limiter, onProgress);
  const session: Session = {
    result,
    graph: known,
    failing,
    scenarios,
    options,
    model: reference,
    repeats,
    limiter,
    bench,
  };
  return await improve(session);
}

async function improve(session: Session): Promise<Repair> {
  const { graph, failing, options, repeats, limiter, bench } = session;
  const { maxIterations = DEFAULT_ITERATIONS, onProgress = () => {} } = options;
  const tries: RepairTry[] = [];
  const diagnoses: Diagnosis[] = [];
  let measured: Measured | undefined;
  const end = (outcome: RepairOutcome, reason: string, more: Partial<Repair> = {}): Repair => ({
    outcome,
    reason,
    scenario: failing.name,
    diagnosis: diagnoses[0] ?? null,
    before: measured?.before ?? null,
    tries,
    graph: null,
    runIds: [...bench.runIds],
    usage: addTotals([...diagnoses.map(({ usage }) => usage), ...bench.usages]),
    ...more,
  });
  const stopped = (why = limiter.reason()) => end("stopped", `the repair was stopped: ${why ?? "it was aborted"}`);
  for (let attempt = 1; attempt <= maxIterations; attempt += 1) {
    onProgress({ kind: "diagnosis", attempt });
    const diagnosis = await diagnosed(session, tries, attempt);
    if (typeof diagnosis === "string") {
      if (limiter.reason() !== undefined) return stopped();
      return end("refused", `${attempt - 1} changes were refused, and the model gave no other: ${diagnosis}`);
    }
    diagnoses.push(diagnosis);
    limiter.spend(diagnosis.usage);
    onProgress({ kind: "proposal", attempt, diagnosis });
    if (diagnosis.changes.length === 0) {
      const outcome = attempt === 1 ? "not_repairable" : "refused";
      return end(outcome, `no change is proposed: ${diagnosis.reasoning || diagnosis.explanation}`);
    }
    if (limiter.reason() !== undefined) return stopped();
    if (!canBeShown(session, maxIterations)) return end("unmeasurable", tooFew(session));
    measured ??= await measureBefore(session);
    if (limiter.reason() !== undefined) return stopped();
    const { before } = measured;
    if (before.trials < repeats)
      return stopped(`only ${before.trials} of ${repeats} calls of the unchanged graph came to a verdict`);
    if (!isImproved(before, { passes: repeats, trials: repeats }, maxIterations))
      return end("unmeasurable", tooFew(session, before));
    const changed = applyChanges(graph, diagnosis.changes);
    const verified = await verifyChange(changed, { ...session, ...measured, maxIterations });
    if (limiter.reason() !== undefined) return stopped();
    const { accepted, reason, failing: compared, affected } = verified;
    const tried = { diagnosis, accepted: accepted === true, reason, failing: compared, affected };
    tries.push(tried);
    onProgress({ kind: "try-end", attempt, tried });
    if (accepted === undefined) return stopped(reason);
    if (accepted) return end("repaired", reason, { diagnosis, graph: changed });
  }
  return end(
    "refused",
    `${tries.length === 1 ? "the change was" : `all ${tries.length} changes were`} refused: ${tries.at(-1)?.reason}`,
  );
}

/** Whether the best possible result could show that a change helps. */
function canBeShown({ failing, options: { run: stored }, repeats }: Session, maxIterations: number): boolean {
  const known = stored ? countedTrials(failing.name, { id: stored.run.id, results: stored.results }).trials : 0;
  const never = { passes: 0, trials: Math.max(known, repeats) };
  return isImproved(never, { passes: repeats, trials: repeats }, maxIterations);
}

/** Why no change could be shown to help. */
function tooFew({ failing, repeats }: Session, before?: MeasuredTrials): string {
  const best = share({ passes: repeats, trials: repeats });
  const known = before ? `"${failing.name}" passed ${share(before)} on the unchanged graph: ` : "";
  return `${known}even ${best} with a change could be noise; more repeats or fewer tries are needed`;
}

/** Diagnoses the call again, with the rejected changes. From the second attempt on, an error is returned as its message. */
async function diagnosed(
  { result, graph, failing, options, model, limiter }: Session,
  tries: readonly RepairTry[],
  attempt: number,
): Promise<Diagnosis | string> {
  const { requests } = options.runOptions ?? {};
  try {
    return await diagnose(result, graph, {
      model,
      scenario: failing,
      refused: tries.map(({ diagnosis, reason }) => ({ changes: diagnosis.changes, reason })),
      signal: limiter.signal,
      ...(requests ? { requests } : {}),
    });
  } catch (error) {
    const isOver = limiter.reason() !== undefined;
    if (!isCallweaveError(error) || (attempt === 1 && !isOver)) throw error;
    return error.message;
  }
}

/** Start of error messages. */
const ACTION = "Cannot repair an agent";

/** Values that the steps of a repair share. */
export interface Session {
  readonly result: FailedResult;
  readonly graph: AgentGraph;
  readonly failing: Scenario;
  readonly scenarios: readonly Scenario[];
  readonly options: RepairOptions;
  readonly model: NonNullable<RepairOptions["model"]>;
  readonly repeats: number;
  readonly limiter: Limiter;
  readonly bench: Bench;
}

/** Measurements of the unchanged graph. */
export interface Measured {
  readonly before: MeasuredTrials;
  readonly passing: readonly PassingScenario[];
}

/** Uses the trials of the stored run if there are enough of them, else runs the failing scenario. */
async function measureBefore({ graph, failing, scenarios, options, repeats, bench }: Session): Promise<Measured> {
  const { run: stored, runOptions = {} } = options;
  if (!stored) {
    const report = await bench.run(graph, scenarios, "before");
    const passing = report.scenarios.flatMap(({ scenario: name, verdict }): PassingScenario[] => {
      if (verdict !== "pass" || name === failing.name) return [];
      const results = report.results.filter(({ scenario }) => scenario === name);
      const before = countedTrials(name, report);
      return [{ scenario: scenarioOf(name, scenarios), gate: DEFAULT_GATE, results, before }];
    });
    return { before: countedTrials(failing.name, report), passing };
  }
  const known = { id: stored.run.id, results: stored.results };
  const reusable = await reusableScenarios(graph, scenarios, stored, runOptions);
  const enough = (name: string) => {
    const trials = countedTrials(name, known);
    return reusable.has(name) && trials.trials >= repeats ? trials : undefined;
  };
  const passing = passedIn(options)
    .filter(({ name }) => name !== failing.name)
    .map(({ name, gate }): PassingScenario => {
      const results = stored.results.filter(({ scenario }) => scenario === name);
      return { scenario: scenarioOf(name, scenarios), gate, results, before: enough(name) };
    });
  const before = enough(failing.name) ?? countedTrials(failing.name, await bench.run(graph, [failing], "before"));
  return { before, passing };
}

/** The scenarios of the run whose gate passed. */
function passedIn({ run: stored }: RepairOptions) {
  if (!stored) return [];
  const summaries = summarise(plannedIn(stored.run, stored.results), stored.results);
  return summaries.flatMap(({ scenario: name, verdict, gate }) => (verdict === "pass" ? [{ name, gate }] : []));
}

/** @throws {ScenarioError} `unknown-scenario`. */
function scenarioOf(name: string, scenarios: readonly Scenario[]): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  const known = scenarios.map((scenario) => `"${scenario.name}"`).join(", ") || "none";
  throw new ScenarioError(`${ACTION}: the scenario "${name}" of the run is not among the scenarios (${known})`, {
    code: "unknown-scenario",
    path: ["scenarios"],
    hint: "Pass all scenarios of the run, or run the existing ones again",
  });
}

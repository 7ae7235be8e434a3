import * as v from "valibot";
import { isCallweaveError } from "../../../base/errors.ts";
import { defined } from "../../../base/values/mod.ts";
import type { ScenarioComparison } from "../../../run/compare/mod.ts";
import type { RunRecord, Store } from "../../../run/store/mod.ts";
import { runOptionsFrom } from "../../project/mod.ts";
import { itemsFrom } from "../answer.ts";
import { readCursor } from "../cursor.ts";
import { ID, PAGE, type Tool, toolOf, USE_MODEL } from "../tool.ts";
import { callWith, openRuns, summaryOf } from "./runs.ts";
import { settingsOf } from "./scenarios.ts";

const compareRuns = toolOf({
  name: "compare_runs",
  title: "Compare two runs",
  description:
    "Compares two stored runs: which scenarios got better or worse, whether that is more than noise, and a call of each run where one changed. Differences that are not more than noise say nothing.",
  input: v.strictObject({
    base: ID("The earlier run: id, its first characters, or a baseline's name"),
    head: ID("The later run"),
    ...PAGE,
  }),
  run: async (input, context) => {
    const { signal } = context;
    const start = readCursor("compare_runs", input);
    await using store = await openRuns(context);
    const [base, head] = await Promise.all([input.base, input.head].map((id) => store.findRun(id, { signal })));
    if (!base || !head) return { facts: {} };
    const [{ compareRuns: compare }, before, after] = await Promise.all([
      import("../../../run/compare/mod.ts"),
      store.countResults(base.id, { signal }),
      store.countResults(head.id, { signal }),
    ]);
    const { scenarios, ...comparison } = compare({ run: base, scenarios: before }, { run: head, scenarios: after });
    const changed = (each: ScenarioComparison) => each.change !== "none";
    const ordered = scenarios.toSorted((one, other) => Number(changed(other)) - Number(changed(one)));
    const rows = await Promise.all(
      ordered.map(async (each) =>
        changed(each) ? { ...each, calls: await pairOf(store, { each, base, head, signal }) } : each,
      ),
    );
    return {
      facts: start === undefined ? { ...comparison, runs: [summaryOf(base), summaryOf(head)] } : {},
      list: { key: "scenarios", items: itemsFrom(rows, start), limit: input.limit },
    };
  },
});

const diagnoseCall = toolOf({
  name: "diagnose_call",
  title: "Diagnose a failed call",
  description:
    "Finds the words of the agent at fault in a failed call, with the evidence in the transcript, and the smallest change that may repair it. Offline by fixed rules, unless use_model is true. The change is a proposal: measure it with run_scenarios after a person has accepted it.",
  hasCalls: true,
  input: v.strictObject({ call: ID("Id of a call that failed"), use_model: USE_MODEL }),
  run: async (input, context) => {
    const { signal, env } = context;
    const settings = settingsOf(input.use_model === true, context);
    await using store = await openRuns(context);
    const result = await callWith(store, input.call, signal);
    const graph = await store.showGraph(result.runId, { signal });
    const { diagnose } = await import("../../../run/diagnosis/mod.ts");
    const { max_cost: _, ...ofModels } = settings;
    const { models, requests } = await runOptionsFrom(ofModels, { env, signal, agent: { name: result.scenario } });
    const model = models?.judge ?? models?.agent;
    const diagnosis = await diagnose(result, graph, { signal, ...defined({ model, requests }) }).catch((error) => {
      if (input.use_model && isCallweaveError(error) && error.code === "model-output") context.onCost(null);
      throw error;
    });
    if (input.use_model) context.onCost(diagnosis.usage.costUsd ?? null);
    return { facts: { call: result.id, run: result.runId, status: result.status, ...diagnosis } };
  },
});

/** Tools that explain results. */
export const RESULT_TOOLS: readonly Tool[] = [compareRuns, diagnoseCall];

/** A call of each run that shows how a scenario changed. */
async function pairOf(
  store: Store,
  {
    each,
    base,
    head,
    signal,
  }: {
    readonly each: ScenarioComparison;
    readonly base: RunRecord;
    readonly head: RunRecord;
    readonly signal: AbortSignal;
  },
) {
  const { pairOfCalls } = await import("../../../run/compare/mod.ts");
  const { scenario, change } = each;
  const [before = [], after = []] = await Promise.all(
    [base, head].map(({ id: runId }) => store.listResults({ runId, scenario, limit: 1_000, signal })),
  );
  const pair = pairOfCalls(before.toReversed(), after.toReversed(), change);
  return pair && { base: pair.base.id, head: pair.head.id };
}

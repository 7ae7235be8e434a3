import * as v from "valibot";
import { ScenarioError, UsageError } from "../../../base/errors.ts";
import { defined, quotedList } from "../../../base/values/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { RunSettings } from "../../../document/settings/mod.ts";
import type { ResultRecord } from "../../../run/store/mod.ts";
import { codeVersion, runOptionsFrom } from "../../project/mod.ts";
import { itemsFrom } from "../answer.ts";
import { readCursor } from "../cursor.ts";
import type { ToolContext } from "../settings.ts";
import { names, PAGE, type Tool, text, toolOf, USE_MODEL } from "../tool.ts";
import { loadAgent, policiesOf, scenariosOf, sourceOf } from "./load.ts";

const MOST_REPEATS = 100;
/** Calls of a scenario in the answer. */
const MOST_SHOWN = 10;
const AGENT = v.optional(text("Id of the agent, of list_agents; needed if the project has several"));

const listScenarios = toolOf({
  name: "list_scenarios",
  title: "List the scenarios",
  description: "Lists the scenarios of the project as documents: what the caller wants or says, and what must hold.",
  runsIn: "process",
  input: v.strictObject({ agent: AGENT, ...PAGE }),
  run: async (input, context) => {
    const agent = await loadAgent(context, input.agent);
    const scenarios = await scenariosOf(agent, context);
    const version = String(scenarios.length);
    const start = readCursor("list_scenarios", input, version);
    const { scenarioFiles } = context.settings;
    return {
      facts: { files: scenarioFiles.length > 0 ? scenarioFiles : [sourceOf(context)], count: scenarios.length },
      list: { key: "scenarios", items: itemsFrom(scenarios, start, version), limit: input.limit },
    };
  },
});

const runScenarios = toolOf({
  name: "run_scenarios",
  title: "Run scenarios",
  description:
    "Runs simulated calls against the agent as its source is now, judges them and stores them as a run. Offline by default: that shows that the flow runs, not how well it talks. Returns the verdict of each scenario and the ids of its calls.",
  runsIn: "process",
  isReadOnly: false,
  input: v.strictObject({
    agent: AGENT,
    scenarios: v.optional(names("Only scenarios with these names")),
    tags: v.optional(names("Only scenarios with one of these tags")),
    repeat: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(MOST_REPEATS),
        v.description("Calls per scenario, unless it says its own number. Default: 1"),
      ),
    ),
    use_model: USE_MODEL,
  }),
  run: async (input, context) => {
    const agent = await loadAgent(context, input.agent);
    const all = await scenariosOf(agent, context);
    const selected = all.filter(
      ({ name, tags }) =>
        (input.scenarios === undefined || input.scenarios.includes(name)) &&
        (input.tags === undefined || tags?.some((tag) => input.tags?.includes(tag))),
    );
    checkSelection(all, selected, input.scenarios ?? []);
    const calls = selected.reduce((sum, { repeat }) => sum + (repeat ?? input.repeat ?? 1), 0);
    checkCalls(calls, context);
    const settings = settingsOf(input.use_model === true, context);
    const isPaid = settings.model !== "offline";
    const { graph } = agent;
    const options = await runOptionsFrom(
      { ...settings, ...defined({ repeat: input.repeat }) },
      { env: context.env, signal: context.signal, agent: { name: agent.name, model: graph.default_model ?? null } },
    );
    const { run } = await import("../../../run/runner/mod.ts");
    const version = await codeVersion([sourceOf(context), ...context.settings.scenarioFiles]);
    let ended = 0;
    const report = await run(graph, selected, {
      ...options,
      name: agent.name,
      share: { ...options.share, selectedFrom: all, ...defined({ codeVersion: version }) },
      judging: { ...options.judging, policies: await policiesOf(agent, context) },
      listeners: {
        onProgress: (event) => {
          // what a run costs that is stopped from outside is not known
          if (event.kind === "run-start" && isPaid) context.onCost(null);
          if (event.kind !== "call-end") return;
          ended++;
          context.onProgress(
            ended,
            calls,
            `${ended} of ${calls} calls: ${event.result.scenario}: ${event.result.status}`,
          );
        },
      },
    });
    if (isPaid) context.onCost(report.usage.costUsd ?? null);
    const isPass = (verdict: string) => verdict === "pass";
    const rows = report.scenarios
      .toSorted((one, other) => Number(isPass(one.verdict)) - Number(isPass(other.verdict)))
      .map(({ passHat: _, ...scenario }) => ({ ...scenario, calls: callsOf(report.results, scenario.scenario) }));
    return {
      facts: {
        run: report.id,
        passed: report.passed,
        counts: report.counts,
        models: report.models,
        ...(report.offline ? { note: "offline model: this shows that the flow runs, not how well it talks" } : {}),
        ...defined({ stopped: report.stopped, cost_usd: report.usage.costUsd }),
        ...(report.storeError === null ? {} : { store_error: report.storeError }),
        ...(context.signal.aborted ? { cancelled: true } : {}),
        scenarios: rows,
      },
    };
  },
});

/** Tools for scenarios. */
export const SCENARIO_TOOLS: readonly Tool[] = [listScenarios, runScenarios];

/** The settings of a run or a diagnosis: which models it uses, and what it may cost. */
export function settingsOf(usesModel: boolean, { settings, costUsd }: ToolContext): RunSettings {
  const db = defined({ db: settings.db });
  if (!usesModel) return { ...db, model: "offline" };
  const { models, prices } = settings;
  if (!models)
    throw new UsageError("Cannot use a model: the person who started the server allowed none", {
      code: "not-allowed",
      path: ["use_model"],
      hint: "Leave out use_model, or ask the person to start it with callweave mcp --model MODEL",
    });
  const { model, callerModel, judgeModel } = models;
  return {
    ...db,
    model,
    ...defined({ caller_model: callerModel, judge_model: judgeModel, prices }),
    max_cost: costUsd,
  };
}

/** Some calls of a scenario, those first that did not pass; read_run has all. */
function callsOf(results: readonly ResultRecord[], scenario: string) {
  const calls = results.filter((result) => result.scenario === scenario);
  return calls
    .toSorted((one, other) => Number(one.status === "pass") - Number(other.status === "pass"))
    .slice(0, MOST_SHOWN)
    .map(({ id, status, trial, errorMessage }) => ({
      call: id,
      status,
      trial,
      ...defined({ error: errorMessage ?? undefined }),
    }));
}

function checkSelection(all: readonly Scenario[], selected: readonly Scenario[], wanted: readonly string[]): void {
  const unknown = wanted.find((name) => !all.some((each) => each.name === name));
  if (unknown === undefined && selected.length > 0) return;
  const names = all.map(({ name }) => name);
  throw new ScenarioError(
    unknown === undefined
      ? "Cannot run scenarios: none is selected"
      : `Cannot run "${unknown}": there is no such scenario`,
    {
      code: "unknown-scenario",
      path: ["scenarios"],
      hint: names.length === 0 ? "Write a scenario first" : `Name some of ${quotedList(names, 20)}`,
    },
  );
}

function checkCalls(calls: number, { settings: { limits } }: ToolContext): void {
  if (calls <= limits.calls) return;
  throw new UsageError(`Cannot run ${calls} calls: the limit of a run is ${limits.calls}`, {
    code: "limit-reached",
    path: ["scenarios"],
    hint: "Select fewer scenarios, repeat them less often, or ask the person to raise callweave mcp --max-calls",
  });
}

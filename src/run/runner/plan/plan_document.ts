import { canonicalJson, type JsonObject } from "../../../base/values/mod.ts";
import { type ModelReference, modelName } from "../../../call/models/mod.ts";
import { type AgentGraph, toolImplementations } from "../../../document/graph/mod.ts";
import { CHECKS, type Scenario, shortHash } from "../../../document/scenario/mod.ts";
import type { ResolvedScenario } from "../call/mod.ts";
import type { RunOptions } from "../options/mod.ts";
import { describeSettings } from "./describe_options.ts";
import type { PreparedRun } from "./prepare_run.ts";

const DEFAULT_TURN = "split";

/**
 * Describes a run, to compare it with the run that is resumed or shared. It covers everything
 * that changes what a result means, but nothing that only changes the speed. Values are hashed, because
 * variables can contain secrets.
 */
export function planDocument({
  graph,
  plans,
  models,
  setup,
}: Pick<PreparedRun, "graph" | "plans" | "models" | "setup">): JsonObject {
  const { options, policies } = setup;
  const { variables, systemVariables } = options;
  // defaults are filled in: an option that is set to its default changes nothing
  const {
    limits,
    turn = DEFAULT_TURN,
    budget,
    metrics,
    threshold,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
  } = describeSettings(options, plans);
  const settings = {
    limits,
    turn,
    budget,
    metrics,
    policies,
    variables,
    systemVariables,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
  };
  const code = codeHash({ graph, scenarios: plans.map(({ resolved }) => resolved.scenario), options });
  return {
    scenarios: plans.map(({ resolved }) => [resolved.scenario.name, shortHash(contentOf(resolved))]),
    repeats: shortHash(plans.map(({ planned }) => planned)),
    gates: shortHash(plans.map(({ gate }) => gate)),
    models: shortHash([models.agent, setup.caller, setup.judge].map(nameOf)),
    threshold: shortHash(threshold),
    ...(code === undefined ? {} : { code }),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => (isEmpty(value) ? [] : [[name, shortHash(value)]])),
    ),
  };
}

/** A function that decides what happens in calls, or whether they pass. */
export interface UsedFunction {
  /** Its role in words, such as "the tool look_up". */
  readonly what: string;
  readonly text: string;
}

/** Where the functions of a run are. */
export interface RunCode {
  readonly graph: AgentGraph;
  /** In the order of the run. */
  readonly scenarios: readonly Scenario[];
  readonly options: Pick<RunOptions, "tools" | "createCaller" | "share">;
}

/** A hash of the code version of a run, or else of the texts of its functions; `undefined` if it uses none. */
export function codeHash(code: RunCode): string | undefined {
  const functions = functionsOf(code);
  if (functions.length === 0) return undefined;
  return shortHash(code.options.share?.codeVersion ?? functions.map(({ text }) => text));
}

/** The functions of a run: checks of scenarios, tools that the agent's code implements, and a caller of one's own. */
export function functionsOf({ graph, scenarios, options }: RunCode): readonly UsedFunction[] {
  const checks = scenarios.flatMap((scenario) =>
    (scenario[CHECKS] ?? []).map(({ name, judge }) => ({
      what: `the check "${name}" of "${scenario.name}"`,
      text: String(judge),
    })),
  );
  const tools = Object.entries({ ...toolImplementations(graph), ...options.tools }).map(([name, execute]) => ({
    what: `the tool "${name}"`,
    text: String(execute),
  }));
  const { createCaller } = options;
  return [...checks, ...tools, ...(createCaller ? [{ what: "createCaller", text: String(createCaller) }] : [])];
}

/** A model is the same whether it is given by name or as an object. */
function nameOf(model: ModelReference): string {
  return modelName(model).replace(/^callweave\//, "");
}

function contentOf({ scenario, agent }: ResolvedScenario) {
  const { repeat: _, gate: __, ...content } = scenario; // compared separately
  return { scenario: content, agent: nameOf(agent) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || canonicalJson(value) === "{}" || canonicalJson(value) === "[]";
}

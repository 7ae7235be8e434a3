import { omit, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { briefScenario, completeScenario, type Scenario, type ToolMock } from "../../src/document/scenario/mod.ts";
import { ScenarioBuilder } from "../scenarios/mod.ts";
import { type EjectedFile, moduleText } from "./module_text.ts";
import { array, type Code, call, type MethodCall, name, stringCode, valueCode } from "./print_code.ts";

/** A builder call: the method and its arguments. */
type Step = readonly [method: string, ...args: readonly unknown[]];

/** The module that exports the flow of scenarios. */
export interface FlowModule {
  /** Name of the export. */
  readonly name: string;
  /** The specifier of its import: `./flow.ts`. */
  readonly from: string;
}

/**
 * Writes scenarios as a module beside `flow.ts`. Scenarios that the builder cannot express are written as documents.
 *
 * @param flow Name of the constant that `flow.ts` exports.
 */
export function scenarioFile(scenarios: readonly Scenario[], graph: AgentGraph, flow: string): EjectedFile {
  return { path: "scenarios.ts", text: scenarioModule(scenarios, graph, { name: flow, from: "./flow.ts" }) };
}

/**
 * Writes scenarios as a module. With the flow's module, it is a program that runs them, and the compiler checks their names.
 *
 * @param flow Absent for an agent without a module, such as JSON of a platform.
 */
export function scenarioModule(scenarios: readonly Scenario[], graph: AgentGraph, flow?: FlowModule): string {
  const list = array(scenarios.map((scenario) => scenarioCode(scenario, graph, flow?.name)));
  const origins = new Map([
    ["scenario", "callweave"],
    ["runAsProgram", "callweave"],
    ...(flow ? [[flow.name, flow.from] as const] : []),
  ]);
  const statements = [{ name: "scenarios", code: list, isExported: true }];
  if (!flow) return moduleText(statements, origins);
  const end = `await runAsProgram(import.meta, ${flow.name}, scenarios);`;
  return moduleText(statements, origins, { end, names: ["runAsProgram", flow.name] });
}

function scenarioCode(scenario: Scenario, graph: AgentGraph, flow: string | undefined): Code {
  const wanted = omit({ ...scenario }, ["type"]); // only a label: all expectations of a scenario apply, whatever its type
  const steps = stepsOf(scenario);
  let made = new ScenarioBuilder(completeScenario({ name: scenario.name }));
  for (const step of steps) made = taken(made, step);
  if (!sameJson(made.toJSON(), wanted)) return valueCode(omit(briefScenario(scenario), ["type"]));
  const typed = flow !== undefined && knowsNames(scenario, graph) ? [name(flow)] : [];
  const head = call("scenario", stringCode(scenario.name), ...typed);
  const calls = steps.map(([method, ...args]): MethodCall => ({ name: method, args: args.map(valueCode) }));
  return calls.length === 0 ? head : { kind: "chain", head, calls };
}

function stepsOf(scenario: Scenario): readonly Step[] {
  const some = (method: string, list: readonly unknown[]): readonly Step[] =>
    list.length > 0 ? [[method, ...list]] : [];
  const values = (method: string, record: object): readonly Step[] =>
    Object.keys(record).length > 0 ? [[method, record]] : [];
  return [
    ...(scenario.user_prompt === "" ? [] : [["persona", scenario.user_prompt] as const]),
    ...some("says", scenario.says),
    ...values("variables", scenario.dynamic_variables),
    ...scenario.tool_mocks.map((mock): Step => ["mock", mock.tool_name, answerOf(mock)]),
    ...scenario.metrics.map(({ criterion, threshold, panel }): Step => {
      const options = {
        ...(threshold == null ? {} : { threshold }),
        ...(panel ? { panel } : {}),
      };
      return Object.keys(options).length === 0 ? ["judge", criterion] : ["judge", criterion, options];
    }),
    ...some("includes", scenario.includes),
    ...some("excludes", scenario.excludes),
    ...some("matches", scenario.patterns),
    ...some("visits", scenario.visits),
    ...some("avoids", scenario.avoids),
    ...(scenario.ends ? [["ends", scenario.ends] as const] : []),
    ...values("extracts", scenario.extracts),
    ...scenario.calls.map(
      ({ tool, args }): Step => (Object.keys(args).length > 0 ? ["calls", tool, args] : ["calls", tool]),
    ),
    ...(scenario.answers_within_ms ? [["answersWithin", scenario.answers_within_ms] as const] : []),
    ...(scenario.max_turns ? [["turns", scenario.max_turns] as const] : []),
    ...some("tags", scenario.tags ?? []),
    ...some("offlinePath", scenario.offline_path ?? []),
  ];
}

function answerOf({ input_match_rule: rule, output, result, delay_ms: delayMs, times }: ToolMock): object {
  return {
    ...(rule.type === "partial_match" ? { args: rule.args } : {}),
    output,
    ...(result ? {} : { fails: true }),
    ...(delayMs === undefined || delayMs === null ? {} : { delayMs }),
    ...(times === undefined || times === null ? {} : { times }),
  };
}

/** Adds a builder call; a scenario that the builder rejects is written as a document. */
function taken(builder: ScenarioBuilder, [method, ...args]: Step): ScenarioBuilder {
  const step: unknown = Reflect.get(builder, method);
  if (typeof step !== "function") return builder;
  try {
    const made: unknown = step.apply(builder, args);
    return made instanceof ScenarioBuilder ? made : builder;
  } catch {
    return builder;
  }
}

/** Whether the compiler can check its names against the flow: it knows all of them, and no value would fail its types. */
function knowsNames(scenario: Scenario, { nodes }: AgentGraph): boolean {
  const tools = new Set(Object.values(nodes).flatMap((node) => node.tools.map((tool) => tool.name)));
  const isKnown = (id: string) => Object.hasOwn(nodes, id);
  return (
    [...scenario.visits, ...scenario.avoids].every(isKnown) &&
    scenario.tool_mocks.every(
      (mock) => (tools.has(mock.tool_name) || isKnown(mock.tool_name)) && mock.input_match_rule.type === "any",
    ) &&
    scenario.calls.every(({ tool, args }) => tools.has(tool) && Object.keys(args).length === 0) &&
    Object.keys({ ...scenario.dynamic_variables, ...scenario.extracts }).length === 0
  );
}

import { defined, omit, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import {
  briefScenario,
  type CallerStep,
  completeScenario,
  hasTraits,
  type ReplyRule,
  replyRules,
  type Scenario,
  type ToolMock,
} from "../../src/document/scenario/mod.ts";
import { ScenarioBuilder } from "../scenarios/mod.ts";
import { type EjectedFile, moduleText } from "./module_text.ts";
import { array, type Code, call, type MethodCall, name, stringCode, valueCode } from "./print_code.ts";

/** The code of check functions, by the names of the checks. */
export type CheckCode = ReadonlyMap<string, string>;

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
 * @param checks The functions of checks; a check without one is written by its name.
 */
export function scenarioModule(
  scenarios: readonly Scenario[],
  graph: AgentGraph,
  flow?: FlowModule,
  checks: CheckCode = new Map(),
): string {
  const list = array(scenarios.map((scenario) => scenarioCode(scenario, graph, flow?.name, checks)));
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

function scenarioCode(all: Scenario, graph: AgentGraph, flow: string | undefined, checks: CheckCode): Code {
  const written = (all.checks ?? []).flatMap((each): readonly MethodCall[] => {
    const code = checks.get(each);
    return code === undefined ? [] : [{ name: "check", args: [stringCode(each), name(code)] }];
  });
  const isWhole = written.length > 0 && written.length === all.checks?.length;
  const { checks: _, ...unchecked } = all;
  const scenario = isWhole ? completeScenario(unchecked) : all;
  const wanted = omit({ ...scenario }, ["type"]); // only a label: all expectations of a scenario apply, whatever its type
  const steps = stepsOf(scenario);
  let made = new ScenarioBuilder(completeScenario({ name: scenario.name }));
  for (const step of steps) made = taken(made, step);
  if (!sameJson(documentOf(made), wanted)) return valueCode(omit(briefScenario(all), ["type"]));
  const typed = flow !== undefined && knowsNames(scenario, graph) ? [name(flow)] : [];
  const head = call("scenario", stringCode(scenario.name), ...typed);
  const own = steps.map(([method, ...args]): MethodCall => ({ name: method, args: args.map(valueCode) }));
  const calls = isWhole ? [...own, ...written] : own;
  return calls.length === 0 ? head : { kind: "chain", head, calls };
}

/** The document of a builder; `undefined` if it cannot be used, because a step was rejected. */
function documentOf(builder: ScenarioBuilder): Scenario | undefined {
  try {
    return builder.toJSON();
  } catch {
    return undefined;
  }
}

function stepsOf(scenario: Scenario): readonly Step[] {
  const some = (method: string, list: readonly unknown[]): readonly Step[] =>
    list.length > 0 ? [[method, ...list]] : [];
  const values = (method: string, record: object): readonly Step[] =>
    Object.keys(record).length > 0 ? [[method, record]] : [];
  return [
    ...(scenario.user_prompt === "" ? [] : [["persona", scenario.user_prompt] as const]),
    ...callerSteps(scenario),
    ...values("variables", scenario.dynamic_variables),
    ...(scenario.tool_state ? [["toolState", scenario.tool_state] as const] : []),
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
    ...replyRules(scenario).map(replyStep),
    ...some("visits", scenario.visits),
    ...some("avoids", scenario.avoids),
    ...(scenario.ends ? [["ends", scenario.ends] as const] : []),
    ...values("extracts", scenario.extracts),
    ...scenario.calls.map(
      ({ tool, args }): Step => (Object.keys(args).length > 0 ? ["calls", tool, args] : ["calls", tool]),
    ),
    ...(scenario.end_state ? [["endState", scenario.end_state] as const] : []),
    ...latencySteps(scenario),
    ...(scenario.stops_within_ms ? [["stopsWithin", scenario.stops_within_ms] as const] : []),
    ...(typeof scenario.talks_over_at_most_ms === "number"
      ? [["neverTalksOver", scenario.talks_over_at_most_ms] as const]
      : []),
    ...(scenario.dead_air_at_most_ms ? [["noDeadAir", scenario.dead_air_at_most_ms] as const] : []),
    ...(scenario.says_nothing_twice ? [["saysNothingTwice"] as const] : []),
    ...(typeof scenario.word_errors_at_most === "number"
      ? [["wordErrors", scenario.word_errors_at_most] as const]
      : []),
    ...(scenario.max_turns ? [["turns", scenario.max_turns] as const] : []),
    ...some("tags", scenario.tags ?? []),
    ...some("offlinePath", scenario.offline_path ?? []),
  ];
}

/** A rule for each reply. */
function replyStep({ node, from_turn: fromTurn, to_turn: toTurn, after, at_least: atLeast, ...rule }: ReplyRule): Step {
  const place = defined({
    node: node ?? undefined,
    fromTurn: fromTurn ?? undefined,
    toTurn: toTurn ?? undefined,
    after: after ?? undefined,
    atLeast: atLeast ?? undefined,
  });
  const options = Object.keys(place).length === 0 ? [] : [place];
  if ("criterion" in rule) return ["eachReply", rule.criterion, ...options];
  if ("no_repetition" in rule) return ["eachReply.repeatsNothing", ...options];
  const [[key = "", value] = []] = Object.entries(rule);
  return [`eachReply.${REPLY_METHODS[key]}`, value, ...options];
}

/** Methods of `.eachReply` by the keys of rules. */
const REPLY_METHODS: { readonly [key: string]: string } = {
  pattern: "matches",
  no_pattern: "lacks",
  words_at_most: "words",
  seconds_at_most: "seconds",
  questions_at_most: "questions",
  reading_level_at_most: "readingLevel",
  silence_at_most_ms: "silence",
  says_back: "saysBack",
};

/** The caller's lines and steps. Lines in a row are one call. */
function callerSteps({ says, speaks, caller }: Scenario): readonly Step[] {
  const steps: Step[] = hasTraits(caller) ? [["caller", caller]] : [];
  for (const line of says) {
    const last = steps.at(-1);
    if (typeof line !== "string") steps.push(stepOf(line));
    else if (last?.[0] === "says") steps.splice(-1, 1, [...last, line]);
    else steps.push(["says", line]);
  }
  if (!speaks) return steps;
  const { noise_db: noise, packet_loss: packetLoss, ...rest } = speaks;
  const line = defined({ packetLoss });
  const options = defined({ ...rest, noise, line: Object.keys(line).length > 0 ? line : undefined });
  return [...steps, ["speaks", options]];
}

function stepOf(step: CallerStep): Step {
  if ("interrupts" in step) {
    const { interrupts: after } = step;
    return ["interrupts", "after_ms" in after ? { afterMs: after.after_ms } : { afterWords: after.after_words }];
  }
  if ("silence_ms" in step) return ["silence", step.silence_ms];
  if ("dtmf" in step) return ["dtmf", step.dtmf];
  if ("hold_music_ms" in step) return ["holdMusic", step.hold_music_ms];
  if ("voicemail" in step) return ["voicemail", step.voicemail];
  return step.hangs_up.mid_sentence ? ["hangsUp", { midSentence: true }] : ["hangsUp"];
}

/** A limit of turns with tools alone has no method: such a scenario is written as a document. */
function latencySteps({ answers_within_ms: ms, answers_after_tools_within_ms: afterTools }: Scenario): readonly Step[] {
  if (!ms) return [];
  return [afterTools ? ["answersWithin", ms, { afterTools }] : ["answersWithin", ms]];
}

function answerOf({
  input_match_rule: rule,
  output,
  result,
  delay_ms: delayMs,
  times,
  state_changes: stateChanges,
}: ToolMock): object {
  return {
    ...(rule.type === "partial_match" ? { args: rule.args } : {}),
    output,
    ...(result ? {} : { fails: true }),
    ...(delayMs === undefined || delayMs === null ? {} : { delayMs }),
    ...(times === undefined || times === null ? {} : { times }),
    ...(stateChanges === undefined || stateChanges === null ? {} : { stateChanges }),
  };
}

/** Adds a builder call; a scenario that the builder rejects is written as a document. */
function taken(builder: ScenarioBuilder, [method, ...args]: Step): ScenarioBuilder {
  const [name = "", part] = method.split(".");
  const named: unknown = Reflect.get(builder, name);
  const step: unknown = part !== undefined && typeof named === "function" ? Reflect.get(named, part) : named;
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
    replyRules(scenario).every((rule) => !("says_back" in rule) && (rule.node == null || isKnown(rule.node))) &&
    scenario.tool_mocks.every(
      (mock) => (tools.has(mock.tool_name) || isKnown(mock.tool_name)) && mock.input_match_rule.type === "any",
    ) &&
    scenario.calls.every(({ tool, args }) => tools.has(tool) && Object.keys(args).length === 0) &&
    Object.keys({ ...scenario.dynamic_variables, ...scenario.extracts }).length === 0
  );
}

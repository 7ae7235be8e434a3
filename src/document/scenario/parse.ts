import * as v from "valibot";
import { type Issue, type Path, ScenarioError, throwIssues } from "../../base/errors.ts";
import { defined, isRecord, type JsonObject, omit, sameJson, shown } from "../../base/values/mod.ts";
import type { EndReason } from "../transcript/mod.ts";
import type { CallerLine, CallerSpeech } from "./caller_line.ts";
import type { CallerTraits } from "./callers/mod.ts";
import { readWords, scenarioProblems, unknownKeys } from "./problems.ts";
import type { ReplyRule } from "./reply_rules.ts";
import type { CastOf, Metric, MockRule, OfflineTurn, Scenario, ScenarioGate } from "./scenario.ts";
import { ScenarioDocument } from "./schema.ts";

/** A scenario in short form: without keys that have their default value. */
export function briefScenario(scenario: Scenario): JsonObject {
  const empty = completeScenario({ name: scenario.name });
  const defaults: ReadonlyMap<string, unknown> = new Map(Object.entries(omit({ ...empty }, ["name"])));
  return Object.fromEntries(Object.entries(scenario).filter(([key, value]) => !sameJson(defaults.get(key), value)));
}

/** Names of valibot checks in messages. */
const NAMES_OF_CHECKS = new Map([
  ["custom", "Object"],
  ["integer", "a whole number"],
  ["non_empty", "a text that is not empty"],
  ["gt_value", "a number above 0"],
]);

/**
 * Parses a scenario, a list of scenarios, or a document with such a list, and test cases of other tools. A document is
 * `{ "$schema": "…", "scenarios": […] }`; test cases have keys such as `user_prompt`, `type` and `metrics`.
 *
 * Aliases of the builder (`persona`, `judge`, `mock`, …) are translated. An unknown key is an error, because its
 * expectation would be ignored. The former types `simulation` and `unit` become `llm` and `rule`. The type is only a
 * label: all expectations of a case apply.
 *
 * @throws {ScenarioError} `invalid-scenario` or `duplicate-scenario`; `issues` lists every problem.
 */
export function parseScenarios(value: unknown): readonly Scenario[] {
  const { list, at, issues } = listIn(value);
  const scenarios = list.flatMap((item, index) => {
    const { scenario, problems } = readScenario(item, index, at);
    issues.push(...problems);
    return scenario ? [scenario] : [];
  });
  const names = new Set<string>();
  for (const [index, { name }] of scenarios.entries()) {
    if (names.has(name)) {
      const message = `scenario "${name}" exists twice`;
      issues.push({
        code: "duplicate-scenario",
        path: [...at, index, "name"],
        message,
        hint: "Give each a different name",
      });
    }
    names.add(name);
  }
  throwIssues(ScenarioError, "Cannot read scenarios", issues);
  return scenarios;
}

/** The scenarios of a value and the path to them; for a document that holds a list, issues of its other keys. */
function listIn(value: unknown): { readonly list: readonly unknown[]; readonly at: Path; readonly issues: Issue[] } {
  if (Array.isArray(value)) return { list: value, at: [], issues: [] };
  if (!isRecord(value) || !("scenarios" in value) || "name" in value) return { list: [value], at: [], issues: [] };
  const hint = "Move it into a scenario, or remove it";
  const problems = unknownKeys(value, ["scenarios"], []).map((problem) => ({ ...problem, hint }));
  if (!Array.isArray(value.scenarios)) {
    problems.push({
      path: ["scenarios"],
      message: `it is ${shown(value.scenarios)}`,
      hint: "Make it a list of scenarios",
    });
  }
  const issues = problems.map(({ path, message, hint }) => {
    return { code: "invalid-scenario", path, message: `"${path.join(".")}": ${message}`, hint } as const;
  });
  return { list: Array.isArray(value.scenarios) ? value.scenarios : [], at: ["scenarios"], issues };
}

function readScenario(item: unknown, index: number, at: Path) {
  const name = isRecord(item) && typeof item.name === "string" ? `"${item.name}"` : `number ${index}`;
  const { document, written, issues: conflicts } = readWords(item);
  const issue = (path: Path, message: string, hint: string): Issue => ({
    code: "invalid-scenario",
    path: [...at, index, ...path],
    message: `scenario ${name}, ${path.join(".") || "itself"}: ${message}`,
    hint,
  });
  const problems = [
    ...conflicts.map(({ path, message, hint }) => issue(path, message, hint)),
    ...scenarioProblems(document).map(({ path, message, hint }) => issue(written(path), message, hint)),
  ];
  if (v.is(ScenarioDocument, document)) return { scenario: completeScenario(document), problems };
  for (const { path: keys = [], message, type, expected } of v.safeParse(ScenarioDocument, document).issues ?? []) {
    const path = keys.map(({ key }) => (typeof key === "number" ? key : String(key)));
    problems.push(
      issue(written(path), message, `Expected ${NAMES_OF_CHECKS.get(type) ?? expected ?? "another value"}`),
    );
  }
  return { scenario: undefined, problems };
}

/** Fills in missing keys of a scenario. */
export function completeScenario(input: ScenarioInput): Scenario {
  const { type, ...rest } = input;
  return {
    ...rest,
    ...(type ? { type: type === "rule" || type === "unit" ? "rule" : "llm" } : {}),
    user_prompt: input.user_prompt ?? "",
    says: input.says ?? [],
    dynamic_variables: input.dynamic_variables ?? {},
    tool_mocks: (input.tool_mocks ?? []).map((mock) => ({
      ...mock,
      output: mock.output ?? null,
      input_match_rule: mock.input_match_rule ?? { type: "any" },
      result: mock.result ?? true,
    })),
    metrics: (input.metrics ?? []).map(completeMetric),
    includes: input.includes ?? [],
    excludes: input.excludes ?? [],
    patterns: input.patterns ?? [],
    visits: input.visits ?? [],
    avoids: input.avoids ?? [],
    extracts: input.extracts ?? {},
    calls: (input.calls ?? []).map((call) => ({ ...call, args: call.args ?? {} })),
  };
}

function completeMetric(metric: NonNullable<ScenarioInput["metrics"]>[number]): Metric {
  if (typeof metric === "string") return { criterion: metric };
  const { threshold, ...rest } = metric;
  return { ...rest, ...defined({ threshold: threshold ?? undefined }) };
}

/** A criterion for the judge: its text, or its text with threshold and number of judges. */
export type MetricInput =
  | string
  | { readonly criterion: string; readonly threshold?: number | null; readonly panel?: number | null };

/**
 * A scenario with optional keys; {@link Scenario} describes them. The builder's names (`persona`, `variables`, `mock`,
 * `judge`, `matches`, `turns`) are aliases. A scenario with both an alias and its key is an error.
 */
export interface ScenarioInput {
  readonly name: string;
  /** `simulation` and `unit` are former names of `llm` and `rule`. */
  readonly type?: "llm" | "rule" | "simulation" | "unit" | null;
  readonly user_prompt?: string | null;
  readonly says?: readonly CallerLine[] | null;
  readonly speaks?: CallerSpeech | null;
  readonly caller?: CallerTraits | null;
  readonly cast?: CastOf | null;
  readonly dynamic_variables?: { readonly [name: string]: unknown } | null;
  readonly tool_mocks?: readonly ToolMockInput[] | null;
  readonly tool_state?: { readonly [name: string]: unknown } | null;
  readonly metrics?: readonly MetricInput[] | null;
  readonly includes?: readonly string[] | null;
  readonly excludes?: readonly string[] | null;
  readonly patterns?: readonly string[] | null;
  readonly each_reply?: readonly ReplyRule[] | null;
  readonly visits?: readonly string[] | null;
  readonly avoids?: readonly string[] | null;
  readonly ends?: EndReason | null;
  readonly extracts?: { readonly [name: string]: unknown } | null;
  readonly calls?:
    | readonly { readonly tool: string; readonly args?: { readonly [name: string]: unknown } | null }[]
    | null;
  readonly end_state?: { readonly [name: string]: unknown } | null;
  readonly answers_within_ms?: number | null;
  readonly answers_after_tools_within_ms?: number | null;
  readonly stops_within_ms?: number | null;
  readonly talks_over_at_most_ms?: number | null;
  readonly dead_air_at_most_ms?: number | null;
  readonly says_nothing_twice?: true | null;
  readonly word_errors_at_most?: number | null;
  readonly checks?: readonly string[] | null;
  readonly tags?: readonly string[] | null;
  readonly llm_model?: string | null;
  readonly repeat?: number | null;
  readonly gate?: ScenarioGate | null;
  readonly max_turns?: number | null;
  readonly offline_path?: readonly OfflineTurn[] | null;
  /** Alias of `user_prompt`. */
  readonly persona?: string | null;
  /** Alias of `dynamic_variables`. */
  readonly variables?: { readonly [name: string]: unknown } | null;
  /** Alias of `tool_mocks`, or an object of answers by tool, such as `{ "weather": { "output": "grey" } }`. */
  readonly mock?: readonly ToolMockInput[] | { readonly [name: string]: unknown } | null;
  /** Alias of `metrics`, or a single criterion. */
  readonly judge?: MetricInput | readonly MetricInput[] | null;
  /** Alias of `patterns`, or a single pattern. */
  readonly matches?: string | readonly string[] | null;
  /** Alias of `max_turns`. */
  readonly turns?: number | null;
}

/** A mock with optional keys. */
export interface ToolMockInput {
  readonly tool_name: string;
  /** Default: any arguments. */
  readonly input_match_rule?: MockRule | null;
  readonly output?: unknown;
  /** Whether the call succeeds. Default: true. */
  readonly result?: boolean | null;
  readonly delay_ms?: number | null;
  readonly times?: number | null;
  readonly state_changes?: { readonly [name: string]: unknown } | null;
}

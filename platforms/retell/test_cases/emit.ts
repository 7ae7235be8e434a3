import type { TestCaseDefinitionResponse, TestCreateTestCaseDefinitionParams } from "retell-sdk/resources/tests";
import { type Path, ScenarioError } from "../../../src/errors.ts";
import {
  parseScenarios,
  type Scenario,
  type ScenarioSource,
  type ToolMock,
  toScenario,
} from "../../../src/scenario/mod.ts";
import { checkOptions, groupOf, isRecord, isTypoOf, OPTION, omit, own, sameJson } from "../../../src/values/mod.ts";
import { type DocumentShape, merge } from "../../lens/mod.ts";
import { parseJson } from "../../parse_json.ts";
import type { Loss } from "../../platform.ts";
import { emulatedMetrics, lossesOf, MOCK_LIMITS } from "./losses.ts";

/** The engine that test cases belong to, as Retell's API takes it. */
export type RetellTestEngine = TestCreateTestCaseDefinitionParams["response_engine"];

/** A test case as the dashboard writes it to a file: what the API takes, without an engine and with its type. */
export type RetellTestCase = Omit<TestCreateTestCaseDefinitionParams, "response_engine"> & {
  readonly response_engine?: RetellTestEngine;
  readonly type?: TestCaseDefinitionResponse["type"];
};

/** Test cases, and what of the scenarios they do not carry. */
export interface RetellTestCases {
  readonly cases: readonly RetellTestCase[];
  readonly losses: readonly Loss[];
}

/** Where a scenario keeps the case that it was read from, if that is not what it would be written as. */
const ORIGINAL = "retell";
/** Mocks of a case are identified by their tool. */
const SHAPE: DocumentShape = { keys: ["tool_name"] };
/** What a test case says in a scenario's own words. */
const CARRIED = new Set(["name", "user_prompt", "metrics", "dynamic_variables", "tool_mocks", "llm_model", "type"]);
/** What test-case files of other tools have beside it; Retell's own never do. */
const EXPECTATIONS = new Set([
  ...[
    "says",
    "includes",
    "excludes",
    "patterns",
    "visits",
    "avoids",
    "ends",
    "extracts",
    "calls",
    "checks",
    "max_turns",
  ],
  ...["persona", "variables", "mock", "judge", "matches", "turns"],
]);
/** What a mock says in a scenario's own words. */
const CARRIED_MOCK = new Set(["tool_name", "input_match_rule", "output", "result", "delay_ms", "times"]);

/**
 * Writes scenarios as Retell's test cases. What a scenario expects of words, tools, variables and the end of the call
 * becomes a metric for Retell's judge where it can be said in words.
 *
 * @param options.engine For the API, which wants it with each case. Without it the list is a file for the dashboard.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`.
 */
export function emitTestCases(
  scenarios: readonly ScenarioSource[],
  options: { readonly engine?: RetellTestEngine } = {},
): RetellTestCases {
  const given = { scenarios: scenarios ?? null, options: options ?? null };
  const rules = { scenarios: OPTION.list, options: groupOf({ engine: OPTION.object }) };
  checkOptions(given, rules, ScenarioError, "Cannot write test cases");
  const losses: Loss[] = [];
  const cases = scenarios.map((source, index) => {
    const scenario = toScenario(source);
    losses.push(...lossesOf(scenario, [index]));
    return emitCase(scenario, options.engine, [index], losses);
  });
  return { cases, losses };
}

/**
 * Reads Retell's test cases: the dashboard's file, one definition as the API returns it, or a page of a list of them.
 *
 * @param document JSON text (with or without a byte order mark), or what it parses to.
 * @throws {PlatformError} `invalid-json`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function importTestCases(document: unknown): readonly Scenario[] {
  const value = typeof document === "string" ? parseJson(document, "Cannot import test cases") : document;
  const items: unknown = isRecord(value) && Array.isArray(value.items) ? value.items : value;
  const list: readonly unknown[] = Array.isArray(items) ? items : [items];
  return parseScenarios(list.map(known)).map((scenario, index) =>
    sameJson(writeCase(scenario, [index], []), list[index]) ? scenario : { ...scenario, [ORIGINAL]: list[index] },
  );
}

/** A case without the keys that only Retell knows. A misspelled key of ours stays, to be refused. */
function known(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const keys = [...CARRIED, ...EXPECTATIONS];
  const others = Object.keys(item).filter((key) => !keys.some((each) => each === key || isTypoOf(each, key)));
  const mockOf = (mock: unknown) =>
    isRecord(mock)
      ? omit(
          mock,
          Object.keys(mock).filter((key) => !CARRIED_MOCK.has(key)),
        )
      : mock;
  const mocks = Array.isArray(item.tool_mocks) ? { tool_mocks: item.tool_mocks.map(mockOf) } : {};
  return { ...omit(item, others), ...mocks };
}

/** Writes a scenario, into the case that it was read from where there is one. */
function emitCase(
  scenario: Scenario,
  engine: RetellTestEngine | undefined,
  path: Path,
  losses: Loss[],
): RetellTestCase {
  const mine = writeCase(scenario, path, losses);
  const original = own({ ...scenario }, ORIGINAL);
  const base = isRecord(original) ? parseScenarios([known(original)]).map((each) => writeCase(each, path, [])) : [];
  const merged = base[0] ? merge(original, base[0], mine, SHAPE) : mine;
  const written = merged as RetellTestCase; // a case as it was read, with parts of one of ours
  if (engine === undefined) return written;
  const { type: _, ...others } = written;
  return { ...others, response_engine: engine };
}

function writeCase(scenario: Scenario, path: Path, losses: Loss[]): RetellTestCase {
  const variables = Object.entries(scenario.dynamic_variables).map(([name, value]) => [
    name,
    asText(value, [...path, "dynamic_variables", name], losses),
  ]);
  return {
    name: scenario.name,
    user_prompt: userPrompt(scenario),
    metrics: [...scenario.metrics.map(({ criterion }) => criterion), ...emulatedMetrics(scenario)],
    dynamic_variables: Object.fromEntries(variables),
    tool_mocks: scenario.tool_mocks.map(emitMock),
    ...(scenario.llm_model == null ? {} : { llm_model: retellModel(scenario.llm_model) }),
    type: "simulation",
  };
}

function userPrompt({ user_prompt: prompt, says }: Scenario): string {
  if (says.length === 0) return prompt || "You have called the agent. Answer its questions briefly.";
  const lines = says.map((line, index) => `${index + 1}. ${line}`);
  const then = prompt ? "After them, go on in your own words" : "Then hang up";
  const script = `Say these lines word for word, one each turn, in this order. ${then}.\n${lines.join("\n")}`;
  return prompt ? `${prompt}\n\n${script}` : script;
}

function emitMock(mock: ToolMock): NonNullable<RetellTestCase["tool_mocks"]>[number] {
  const { tool_name, input_match_rule, output, result, ...others } = mock;
  return {
    ...omit({ ...others }, MOCK_LIMITS),
    tool_name,
    input_match_rule,
    output: typeof output === "string" ? output : (JSON.stringify(output) ?? "null"),
    result,
  };
}

function asText(value: unknown, path: Path, losses: Loss[]): string {
  if (typeof value === "string") return value;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  losses.push({
    code: "variable-as-text",
    kind: "emulated",
    path,
    message: "Retell's variables are text",
    instead: JSON.stringify(text),
    hint: "Write the value as text",
  });
  return text;
}

/** Retell's own name of a model: without the provider that a `provider/model` string begins with. */
function retellModel(model: string): NonNullable<RetellTestCase["llm_model"]> {
  const name = model.slice(model.indexOf("/") + 1);
  return name as NonNullable<RetellTestCase["llm_model"]>; // Retell adds models faster than its types
}

import { parseJson } from "../../src/base/documents/mod.ts";
import { type Path, ScenarioError } from "../../src/base/errors.ts";
import {
  checkOptions,
  groupOf,
  isRecord,
  isTypoOf,
  OPTION,
  omit,
  own,
  pick,
  sameJson,
} from "../../src/base/values/mod.ts";
import {
  parseScenarios,
  SCENARIO_ALIASES,
  SCENARIO_KEYS,
  type Scenario,
  type ScenarioSource,
  toScenario,
  voiceParts,
  withToldTraits,
} from "../../src/document/scenario/mod.ts";
import { type DocumentShape, merge } from "../lens/mod.ts";
import { platformModelOf } from "../models.ts";
import type { Loss } from "../platform.ts";
import { callerPrompt, expectationWords, JUDGED_ENDS, stateParts, unseenReplyRules } from "../scenario_words.ts";
import type { ConversationFlowCreateParams } from "./generated/mod.ts";
import {
  asText,
  createLosses,
  type Losses,
  type LossTable,
  loseVariableTypes,
  RETELL_MODELS,
  textVariables,
} from "./shared/mod.ts";

/** Engine of a test case in Retell's API. */
export type RetellTestEngine =
  | { type: "retell-llm"; llm_id: string; version?: number | null }
  | { type: "conversation-flow"; conversation_flow_id: string; version?: number | null };

/** A test case in the dashboard's file: the body of the API, without an engine and with its type. */
export interface RetellTestCase {
  name: string;
  user_prompt: string;
  metrics: string[];
  dynamic_variables?: { [key: string]: string };
  llm_model?: ConversationFlowCreateParams["model_choice"]["model"];
  tool_mocks?: {
    tool_name: string;
    input_match_rule: { type: "any" } | { type: "partial_match"; args: unknown };
    output: string;
    result?: boolean | null;
  }[];
  response_engine?: RetellTestEngine;
  type?: "simulation";
}

/** Test cases, and the parts of the scenarios that they do not support. */
export interface RetellTestCases {
  readonly cases: readonly RetellTestCase[];
  readonly losses: readonly Loss[];
}

/** Key of a scenario for its imported test case, if the scenario alone would be written differently. */
const ORIGINAL = "retell";
/** Mocks of a case are identified by their tool. */
const SHAPE: DocumentShape = { keys: ["tool_name"] };
/** Keys of scenarios. Retell's own files have some of them. */
const OURS = [...SCENARIO_KEYS.scenario, ...Object.keys(SCENARIO_ALIASES)];

/**
 * Emits scenarios as Retell's test cases. Expected texts, tool calls, variables and ends become metrics for Retell's
 * judge if they can be described in words.
 *
 * @param options.engine For the API, which requires it in each case. Without it, the list is a file for the dashboard.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`.
 */
export function emitTestCases(
  scenarios: readonly ScenarioSource[],
  options: { readonly engine?: RetellTestEngine } = {},
): RetellTestCases {
  const given = { scenarios: scenarios ?? null, options: options ?? null };
  const rules = { scenarios: OPTION.list, options: groupOf({ engine: OPTION.object }) };
  checkOptions(given, rules, ScenarioError, "Cannot write test cases");
  const losses = createLosses<TestCaseLossCode>(TEST_CASE_LOSSES);
  const cases = scenarios.map((source, index): RetellTestCase => {
    const scenario = withToldTraits(toScenario(source));
    loseExpectations(scenario, [index], losses);
    const written = emitCase(scenario);
    if (scenario.llm_model && !written.llm_model)
      losses.add("unknown-model", [index, "llm_model"], `Retell does not list the model "${scenario.llm_model}"`);
    const { type: _, ...forApi } = written;
    return options.engine === undefined ? written : { ...forApi, response_engine: options.engine };
  });
  return { cases, losses: losses.all() };
}

/**
 * Imports Retell's test cases: the dashboard's file, one definition as the API returns it, or a page of a list of them.
 *
 * @param document JSON text (with or without a byte order mark), or a parsed value.
 * @throws {PlatformError} `invalid-json`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function importTestCases(document: unknown): readonly Scenario[] {
  const value = typeof document === "string" ? parseJson(document, "Cannot import test cases") : document;
  const items: unknown = isRecord(value) && Array.isArray(value.items) ? value.items : value;
  const list: readonly unknown[] = Array.isArray(items) ? items : [items];
  return parseScenarios(list.map(known)).map((scenario, index) =>
    sameJson(writeCase(scenario), list[index]) ? scenario : { ...scenario, [ORIGINAL]: list[index] },
  );
}

/** Removes keys that only Retell has. A misspelled key of a scenario stays, so that it is rejected. */
function known(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const isOurs = (key: string) => OURS.some((each) => each === key || isTypoOf(each, key));
  const ours = pick(item, Object.keys(item).filter(isOurs));
  if (!Array.isArray(item.tool_mocks)) return ours;
  const mockOf = (mock: unknown) => (isRecord(mock) ? pick(mock, SCENARIO_KEYS.mock) : mock);
  return { ...ours, tool_mocks: item.tool_mocks.map(mockOf) };
}

/** Emits a scenario, into its imported case if there is one. */
function emitCase(scenario: Scenario): RetellTestCase {
  const mine = writeCase(scenario);
  const original = own({ ...scenario }, ORIGINAL);
  const [base] = isRecord(original) ? parseScenarios([known(original)]).map(writeCase) : [];
  return base ? (merge(original, base, mine, SHAPE) as RetellTestCase) : mine; // the imported case, merged with parts of an emitted one
}

function writeCase(scenario: Scenario): RetellTestCase {
  const { name, metrics, dynamic_variables: variables, tool_mocks: mocks, llm_model: given } = scenario;
  const model = given == null ? undefined : platformModelOf(given, RETELL_MODELS());
  const written = {
    name,
    user_prompt: callerPrompt(scenario),
    metrics: [...metrics.map(({ criterion }) => criterion), ...expectationWords(scenario).map(({ metric }) => metric)],
    dynamic_variables: textVariables(variables),
    tool_mocks: mocks.map((mock) => ({
      ...omit({ ...mock }, [...MOCK_LIMITS, "state_changes"]),
      output: asText(mock.output),
    })),
    ...(model === undefined ? {} : { llm_model: model }),
    type: "simulation",
  };
  return written as RetellTestCase; // Retell adds models faster than its types
}

const CHECKED = "Run the scenario with Callweave, which checks it";
const PERSONA = "Add a persona to the scenario";

/** Losses of test cases by code, with hints. */
const TEST_CASE_LOSSES = {
  "metric-threshold": ["dropped", CHECKED],
  "scripted-caller": ["emulated", PERSONA],
  "no-caller": ["emulated", PERSONA],
  "expectation-as-metric": ["emulated", "Run the scenario with Callweave, which checks it exactly"],
  "own-check": ["dropped", CHECKED],
  "path-expectation": ["dropped", CHECKED],
  "end-expectation": ["dropped", CHECKED],
  "latency-expectation": ["dropped", CHECKED],
  "state-expectation": ["dropped", CHECKED],
  "voice-as-text": ["emulated", CHECKED],
  "voice-only": ["dropped", CHECKED],
  "turn-limit": ["dropped", CHECKED],
  "mock-limit": ["dropped", CHECKED],
  "unknown-model": ["dropped", "Choose a model that Retell lists"],
  "variable-as-text": ["emulated", "Write the value as text"],
} as const satisfies LossTable<string>;

/** A code of {@link TEST_CASE_LOSSES}. */
export type TestCaseLossCode = keyof typeof TEST_CASE_LOSSES;

/** Settings of a mock that Retell does not support. */
const MOCK_LIMITS = ["delay_ms", "times"] as const;

/** Reports the parts of a scenario that Retell's test cases do not support. */
function loseExpectations(scenario: Scenario, path: Path, losses: Losses<TestCaseLossCode>): void {
  const { says, user_prompt: prompt, ends, max_turns: turns, answers_within_ms: limitMs } = scenario;
  const lose = (code: TestCaseLossCode, at: Path, message: string, instead?: string) =>
    losses.add(code, [...path, ...at], message, instead);
  for (const [index, { threshold }] of scenario.metrics.entries())
    if (threshold != null)
      lose("metric-threshold", ["metrics", index], "Retell's metrics pass or fail, without a threshold");
  if (says.length > 0)
    lose("scripted-caller", ["says"], "Retell's callers are simulated by a model", "a prompt with these lines");
  else if (!prompt)
    lose("no-caller", ["user_prompt"], "Retell needs a prompt for the caller", "a caller who answers questions");
  for (const { path: at } of expectationWords(scenario))
    lose("expectation-as-metric", at, "Retell's tests support only metrics", "a metric that describes it in words");
  for (const [index, name] of (scenario.checks ?? []).entries())
    lose("own-check", ["checks", index], `Retell cannot run the function of check "${name}"`);
  for (const key of ["visits", "avoids"] as const)
    if (scenario[key].length > 0)
      lose("path-expectation", [key], "Retell's tests cannot check which nodes a call visits");
  for (const [index, mock] of scenario.tool_mocks.entries())
    for (const key of MOCK_LIMITS.filter((limit) => mock[limit] != null))
      lose("mock-limit", ["tool_mocks", index, key], "Retell's mocks always answer at once");
  if (ends != null && !JUDGED_ENDS.has(ends))
    lose("end-expectation", ["ends"], `Retell's judge cannot detect an end by ${ends}`);
  if (limitMs != null) lose("latency-expectation", ["answers_within_ms"], "Retell's tests do not measure latency");
  for (const { path: at, code, message } of [...unseenReplyRules(scenario), ...stateParts(scenario)])
    lose(code, at, message);
  for (const { path: at, text, instead } of voiceParts(scenario))
    lose(instead ? "voice-as-text" : "voice-only", at, `Retell's tests are in text, without ${text}`, instead);
  loseVariableTypes(scenario.dynamic_variables, [...path, "dynamic_variables"], losses);
  if (turns != null) lose("turn-limit", ["max_turns"], "Retell decides when a test ends");
}

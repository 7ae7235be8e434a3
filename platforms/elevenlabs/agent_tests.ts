import { parseJson } from "../../src/base/documents/mod.ts";
import { type Path, ScenarioError } from "../../src/base/errors.ts";
import {
  checkOptions,
  defined,
  isRecord,
  type JsonObject,
  OPTION,
  own,
  recordAt,
  records,
  sameJson,
} from "../../src/base/values/mod.ts";
import {
  parseScenarios,
  type Scenario,
  type ScenarioSource,
  toScenario,
  withToldTraits,
} from "../../src/document/scenario/mod.ts";
import { merge } from "../lens/mod.ts";
import type { Loss } from "../platform.ts";
import { callerPrompt, expectationWords, JUDGED_ENDS, stateParts, unseenReplyRules } from "../scenario_words.ts";

/** A test of an agent of ElevenLabs: the body of the request that creates one. */
export interface ElevenLabsTest {
  readonly type: "simulation" | "llm" | "tool";
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Tests, and the parts of the scenarios that they do not support. */
export interface ElevenLabsTests {
  readonly tests: readonly ElevenLabsTest[];
  readonly losses: readonly Loss[];
}

/** Key of a scenario for its imported test, if the scenario alone would be written differently. */
const ORIGINAL = "elevenlabs";
/** @see https://elevenlabs.io/docs/api-reference/tests/create (fields `success_conditions`, `simulation_max_turns`) */
const [MOST_CONDITIONS, MOST_TURNS] = [30, 50];

/**
 * Emits scenarios as tests of ElevenLabs. A scenario is a simulation: expected texts, tool calls, variables and ends are
 * conditions in words. Tests of a reply and of a tool call that were imported stay such tests.
 *
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`.
 */
export function emitAgentTests(scenarios: readonly ScenarioSource[]): ElevenLabsTests {
  checkOptions({ scenarios: scenarios ?? null }, { scenarios: OPTION.list }, ScenarioError, "Cannot write agent tests");
  const losses: Loss[] = [];
  const tests = scenarios.map((source, index): ElevenLabsTest => {
    const scenario = withToldTraits(toScenario(source));
    const original = own({ ...scenario }, ORIGINAL);
    const mine = writeTest(scenario, original);
    if (mine.type === "simulation") losses.push(...lossesOf(scenario, [index]));
    if (!isRecord(original)) return mine;
    const [base] = parseScenarios([readTest(original)]);
    const merged = base ? merge(original, writeTest(base, original), mine, { keys: [] }) : mine;
    return { ...mine, ...(isRecord(merged) ? merged : {}) };
  });
  return { tests, losses };
}

/**
 * Imports tests of ElevenLabs: one, a list, or a page as the API returns it.
 *
 * @param document JSON text (with or without a byte order mark), or a parsed value.
 * @throws {PlatformError} `invalid-json`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function importAgentTests(document: unknown): readonly Scenario[] {
  const value = typeof document === "string" ? parseJson(document, "Cannot import agent tests") : document;
  const list: unknown = isRecord(value) && Array.isArray(value.tests) ? value.tests : value;
  const items = Array.isArray(list) ? list : [list];
  return parseScenarios(items.map((item) => (isRecord(item) ? readTest(item) : item))).map((scenario, index) => {
    const item: unknown = items[index];
    return sameJson(writeTest(scenario, item), item) ? scenario : { ...scenario, [ORIGINAL]: item };
  });
}

function writeTest(scenario: Scenario, original: unknown): ElevenLabsTest {
  const { name, metrics, dynamic_variables: variables, says, calls, max_turns: turns } = scenario;
  const { type } = isRecord(original) ? original : {};
  const filled = Object.keys(variables).length > 0 ? { dynamic_variables: variables } : {};
  const history = says.map((message, at) => ({ role: "user", message, time_in_call_secs: at }));
  if (type === "llm")
    return { type, name, chat_history: history, success_condition: metrics[0]?.criterion ?? "", ...filled };
  if (type === "tool") {
    const [call] = calls;
    const parameters = Object.entries(call?.args ?? {}).map(([path, value]) => ({
      path,
      eval: { type: "exact", expected_value: typeof value === "string" ? value : JSON.stringify(value) },
    }));
    const expected = { referenced_tool: { id: call?.tool ?? "", type: "webhook" }, parameters };
    return { type, name, chat_history: history, tool_call_parameters: expected, ...filled };
  }
  const conditions = [
    ...metrics.map(({ criterion }) => criterion),
    ...expectationWords(scenario).map(({ metric }) => metric),
  ];
  return {
    ...{ type: "simulation", name, simulation_scenario: callerPrompt(scenario) },
    success_conditions: conditions.slice(0, MOST_CONDITIONS),
    ...(turns == null ? {} : { simulation_max_turns: Math.min(turns, MOST_TURNS) }),
    ...(scenario.tool_mocks.length > 0
      ? { tool_mock_config: { mocking_strategy: "all", fallback_strategy: "raise_error" } }
      : {}),
    ...filled,
  };
}

/** A scenario of a test. */
function readTest(test: JsonObject): JsonObject {
  const { name, simulation_scenario: caller, success_condition: one, success_conditions: conditions } = test;
  const all = Array.isArray(conditions) && conditions.length > 0 ? conditions : [one];
  const metrics = all.filter((each) => typeof each === "string" && each !== "").map((criterion) => ({ criterion }));
  const said = records(test.chat_history).flatMap(({ role, message }) => (role === "user" && message ? [message] : []));
  const { referenced_tool: tool, parameters } = recordAt(test, "tool_call_parameters");
  const args = records(parameters).flatMap(({ path, eval: check }) => {
    const { type, expected_value: value } = isRecord(check) ? check : {};
    return type === "exact" && typeof path === "string" ? [[path, value] as const] : [];
  });
  const { dynamic_variables: variables, simulation_max_turns: turns } = test;
  return {
    name,
    ...(typeof caller === "string" ? { user_prompt: caller } : {}),
    ...(said.length > 0 && test.type !== "simulation" ? { says: said } : {}),
    metrics,
    ...(isRecord(tool) && typeof tool.id === "string"
      ? { calls: [{ tool: tool.id, args: Object.fromEntries(args) }] }
      : {}),
    ...(isRecord(variables) ? { dynamic_variables: variables } : {}),
    ...(typeof turns === "number" ? { max_turns: turns } : {}),
    ...(test.type === "simulation" ? {} : { [ORIGINAL]: test }),
  };
}

const CHECKED = "Run the scenario with Callweave, which checks it";

/** The parts of a scenario that a simulation does not support. */
function lossesOf(scenario: Scenario, at: Path): readonly Loss[] {
  const { says, user_prompt: prompt, ends, max_turns: turns, metrics, tool_mocks: mocks, llm_model: model } = scenario;
  const found: Loss[] = [];
  const lose = (isLost: boolean, code: string, path: Path, message: string, instead?: string) => {
    const kind = instead === undefined ? "dropped" : "emulated";
    if (isLost) found.push(defined({ code, kind, path: [...at, ...path], message, instead, hint: CHECKED }));
  };
  const words = expectationWords(scenario);
  const all = metrics.length + words.length;
  for (const [index, { threshold }] of metrics.entries())
    lose(threshold != null, "metric-threshold", ["metrics", index], "Conditions hold or not, without a threshold");
  lose(all > MOST_CONDITIONS, "too-many-conditions", [], `A test has ${MOST_CONDITIONS} conditions, not ${all}`);
  lose(says.length > 0, "scripted-caller", ["says"], "A model simulates the callers", "a prompt with these lines");
  const isMute = says.length === 0 && !prompt;
  lose(isMute, "no-caller", ["user_prompt"], "A test needs a caller", "a caller who answers questions");
  for (const { path } of words)
    lose(true, "expectation-as-condition", path, "A test has conditions only", "a condition in words");
  for (const key of ["visits", "avoids"] as const)
    lose(scenario[key].length > 0, "path-expectation", [key], "A simulation does not check the nodes of a call");
  const isOther = ends != null && !JUDGED_ENDS.has(ends);
  lose(isOther, "end-expectation", ["ends"], `No condition can say that the call ends by ${ends}`);
  for (const index of mocks.keys())
    lose(true, "tool-mock", ["tool_mocks", index], "Answers of mocks are stored on the tools", "the tool's own mocks");
  for (const [index, name] of (scenario.checks ?? []).entries())
    lose(true, "own-check", ["checks", index], `The function of check "${name}" cannot run there`);
  const limit = scenario.answers_within_ms;
  lose(limit != null, "latency-expectation", ["answers_within_ms"], "Tests do not measure latency");
  for (const { path, code, message } of [...unseenReplyRules(scenario), ...stateParts(scenario)])
    lose(true, code, path, message);
  const isLong = turns != null && turns > MOST_TURNS;
  lose(isLong, "turn-limit", ["max_turns"], `A test has ${MOST_TURNS} turns`, `${MOST_TURNS} turns`);
  lose(Boolean(model), "unknown-model", ["llm_model"], "The caller's model cannot be chosen");
  return found;
}

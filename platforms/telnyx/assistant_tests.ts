import { parseJson } from "../../src/base/documents/mod.ts";
import { ScenarioError } from "../../src/base/errors.ts";
import {
  checkOptions,
  groupOf,
  isRecord,
  type JsonObject,
  OPTION,
  own,
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
import { type DocumentShape, merge } from "../lens/mod.ts";

import type { Loss } from "../platform.ts";
import { replyWords, stateParts, unseenReplyRules } from "../scenario_words.ts";

/** A test of an assistant: the body of `POST /ai/assistants/tests`. Further keys of imported tests are kept. */
export interface TelnyxTest {
  readonly name: string;
  /** Where the test calls: a number, a SIP URI or the id of an assistant. */
  readonly destination: string;
  /** What the caller does. */
  readonly instructions: string;
  readonly rubric: readonly { readonly name: string; readonly criteria: string }[];
  readonly [key: string]: unknown;
}

/** Tests, and the parts of the scenarios that they do not support. */
export interface TelnyxTests {
  readonly tests: readonly TelnyxTest[];
  readonly losses: readonly Loss[];
}

/** Key of a scenario for its imported test. */
const ORIGINAL = "telnyx";
const SHAPE: DocumentShape = { keys: ["name"] };

const CHECKED = "Run the scenario with Callweave, which checks it";

/** Parts of a scenario that a test has not, with the reason. */
const DROPPED = {
  checks: "Telnyx cannot run the function of a check",
  visits: "Tests cannot check which nodes a call visits",
  avoids: "Tests cannot check which nodes a call visits",
  tool_mocks: "Tests run the assistant's own tools",
  dynamic_variables: "Tests take no variables",
  answers_within_ms: "Tests do not measure latency",
  max_turns: "Telnyx decides when a test ends",
  llm_model: "Telnyx chooses the caller's model",
} as const;

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Emits scenarios as tests of a Telnyx assistant. Expected texts, tool calls, variables and ends become criteria of the
 * rubric, in words.
 *
 * @param options.destination Where the tests call.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`.
 */
export function emitTelnyxTests(
  scenarios: readonly ScenarioSource[],
  options: { readonly destination?: string } = {},
): TelnyxTests {
  const given = { scenarios: scenarios ?? null, options: options ?? null };
  const rules = { scenarios: OPTION.list, options: groupOf({ destination: OPTION.text }) };
  checkOptions(given, rules, ScenarioError, "Cannot write tests");
  const losses: Loss[] = [];
  const tests = scenarios.map((source, index): TelnyxTest => {
    const scenario = withToldTraits(toScenario(source));
    loseParts(scenario, index, losses);
    const mine = writeTest(scenario, options.destination);
    const original = own<unknown>({ ...scenario }, ORIGINAL);
    if (!isRecord(original)) return mine;
    const [base] = parseScenarios([readTest(original)]);
    const whole = base ? merge(original, writeTest(base), writeTest(scenario), SHAPE) : undefined;
    const { destination = original.destination } = options;
    return { ...mine, ...(isRecord(whole) ? whole : {}), ...(typeof destination === "string" ? { destination } : {}) };
  });
  return { tests, losses };
}

/**
 * Imports tests of Telnyx assistants: one test, or a list of them as the API returns it.
 *
 * @param document JSON text (with or without a byte order mark), or a parsed value.
 * @throws {PlatformError} `invalid-json`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function importTelnyxTests(document: unknown): readonly Scenario[] {
  const value = typeof document === "string" ? parseJson(document, "Cannot import tests") : document;
  const items: unknown = isRecord(value) && Array.isArray(value.data) ? value.data : value;
  const list: readonly unknown[] = Array.isArray(items) ? items : [items];
  return parseScenarios(list.map((item) => (isRecord(item) ? readTest(item) : item))).map((scenario, index) =>
    sameJson(writeTest(scenario), list[index]) ? scenario : { ...scenario, [ORIGINAL]: list[index] },
  );
}

function readTest({ name, instructions, rubric }: JsonObject): JsonObject {
  return { name, user_prompt: instructions, metrics: records(rubric).map(({ criteria }) => ({ criterion: criteria })) };
}

function writeTest(scenario: Scenario, destination = ""): TelnyxTest {
  const criteria = [
    ...scenario.metrics.map(({ criterion }) => criterion),
    ...sentences(scenario).map(([, text]) => text),
  ];
  return {
    name: scenario.name,
    destination,
    instructions: callerPrompt(scenario),
    rubric: criteria.map((text, index) => ({ name: `criterion ${index + 1}`, criteria: text })),
  };
}

function callerPrompt({ user_prompt: prompt, says }: Scenario): string {
  if (says.length === 0) return prompt || "Call the agent. Answer its questions briefly.";
  const lines = says.map((line, index) => `${index + 1}. ${line}`).join("\n");
  return `${prompt ? `${prompt}\n\n` : ""}Say these lines word for word, one each turn, in this order.\n${lines}`;
}

/** Expectations as sentences for a judge, by the keys of the scenario. */
function sentences(scenario: Scenario): readonly (readonly [path: readonly (string | number)[], text: string])[] {
  const { includes, excludes, patterns, calls, extracts, ends } = scenario;
  const named = { agent_ended: "The agent ends the call", agent_transferred: "The agent transfers the call" };
  const end = ends == null ? undefined : own<string>(named, ends);
  return [
    ...includes.map((text, at) => [["includes", at], `The agent says ${JSON.stringify(text)}`] as const),
    ...excludes.map((text, at) => [["excludes", at], `The agent never says ${JSON.stringify(text)}`] as const),
    ...patterns.map((text, at) => [["patterns", at], `Something that the agent says matches ${text}`] as const),
    ...replyWords(scenario).map(({ path, metric }) => [path, metric] as const),
    ...calls.map(({ tool, args }, at) => {
      const more = Object.keys(args).length === 0 ? "" : ` with at least these arguments: ${JSON.stringify(args)}`;
      return [["calls", at], `The agent calls the tool ${tool}${more}`] as const;
    }),
    ...Object.entries(extracts).map(
      ([name, value]) => [["extracts", name], `At the end of the call, ${name} is ${JSON.stringify(value)}`] as const,
    ),
    ...(end === undefined ? [] : [[["ends"], end] as const]),
  ];
}

function loseParts(scenario: Scenario, index: number, losses: Loss[]): void {
  const lose = (code: string, kind: Loss["kind"], path: readonly (string | number)[], message: string) =>
    losses.push({ code, kind, path: [index, ...path], message, hint: CHECKED });
  for (const [path] of sentences(scenario))
    lose("expectation-as-criterion", "emulated", path, "Tests have only a rubric, so a model judges this");
  for (const [key, message] of Object.entries(DROPPED))
    if (!isEmpty(own<unknown>({ ...scenario }, key))) lose("test-part", "dropped", [key], message);
  for (const { path, message } of [...unseenReplyRules(scenario), ...stateParts(scenario)])
    lose("test-part", "dropped", path, message);
  for (const [at, { threshold }] of scenario.metrics.entries())
    if (threshold != null) lose("test-part", "dropped", ["metrics", at, "threshold"], "Criteria have no threshold");
  if (scenario.says.length > 0) lose("scripted-caller", "emulated", ["says"], "Callers are simulated by a model");
  const isNamed = sentences(scenario).some(([path]) => path[0] === "ends");
  if (scenario.ends != null && !isNamed) lose("test-part", "dropped", ["ends"], "No judge detects this end");
}

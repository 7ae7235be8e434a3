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
  DEFAULT_THRESHOLD,
  parseScenarios,
  type Scenario,
  type ScenarioSource,
  toScenario,
  voiceParts,
  withToldTraits,
  writtenLines,
} from "../../src/document/scenario/mod.ts";
import { merge } from "../lens/mod.ts";
import type { Loss } from "../platform.ts";
import { replyWords, stateParts, unseenReplyRules } from "../scenario_words.ts";

/** A condition of a scenario at Bland. The configuration of other types than `LLM_JUDGE` is not documented. */
export interface BlandAssertion {
  type: string;
  name?: string;
  config: { [key: string]: unknown };
  is_required?: boolean;
}

/** A scenario of Bland's agent testing: the body of `POST /v1/agent-testing/scenarios`. */
export interface BlandScenario {
  name: string;
  pathway_id?: string;
  scenario_type: string;
  tester_persona_prompt: string;
  max_turns?: number;
  request_data?: { [name: string]: unknown };
  assertions: BlandAssertion[];
}

/** Scenarios of Bland, and the parts of the scenarios that they do not support. */
export interface BlandScenarios {
  readonly scenarios: readonly BlandScenario[];
  readonly losses: readonly Loss[];
}

/** Key of a scenario for the one that it was imported from, if it alone would be written differently. */
const ORIGINAL = "bland";
/** Most turns of a scenario, and the number without a setting. */
const [MOST_TURNS, USUAL_TURNS] = [50, 20];
const JUDGE = "LLM_JUDGE";

/**
 * Emits scenarios as those of Bland's agent testing. Expected texts, tool calls, variables and ends become questions for
 * Bland's judge.
 *
 * @param options.pathwayId For the API, which requires it.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`.
 * @see https://docs.bland.ai/api-v1/post/agent-testing-scenarios
 */
export function emitBlandScenarios(
  sources: readonly ScenarioSource[],
  options: { readonly pathwayId?: string } = {},
): BlandScenarios {
  const rules = { scenarios: OPTION.list, options: groupOf({ pathwayId: OPTION.text }) };
  checkOptions(
    { scenarios: sources ?? null, options: options ?? null },
    rules,
    ScenarioError,
    "Cannot write scenarios",
  );
  const given = sources.map((source) => withToldTraits(toScenario(source)));
  const ofPathway = options.pathwayId === undefined ? {} : { pathway_id: options.pathwayId };
  const scenarios = given.map((scenario): BlandScenario => ({ ...emitScenario(scenario), ...ofPathway }));
  return { scenarios, losses: given.flatMap(lossesOf) };
}

/**
 * Imports scenarios of Bland: one, a list, or an answer of the API with a list. Its judge's questions become criteria;
 * other assertions stay with the scenario, and are written back.
 *
 * @param document JSON text (with or without a byte order mark), or a parsed value.
 * @throws {PlatformError} `invalid-json`.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function importBlandScenarios(document: unknown): readonly Scenario[] {
  const value = typeof document === "string" ? parseJson(document, "Cannot import scenarios") : document;
  const inside = isRecord(value) ? [value.scenarios, value.data].find(Array.isArray) : undefined;
  const list: readonly unknown[] = inside ?? (Array.isArray(value) ? value : [value]);
  return parseScenarios(list.map(known)).map((scenario, index) =>
    sameJson(writeScenario(scenario), list[index]) ? scenario : { ...scenario, [ORIGINAL]: list[index] },
  );
}

/** What a scenario of Bland says in the words of ours. */
function known(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { name, tester_persona_prompt: prompt, max_turns: turns, request_data: variables, assertions } = item;
  const judged = records(assertions).filter(({ type }) => type === JUDGE);
  const metrics = judged.flatMap(({ config }) => {
    const { prompt: criterion, output_type: kind, threshold }: JsonObject = isRecord(config) ? config : {};
    if (typeof criterion !== "string" || criterion === "") return [];
    const isOther = kind === "score" && typeof threshold === "number" && threshold !== DEFAULT_THRESHOLD;
    return [{ criterion, ...(isOther ? { threshold } : {}) }];
  });
  return {
    name,
    ...(typeof prompt === "string" ? { user_prompt: prompt } : {}),
    ...(typeof turns === "number" && turns !== USUAL_TURNS ? { max_turns: turns } : {}),
    ...(isRecord(variables) ? { dynamic_variables: variables } : {}),
    metrics,
  };
}

/** Emits a scenario into the one that it was imported from, if there is one. */
function emitScenario(scenario: Scenario): BlandScenario {
  const mine = writeScenario(scenario);
  const original = own({ ...scenario }, ORIGINAL);
  const [base] = isRecord(original) ? parseScenarios([known(original)]).map(writeScenario) : [];
  // the imported scenario, merged with parts of an emitted one
  return base ? (merge(original, base, mine, { keys: ["id", "config.prompt"] }) as BlandScenario) : mine;
}

function writeScenario(scenario: Scenario): BlandScenario {
  const { name, metrics, dynamic_variables: variables, max_turns: turns } = scenario;
  const judge = (prompt: string, threshold?: number | null): BlandAssertion => ({
    type: JUDGE,
    config: { prompt, output_type: "score", threshold: threshold ?? DEFAULT_THRESHOLD },
    is_required: true,
  });
  return {
    ...{ name, scenario_type: "AGENT", tester_persona_prompt: personaOf(scenario) },
    ...(turns == null ? {} : { max_turns: Math.min(turns, MOST_TURNS) }),
    ...(Object.keys(variables).length > 0 ? { request_data: { ...variables } } : {}),
    assertions: [
      ...metrics.map(({ criterion, threshold }) => judge(criterion, threshold)),
      ...questions(scenario).map(({ words }) => judge(words)),
    ],
  };
}

function personaOf({ user_prompt: prompt, says }: Scenario): string {
  const written = writtenLines(says);
  if (written.length === 0) return prompt || "You have called the agent. Answer its questions briefly.";
  const lines = written.map((line, index) => `${index + 1}. ${line}`).join("\n");
  const then = prompt ? "After them, go on in your own words" : "Then hang up";
  return [prompt, `Say these lines word for word, one each turn. ${then}.\n${lines}`].filter(Boolean).join("\n\n");
}

const ENDS: ReadonlyMap<unknown, string> = new Map([
  ["agent_ended", "The agent ends the call"],
  ["agent_transferred", "The agent transfers the call"],
]);

/** Expectations as sentences for Bland's judge, with the key and the place of each. */
function questions(
  scenario: Scenario,
): readonly { readonly at: readonly (string | number)[]; readonly words: string }[] {
  const { includes, excludes, patterns, calls, extracts, ends } = scenario;
  const end = ENDS.get(ends);
  const each = <Item>(key: string, items: readonly Item[], say: (item: Item) => string) =>
    items.map((item, index) => ({ at: [key, index], words: say(item) }));
  return [
    ...each("includes", includes, (text) => `The agent says ${JSON.stringify(text)}`),
    ...each("excludes", excludes, (text) => `The agent never says ${JSON.stringify(text)}`),
    ...each("patterns", patterns, (text) => `Something that the agent says matches the pattern ${text}`),
    ...replyWords(scenario).map(({ path, metric }) => ({ at: path, words: metric })),
    ...each(
      "calls",
      calls,
      ({ tool, args }) => `The agent calls the tool ${tool} with at least ${JSON.stringify(args)}`,
    ),
    ...Object.entries(extracts).map(([name, value]) => ({
      at: ["extracts", name],
      words: `At the end of the call, ${name} is ${JSON.stringify(value)}`,
    })),
    ...(end === undefined ? [] : [{ at: ["ends"], words: end }]),
  ];
}

/** Reports the parts of a scenario that Bland's agent testing does not support. */
function lossesOf(scenario: Scenario, index: number): readonly Loss[] {
  const losses: Loss[] = [];
  const lose = (code: string, at: readonly (string | number)[], message: string, instead?: string) => {
    const hint = "Run the scenario with Callweave, which checks it";
    const kind = instead === undefined ? "dropped" : "emulated";
    losses.push({ code, kind, path: [index, ...at], message, ...(instead === undefined ? {} : { instead }), hint });
  };
  const { says, user_prompt: prompt, ends, max_turns: turns, answers_within_ms: limitMs } = scenario;
  if (says.length > 0)
    lose("scripted-caller", ["says"], "Bland's callers are simulated by a model", "a prompt with the lines");
  else if (!prompt)
    lose("no-caller", ["user_prompt"], "Bland needs a prompt for the caller", "one who answers questions");
  for (const { at, words } of questions(scenario))
    lose("expectation-as-metric", at, words, "a question for Bland's judge");
  for (const key of ["visits", "avoids"] as const)
    if (scenario[key].length > 0)
      lose("path-expectation", [key], "How Bland's assertions name nodes is not documented: set them in the dashboard");
  for (const [at, { tool_name: tool }] of scenario.tool_mocks.entries())
    lose("mock", ["tool_mocks", at], `Bland's scenarios run real tools: ${tool}`);
  for (const [at, name] of (scenario.checks ?? []).entries())
    lose("own-check", ["checks", at], `Bland cannot run the function of check "${name}"`);
  for (const [at, { panel }] of scenario.metrics.entries())
    if (panel != null) lose("panel", ["metrics", at, "panel"], "Bland has one judge for a criterion", "one judge");
  if (ends != null && !ENDS.has(ends))
    lose("end-expectation", ["ends"], `Bland's judge cannot detect an end by ${ends}`);
  if (limitMs != null) lose("latency-expectation", ["answers_within_ms"], "Bland's scenarios do not measure latency");
  for (const { path, code, message } of [...unseenReplyRules(scenario), ...stateParts(scenario)])
    lose(code, path, message);
  for (const { path, text, instead } of voiceParts(scenario))
    lose("voice-only", path, `Bland's scenarios are in text, without ${text}`, instead);
  if (turns != null && turns > MOST_TURNS)
    lose("turn-limit", ["max_turns"], `Bland allows ${MOST_TURNS} turns, not ${turns}`, `${MOST_TURNS} turns`);
  const others = ["llm_model", "tags", "repeat", "gate", "offline_path"].filter(
    (key) => own({ ...scenario }, key) != null,
  );
  for (const key of others) lose("run-setting", [key], `Bland's scenarios have no ${key}`);
  return losses;
}

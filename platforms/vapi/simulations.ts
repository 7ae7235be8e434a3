import { defined } from "../../src/base/values/mod.ts";
import {
  type Scenario,
  type ScenarioSource,
  toScenarios,
  voiceParts,
  withToldTraits,
  writtenLines,
} from "../../src/document/scenario/mod.ts";
import type { Loss } from "../platform.ts";
import { replyWords, stateParts, unseenReplyRules } from "../scenario_words.ts";
import { limits } from "./api/mod.ts";
import type {
  AssistantOverrides,
  ChatEvalAssistantMessageEvaluation,
  CreateEvalDTO,
  EvaluationPlanItem,
  ScenarioToolMock,
  SimulationRunSimulationEntry,
} from "./generated/mod.ts";

/** Scenarios as Vapi's tests, and the losses. */
export interface VapiTests {
  /** Simulated callers: complete entries for `POST /eval/simulation/run`; nothing has to be saved first. */
  readonly simulations: readonly SimulationRunSimulationEntry[];
  /** Scripted callers: bodies for `POST /eval`. */
  readonly evals: readonly VapiEval[];
  /** Changed and omitted parts. Paths start with the scenario's name. */
  readonly losses: readonly Loss[];
}

/**
 * Emits scenarios as Vapi's tests: those with scripted lines as evals, all others as simulations. Expected paths, call
 * ends, latency and turn limits are losses: test them with `callweave run`.
 *
 * @throws {ScenarioError} `invalid-scenario`.
 * @see https://docs.vapi.ai/observability/evals-quickstart
 */
export function emitVapiTests(sources: readonly ScenarioSource[]): VapiTests {
  const scenarios = toScenarios(sources).map(withToldTraits);
  const losses: Loss[] = [];
  const isScripted = ({ says }: Scenario) => writtenLines(says).length > 0;
  return {
    simulations: scenarios.filter((item) => !isScripted(item)).map((item) => emitSimulation(item, losses)),
    evals: scenarios.filter(isScripted).map((item) => emitEval(item, losses)),
    losses,
  };
}

/** Emits a scenario with a simulated caller as a simulation: persona, goal and checks at the end. */
function emitSimulation(scenario: Scenario, losses: Loss[]): SimulationRunSimulationEntry {
  const lose = losesInto(losses, scenario);
  loseCommon(scenario, lose);
  const name = clipped(scenario.name, limits().scenarioName, "name", lose);
  const wish = scenario.user_prompt || "Call the agent and see what it can do for you.";
  const instructions = clipped(wish, limits().scenarioInstructions, "user_prompt", lose);
  const toolMocks = emitMocks(scenario, lose);
  return {
    type: "simulation",
    name,
    personality: {
      name,
      assistant: {
        model: {
          provider: "openai",
          model: TESTER,
          messages: [{ role: "system", content: `You are a caller on the phone. ${wish}` }],
        },
      },
    },
    scenario: {
      name,
      instructions,
      evaluations: emitEvaluations(scenario, lose),
      ...variableOverrides("targetOverrides", scenario),
      ...(toolMocks.length > 0 ? { toolMocks } : {}),
    },
  };
}

function emitEvaluations(scenario: Scenario, lose: Lose): EvaluationPlanItem[] {
  const patterns = scenario.patterns.map((pattern) => {
    const message = "Vapi matches patterns against the whole transcript, including the caller";
    lose("patterns", "pattern-judged", message, "a judge");
    return `Something that the agent says matches the pattern ${JSON.stringify(pattern)}`;
  });
  const calls = scenario.calls.map(({ tool, args }) => {
    lose("calls", "tool-call-judged", "Simulations do not compare the arguments of tool calls", "a judge");
    return `The agent called the tool ${tool} with at least these arguments: ${JSON.stringify(args)}`;
  });
  const replies = replyWords(scenario).map(({ metric }) => {
    lose("each_reply", "reply-judged", "Simulations do not check replies one by one", "a judge of the whole call");
    return metric;
  });
  const criteria = [...scenario.metrics.map(({ criterion }) => criterion), ...patterns, ...replies, ...calls];
  return [
    ...criteria.map((criterion, index) => judged(`criterion_${index + 1}`, "boolean", criterion, true)),
    ...scenario.includes.map((text, index) => said(`says_${index + 1}`, text, true)),
    ...scenario.excludes.map((text, index) => said(`never_says_${index + 1}`, text, false)),
    ...Object.entries(scenario.extracts).map(([variable, value], index) => {
      lose("extracts", "variable-judged", "Simulations cannot access the variables of a call", "a judge");
      const description = `The value of "${variable}" that came out of the call, and nothing else`;
      return judged(`variable_${index + 1}`, "string", description, plainText(value));
    }),
  ];
}

/** Creates a check that a model evaluates. */
function judged(
  name: string,
  type: "boolean" | "string",
  description: string,
  value: boolean | string,
): EvaluationPlanItem {
  const structuredOutput = { name, type: "ai" as const, description, schema: { type, description } };
  return { structuredOutput, comparator: "=", value };
}

/**
 * Creates a check of whether the agent said a text, ignoring case. The agent's lines in Vapi's transcript start with
 * `AI:`.
 */
function said(name: string, text: string, expected: boolean): EvaluationPlanItem {
  const description = `The agent says ${JSON.stringify(text)}`;
  const regex = `/AI: [^\\n]*${text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}/i`;
  const how = regex.length <= limits().outputRegex ? { type: "regex" as const, regex } : { type: "ai" as const };
  return {
    structuredOutput: { name, description, schema: { type: "boolean", description }, ...how },
    comparator: "=",
    value: expected,
  };
}

/** Emits one answer per tool, because Vapi's mocks check neither arguments nor the number of calls. */
function emitMocks(scenario: Scenario, lose: Lose): ScenarioToolMock[] {
  const byTool = new Map<string, ScenarioToolMock>();
  for (const { tool_name: toolName, input_match_rule: rule, output, result } of scenario.tool_mocks) {
    const isKnown = byTool.has(toolName);
    if (rule.type === "partial_match" || isKnown) {
      const instead = isKnown ? "the first answer" : "the same answer for every call";
      lose("tool_mocks", "mock-arguments", `Vapi's mocks ignore the arguments of "${toolName}"`, instead);
    }
    if (isKnown) continue;
    const text = plainText(output);
    if (!result)
      lose("tool_mocks", "mock-failure", `Vapi's mock of "${toolName}" cannot fail`, "an answer with the error");
    byTool.set(toolName, { toolName, result: result ? text : `Error: ${text}`, enabled: true });
  }
  return [...byTool.values()];
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A call with scripted lines, and the variables of its target. */
export interface VapiEval {
  readonly eval: CreateEvalDTO;
  /** For the target of `POST /eval/run`. */
  readonly assistantOverrides?: AssistantOverrides;
}

/** Accepts any reply between two lines of the script. */
const ANYTHING = "[\\s\\S]*";

/** Emits a scenario with scripted lines as an eval: the caller's lines, and one judge after the last one. */
function emitEval(scenario: Scenario, losses: Loss[]): VapiEval {
  const lose = losesInto(losses, scenario);
  loseCommon(scenario, lose);
  if (scenario.tool_mocks.length > 0)
    lose("tool_mocks", "tool-mock", "Evals do not support mocks: the agent's own tools are called");
  if (Object.keys(scenario.extracts).length > 0)
    lose("extracts", "variable-expectation", "Evals cannot access the variables of a call");
  if (replyWords(scenario).length > 0)
    lose("each_reply", "reply-judged", "Evals do not check replies one by one", "a judge after the last reply");
  const lines = writtenLines(scenario.says);
  const last = lines.length - 1;
  const messages = lines.flatMap((line, index): CreateEvalDTO["messages"] => [
    { role: "user", content: clipped(line, limits().evalLine, "says", lose) },
    { role: "assistant", judgePlan: index === last ? judge(scenario) : { type: "regex", content: ANYTHING } },
  ]);
  return {
    eval: {
      type: "chat.mockConversation",
      name: clipped(scenario.name, limits().evalName, "name", lose),
      messages,
    },
    ...variableOverrides("assistantOverrides", scenario),
  };
}

function judge(scenario: Scenario): ChatEvalAssistantMessageEvaluation["judgePlan"] {
  const criteria = [
    ...scenario.metrics.map(({ criterion }) => criterion),
    ...scenario.includes.map((text) => `Somewhere the agent says ${JSON.stringify(text)}, in whatever case`),
    ...scenario.excludes.map((text) => `The agent never says ${JSON.stringify(text)}, in whatever case`),
    ...scenario.patterns.map(
      (pattern) => `Something that the agent says matches the pattern ${JSON.stringify(pattern)}`,
    ),
    ...replyWords(scenario).map(({ metric }) => metric),
    ...scenario.calls.map(({ tool, args }) => `The agent calls ${tool} with at least ${JSON.stringify(args)}`),
  ];
  if (criteria.length === 0) return { type: "regex", content: ANYTHING };
  const list = criteria.map((criterion, index) => `${index + 1}. ${criterion}`).join("\n");
  const content = [
    "You judge how an agent handled a phone call. All of this must hold:",
    `{% raw %}${list.replaceAll("{% endraw %}", "")}{% endraw %}`,
    "The call: {{messages}}",
    'Answer "pass" when all of it holds, and "fail" otherwise. Say nothing else.',
  ].join("\n\n");
  return {
    type: "ai",
    model: { provider: "openai", model: TESTER, temperature: 0, messages: [{ role: "system", content }] },
  };
}

/** Model that plays the caller and judges, as in the examples of Vapi's documentation. */
const TESTER = "gpt-4.1";

/** Adds a loss for a key of a scenario: `emulated` if something is emitted instead, else `dropped`. */
export type Lose = (key: string, code: string, message: string, instead?: string) => void;

/** Returns the function that adds a scenario's losses to a list. */
function losesInto(losses: Loss[], { name }: Scenario): Lose {
  const hint = "Run the scenario with Callweave, which supports it";
  return (key, code, message, instead) => {
    const kind = instead === undefined ? "dropped" : "emulated";
    losses.push(defined({ kind, path: [name, key], hint, code, message, instead }));
  };
}

/** Adds losses that simulations and evals share. */
function loseCommon(scenario: Scenario, lose: Lose): void {
  const { visits, avoids, ends, max_turns: turns, llm_model: model, answers_within_ms: limitMs } = scenario;
  for (const [key, list] of Object.entries({ visits, avoids }))
    if (list.length > 0) lose(key, "path-expectation", "Vapi's tests cannot check which members a call visits");
  if (ends) lose("ends", "end-expectation", "Vapi's tests cannot check how a call ends");
  if (limitMs !== undefined && limitMs !== null)
    lose("answers_within_ms", "latency-expectation", "Vapi's tests do not measure latency");
  for (const { path, code, message } of [...unseenReplyRules(scenario), ...stateParts(scenario)])
    lose(path.join("."), code, message);
  for (const { path, text, instead } of voiceParts(scenario))
    lose(path.join("."), "voice-only", `Vapi's tests are in text, without ${text}`, instead);
  if (turns !== undefined && turns !== null) lose("max_turns", "turn-limit", "Vapi's tests have no turn limit");
  if (model) lose("llm_model", "agent-model", "Vapi's tests run the agent with its own models");
  for (const [index, { threshold }] of scenario.metrics.entries()) {
    const message = `Vapi judges with yes or no, without a threshold such as ${threshold}`;
    if (threshold != null) lose("metrics", "metric-threshold", message, `criterion ${index + 1} as yes or no`);
  }
}

/** Truncates a text to Vapi's limit, in whole characters. */
function clipped(text: string, most: number, key: string, lose: Lose): string {
  if (text.length <= most) return text;
  const message = `A text of ${text.length} characters is longer than Vapi's limit of ${most}`;
  lose(key, "text-clipped", message, `its first ${most} characters`);
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns Vapi's overrides for a scenario's variables under a key; empty if there are no variables. */
function variableOverrides<Key extends string>(key: Key, { dynamic_variables: variables }: Scenario) {
  const overrides = { [key]: { variableValues: { ...variables } } };
  return Object.keys(variables).length > 0 ? overrides : {};
}

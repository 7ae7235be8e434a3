import { ScenarioError } from "../../src/base/errors.ts";
import { GATE_NEEDS, type Gate, isGate } from "../../src/base/statistics/mod.ts";
import { checkOptions, defined, isRecord, type JsonObject, OPTION, rule } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import {
  type CallerLine,
  type CallerTraits,
  CHECKS,
  type CheckFunction,
  completeScenario,
  type EndStateCheck,
  type Interruption,
  mockOf,
  type OfflineTurn,
  type OwnCheckOptions,
  parseScenarios,
  type Scenario,
  type ScenarioGate,
  slipInAnswer,
} from "../../src/document/scenario/mod.ts";
import type { EndReason } from "../../src/document/transcript/mod.ts";
import type { FlowGraph } from "../flow_graph.ts";
import type { TypedTool } from "../tools.ts";
import type { Variables } from "../variables.ts";
import { filled, given, nothingGiven, patternSource, some } from "./arguments.ts";
import { type EachReply, eachReply } from "./each_reply.ts";
import type { AnyVariable, CallerSpeechOptions, ScenarioDraft } from "./scenario_draft.ts";

/**
 * Starts a scenario. With a compiled flow, names are checked while you type. Pass the scenario to `run` as it is.
 *
 * @example
 * ```ts
 * const books = scenario("books an appointment") // with a flow, scenario("…", clinic), names are checked
 *   .says("I'd like to come in", "Tuesday, please")
 *   .visits("greet", "book")
 *   .judge("The agent offers a time");
 * ```
 */
export function scenario<
  NodeId extends string = string,
  Vars extends Variables = { readonly [name: string]: AnyVariable },
  OneTool extends TypedTool = TypedTool,
>(
  name: string,
  _graph?: AgentGraph | FlowGraph<NodeId, Vars, OneTool>,
): ScenarioDraft<{ readonly node: NodeId; readonly tool: OneTool; readonly variables: Vars }> {
  return new ScenarioBuilder(completeScenario({ name }));
}

const CHECK_RULES = {
  name: rule("a text that is not empty", (value) => typeof value === "string" && value.trim() !== ""),
  judge: OPTION.function,
  threshold: rule("a number above 0 and up to 1", (value) => typeof value === "number" && value > 0 && value <= 1),
  checkTimeoutMs: OPTION.milliseconds,
};

/**
 * A scenario without literal types. Invalid values throw a ScenarioError immediately; names are checked
 * against the graph at run time.
 */
export class ScenarioBuilder {
  readonly #scenario: Scenario;
  /** An interruption whose words are not known yet. */
  readonly #interrupts: Interruption | undefined;

  constructor(scenario: Scenario, interrupts?: Interruption) {
    const [checked = scenario] = parseScenarios(scenario);
    this.#scenario = Object.freeze(checked);
    this.#interrupts = interrupts;
  }

  persona(text: string): ScenarioBuilder {
    return this.#with({ user_prompt: given("persona", text) });
  }
  says(...lines: readonly string[]): ScenarioBuilder {
    return this.#takes(...some("says", lines));
  }
  interrupts(after: { readonly afterMs: number } | { readonly afterWords: number }): ScenarioBuilder {
    checkOptions(after ?? {}, AFTER_RULES, ScenarioError, "Cannot interrupt the agent");
    const { afterMs, afterWords } = { afterMs: undefined, afterWords: undefined, ...after };
    if ((afterMs === undefined) === (afterWords === undefined)) throw notOneOf("interrupts", "afterMs", "afterWords");
    if (this.#interrupts) throw nothingOver();
    const interrupts = afterMs === undefined ? { after_words: Number(afterWords) } : { after_ms: afterMs };
    return new ScenarioBuilder(this.#scenario, interrupts);
  }
  silence(ms: number): ScenarioBuilder {
    return this.#takes({ silence_ms: given("silence", ms) });
  }
  dtmf(keys: string): ScenarioBuilder {
    return this.#takes({ dtmf: given("dtmf", keys) });
  }
  holdMusic(ms: number): ScenarioBuilder {
    return this.#takes({ hold_music_ms: given("holdMusic", ms) });
  }
  voicemail(greeting: string): ScenarioBuilder {
    return this.#takes({ voicemail: given("voicemail", greeting) });
  }
  hangsUp(options: { readonly midSentence?: boolean } = {}): ScenarioBuilder {
    checkOptions(options, { midSentence: OPTION.switch }, ScenarioError, "Cannot hang up");
    return this.#takes({ hangs_up: options.midSentence ? { mid_sentence: true } : {} });
  }
  speaks(options: CallerSpeechOptions): ScenarioBuilder {
    checkOptions(given("speaks", options), SPEECH_RULES, ScenarioError, "Cannot choose how the caller speaks");
    const { noise, line: { packetLoss } = {}, ...rest } = options;
    const speaks = defined({ ...rest, noise_db: noise, packet_loss: packetLoss });
    if (Object.keys(speaks).length === 0) throw nothingGiven("speaks");
    return this.#with({ speaks: { ...this.#scenario.speaks, ...speaks } });
  }
  caller(traits: CallerTraits): ScenarioBuilder {
    const own = given("caller", traits);
    if (isRecord(own) && Object.keys(own).length === 0) throw nothingGiven("caller");
    return this.#with({ caller: isRecord(own) ? { ...this.#scenario.caller, ...own } : own });
  }
  variables(values: { readonly [name: string]: unknown }): ScenarioBuilder {
    return this.#with({ dynamic_variables: joined(this.#scenario.dynamic_variables, given("variables", values)) });
  }
  mock(tool: string, answer: unknown): ScenarioBuilder {
    checkAnswer(tool, answer);
    return this.#with({ tool_mocks: [...this.#scenario.tool_mocks, mockOf(tool, answer)] });
  }
  toolState(state: JsonObject): ScenarioBuilder {
    return this.#with({ tool_state: joinedDeep(this.#scenario.tool_state ?? {}, filledObject("toolState", state)) });
  }
  judge(criterion: string, options: { readonly threshold?: number; readonly panel?: number } = {}): ScenarioBuilder {
    const rules = { threshold: rule("a number", () => true), panel: rule("a number", () => true) };
    checkOptions(options, rules, ScenarioError, "Cannot add a criterion");
    const { threshold, panel } = options;
    const metric = { criterion, threshold, ...(panel === undefined ? {} : { panel }) };
    const { metrics } = completeScenario({ name: "", metrics: [metric] });
    return this.#with({ metrics: [...this.#scenario.metrics, ...metrics] });
  }
  check(name: string, judge: unknown, options: OwnCheckOptions = {}): ScenarioBuilder {
    const given = { ...options, name: name ?? null, judge: judge ?? null };
    checkOptions(given, CHECK_RULES, ScenarioError, "Cannot add a check");
    const { checks, [CHECKS]: functions } = this.#scenario;
    const check = { ...options, name, judge: judge as CheckFunction }; // validated above; a flow's types narrow its parameter
    return this.#with({ checks: [...(checks ?? []), name], [CHECKS]: [...(functions ?? []), check] });
  }
  includes(...texts: readonly string[]): ScenarioBuilder {
    return this.#with({ includes: [...this.#scenario.includes, ...filled("includes", texts)] });
  }
  excludes(...texts: readonly string[]): ScenarioBuilder {
    return this.#with({ excludes: [...this.#scenario.excludes, ...filled("excludes", texts)] });
  }
  matches(...patterns: readonly (string | RegExp)[]): ScenarioBuilder {
    const sources = filled("matches", patterns).map(patternSource);
    return this.#with({ patterns: [...this.#scenario.patterns, ...sources] });
  }
  get eachReply(): EachReply<ScenarioBuilder> {
    return eachReply((rule) => this.#with({ each_reply: [...(this.#scenario.each_reply ?? []), rule] }));
  }
  visits(...ids: readonly string[]): ScenarioBuilder {
    return this.#with({ visits: [...this.#scenario.visits, ...filled("visits", ids)] });
  }
  avoids(...ids: readonly string[]): ScenarioBuilder {
    return this.#with({ avoids: [...this.#scenario.avoids, ...filled("avoids", ids)] });
  }
  ends(reason: EndReason): ScenarioBuilder {
    return this.#with({ ends: given("ends", reason) });
  }
  extracts(values: { readonly [name: string]: unknown }): ScenarioBuilder {
    if (isRecord(values) && some("extracts", Object.values(values)).includes(undefined)) throw nothingGiven("extracts");
    return this.#with({ extracts: joined(this.#scenario.extracts, given("extracts", values)) });
  }
  calls(tool: string, args: unknown = {}): ScenarioBuilder {
    const call = { tool, args: args as JsonObject }; // validated with the whole scenario
    return this.#with({ calls: [...this.#scenario.calls, call] });
  }
  endState(expected: unknown, options: OwnCheckOptions & { readonly name?: string } = {}): ScenarioBuilder {
    if (typeof expected !== "function") {
      checkOptions(options, CHECK_RULES, ScenarioError, "Cannot expect an end state");
      if (Object.keys(options).length > 0) throw onlyForFunctions(Object.keys(options));
      return this.#with({ end_state: joinedDeep(this.#scenario.end_state ?? {}, filledObject("endState", expected)) });
    }
    const { checks = [], [CHECKS]: functions = [] } = this.#scenario;
    const name = options.name ?? "end state";
    checkOptions({ ...options, name, judge: expected }, CHECK_RULES, ScenarioError, "Cannot add a check");
    const check = { ...options, name, endState: expected as EndStateCheck }; // validated above; a flow's types narrow its parameter
    return this.#with({ checks: [...(checks ?? []), name], [CHECKS]: [...functions, check] });
  }
  answersWithin(ms: number, options: { readonly afterTools?: number } = {}): ScenarioBuilder {
    checkOptions(options, { afterTools: OPTION.milliseconds }, ScenarioError, "Cannot expect a latency");
    const after = defined({ answers_after_tools_within_ms: options.afterTools });
    return this.#with({ answers_within_ms: given("answersWithin", ms), ...after });
  }
  stopsWithin(ms: number): ScenarioBuilder {
    return this.#with({ stops_within_ms: given("stopsWithin", ms) });
  }
  neverTalksOver(atMostMs = 200): ScenarioBuilder {
    return this.#with({ talks_over_at_most_ms: given("neverTalksOver", atMostMs) });
  }
  noDeadAir(atMostMs = 4_000): ScenarioBuilder {
    return this.#with({ dead_air_at_most_ms: given("noDeadAir", atMostMs) });
  }
  saysNothingTwice(): ScenarioBuilder {
    return this.#with({ says_nothing_twice: true });
  }
  wordErrors(atMost: number): ScenarioBuilder {
    return this.#with({ word_errors_at_most: given("wordErrors", atMost) });
  }
  turns(max: number): ScenarioBuilder {
    return this.#with({ max_turns: given("turns", max) });
  }
  offlinePath(...turns: readonly OfflineTurn[]): ScenarioBuilder {
    return this.#with({ offline_path: some("offlinePath", turns) });
  }
  repeat(times: number): ScenarioBuilder {
    return this.#with({ repeat: given("repeat", times) });
  }
  gate(gate: Gate): ScenarioBuilder {
    checkOptions(
      { gate: gate ?? null },
      { gate: rule(GATE_NEEDS, isGate) },
      ScenarioError,
      "Cannot set the gate of a scenario",
    );
    return this.#with({ gate: gateDocument(gate) });
  }
  tags(...names: readonly string[]): ScenarioBuilder {
    return this.#with({ tags: [...(this.#scenario.tags ?? []), ...some("tags", names)] });
  }
  toJSON(): Scenario {
    if (this.#interrupts) throw nothingOver();
    return this.#scenario;
  }

  #with(changes: Partial<Scenario>): ScenarioBuilder {
    return new ScenarioBuilder({ ...this.#scenario, ...changes }, this.#interrupts);
  }

  #takes(...lines: readonly CallerLine[]): ScenarioBuilder {
    const over = this.#interrupts ? [{ interrupts: this.#interrupts }] : [];
    return new ScenarioBuilder({ ...this.#scenario, says: [...this.#scenario.says, ...over, ...lines] });
  }
}

const AFTER_RULES = { afterMs: OPTION.milliseconds, afterWords: OPTION.count };
const SPEECH_RULES = {
  ...{ voice: OPTION.text, language: OPTION.text },
  rate: rule("a number from 0.25 to 4", (value) => typeof value === "number"),
  noise: rule("a number of decibels", (value) => typeof value === "number"),
  line: {
    ...OPTION.object,
    group: { packetLoss: rule("a number from 0 to 1", (value) => typeof value === "number") },
  },
};

function notOneOf(method: string, ...names: readonly [string, string]): ScenarioError {
  return new ScenarioError(`Cannot add to a scenario: .${method}() needs one of ${names.join(" and ")}`, {
    code: "invalid-option",
    path: [method],
    hint: `Pass { ${names[0]}: 600 } or { ${names[1]}: 4 }`,
  });
}

function nothingOver(): ScenarioError {
  return new ScenarioError("Cannot use a scenario: nothing follows .interrupts()", {
    code: "invalid-scenario",
    path: ["interrupts"],
    hint: 'Add .says("…"), .dtmf("…") or .hangsUp() behind it',
  });
}

function gateDocument(gate: Gate): ScenarioGate {
  if ("minPassRate" in gate) return { min_pass_rate: gate.minPassRate };
  return "passAny" in gate ? { pass_any: true } : { pass_all: true };
}

/** Returns an object with at least one key. An empty one would say nothing. */
function filledObject(method: string, value: unknown): JsonObject {
  if (!isRecord(value) || Object.keys(value).length === 0) throw nothingGiven(method);
  return value;
}

/** Merges expected values: those of objects in both are expected together. */
function joinedDeep(before: JsonObject, values: JsonObject): JsonObject {
  const merged = Object.entries(values).map(([key, value]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, isRecord(old) && isRecord(value) ? joinedDeep(old, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(merged) };
}

function onlyForFunctions(names: readonly string[]): ScenarioError {
  return new ScenarioError(`Cannot expect an end state: ${names.join(", ")} is only for functions`, {
    code: "invalid-option",
    path: ["endState", ...names.slice(0, 1)],
    hint: "Remove it, or pass a function that checks the state",
  });
}

/** Merges values. Anything but an object is returned as it is, and rejected by the validation. */
function joined<Values extends object>(before: Values, values: Values): Values {
  return isRecord(values) ? { ...before, ...values } : values;
}

/** @throws {ScenarioError} `invalid-option` when a key of the answer is misspelt. */
function checkAnswer(tool: string, answer: unknown): void {
  const slip = slipInAnswer(answer);
  if (!slip) return;
  throw new ScenarioError(`Cannot mock "${tool}": an answer has no "${slip.key}"`, {
    code: "invalid-option",
    path: ["mock", slip.key],
    hint: `Did you mean "${slip.meant}"?`,
  });
}

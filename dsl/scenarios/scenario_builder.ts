import { ScenarioError } from "../../src/base/errors.ts";
import { GATE_NEEDS, type Gate, isGate } from "../../src/base/statistics/mod.ts";
import { checkOptions, isRecord, type JsonObject, OPTION, rule } from "../../src/base/values/mod.ts";
import {
  CHECKS,
  type CheckFunction,
  completeScenario,
  mockOf,
  type OfflineTurn,
  type OwnCheckOptions,
  parseScenarios,
  type Scenario,
  type ScenarioGate,
  slipInAnswer,
} from "../../src/document/scenario/mod.ts";
import type { EndReason } from "../../src/document/transcript/mod.ts";

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

  constructor(scenario: Scenario) {
    const [checked = scenario] = parseScenarios(scenario);
    this.#scenario = Object.freeze(checked);
  }

  persona(text: string): ScenarioBuilder {
    return this.#with({ user_prompt: given("persona", text) });
  }
  says(...lines: readonly string[]): ScenarioBuilder {
    return this.#with({ says: [...this.#scenario.says, ...some("says", lines)] });
  }
  variables(values: { readonly [name: string]: unknown }): ScenarioBuilder {
    return this.#with({ dynamic_variables: joined(this.#scenario.dynamic_variables, given("variables", values)) });
  }
  mock(tool: string, answer: unknown): ScenarioBuilder {
    checkAnswer(tool, answer);
    return this.#with({ tool_mocks: [...this.#scenario.tool_mocks, mockOf(tool, answer)] });
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
    const sources = filled("matches", patterns).map((pattern) =>
      pattern instanceof RegExp ? sourceOf(pattern) : pattern,
    );
    return this.#with({ patterns: [...this.#scenario.patterns, ...sources] });
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
  answersWithin(ms: number): ScenarioBuilder {
    return this.#with({ answers_within_ms: given("answersWithin", ms) });
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
    return this.#scenario;
  }

  #with(changes: Partial<Scenario>): ScenarioBuilder {
    return new ScenarioBuilder({ ...this.#scenario, ...changes });
  }
}

function gateDocument(gate: Gate): ScenarioGate {
  if ("minPassRate" in gate) return { min_pass_rate: gate.minPassRate };
  return "passAny" in gate ? { pass_any: true } : { pass_all: true };
}

/** Merges values. Anything but an object is returned as it is, and rejected by the validation. */
function joined<Values extends object>(before: Values, values: Values): Values {
  return isRecord(values) ? { ...before, ...values } : values;
}

/** Throws for an expectation without arguments, which would always pass. */
function some<Item>(method: string, items: readonly Item[]): readonly Item[] {
  if (items.length === 0) throw nothingGiven(method);
  return items;
}

/** Throws for blank texts, which would always pass. */
function filled<Item>(method: string, items: readonly Item[]): readonly Item[] {
  const isBlank = (item: Item) => item === undefined || (typeof item === "string" && item.trim() === "");
  if (items.some(isBlank)) throw nothingGiven(method);
  return some(method, items);
}

/** Throws for a missing argument: as an absent key of a document it would expect nothing. */
function given<Value>(method: string, value: Value): Value {
  if (value === undefined || value === null) throw nothingGiven(method);
  return value;
}

function nothingGiven(method: string): ScenarioError {
  return new ScenarioError(`Cannot add to a scenario: .${method}() has no arguments`, {
    code: "invalid-option",
    path: [method],
    hint: `Pass .${method}() at least one value`,
  });
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

/** A regular expression as RE2 writes it: flags at the start. */
function sourceOf({ source, flags }: RegExp): string {
  const kept = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return `re2:${kept === "" ? "" : `(?${kept})`}${source}`;
}

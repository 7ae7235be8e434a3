import { ScenarioError } from "../../src/base/errors.ts";
import { GATE_NEEDS, type Gate, isGate } from "../../src/base/statistics/mod.ts";
import { checkOptions, isRecord, type JsonObject, OPTION, rule } from "../../src/base/values/mod.ts";
import type { PlatformVariable } from "../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
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
import type { FlowGraph } from "../flow_graph.ts";
import type { AnyName, ArgsOf, AtLeast, KnownTool, MockOf, TypedTool } from "../tools.ts";
import type { TextVariable, Variable, VariableKind, Variables } from "../variables.ts";

/** Names that a scenario is checked against: those of a compiled flow, or any name for other graphs. */
export interface ScenarioNames {
  readonly node: string;
  readonly tool: TypedTool;
  readonly variables: Variables;
}

/** The tool of a name. A node's name, or one unknown to the compiler, allows any arguments and output. */
export type ToolNamed<Names extends ScenarioNames, Name> = [Extract<Names["tool"], { readonly name: Name }>] extends [
  never,
]
  ? TypedTool
  : Extract<Names["tool"], { readonly name: Name }>;

/** A declared variable of any kind. */
export type AnyVariable = TextVariable | Variable<VariableKind, string | number | boolean>;

/** Values of variables by name, with their declared types. */
export type ValuesOf<Vars extends Variables> = {
  readonly [Name in keyof Vars]?: Vars[Name]["choices"][number];
};

/** Values that replace those a platform would provide. */
export type PlatformValues = { readonly [Name in PlatformVariable]?: string };

/** A list with at least one item. An expectation without arguments would always pass. */
export type AtLeastOne<Items extends readonly unknown[]> = Items extends readonly [] ? readonly [item: never] : Items;

/**
 * A scenario under construction: a simulated call and its expectations. Immutable: every method returns a new scenario.
 * A later `persona`, `ends` or `turns` replaces an earlier one; lists are extended.
 */
export type ScenarioDraft<Names extends ScenarioNames> = {
  /** Who calls and what they want. A model plays the persona, after the lines of `says`. */
  persona(text: string): ScenarioDraft<Names>;
  /** Lines of the caller, spoken word for word. Without a `persona`, the caller says nothing else. */
  says<const Lines extends readonly string[]>(...lines: AtLeastOne<Lines>): ScenarioDraft<Names>;
  /** Dynamic variables of the call, including ones that the platform provides, such as `current_time`. */
  variables(values: ValuesOf<Names["variables"]> & PlatformValues): ScenarioDraft<Names>;
  /**
   * Mocks a tool: with an output, or with an answer's `args`, `output`, `fails`, `delayMs` and `times`. A transfer is
   * mocked by its node's id. The first mock that matches and is not used up answers.
   */
  mock<const Name extends Names["tool"]["name"] | Names["node"] | AnyName>(
    tool: Name & KnownTool<Name, Names["tool"]["name"] | Names["node"]>,
    answer: MockOf<ToolNamed<Names, Name>>,
  ): ScenarioDraft<Names>;
  /** Adds a criterion for the judge, who scores it from 0 to 1. The threshold to pass is 0.7 by default. With
   * `panel: 3`, three judges decide by majority. */
  judge(criterion: string, options?: { readonly threshold?: number; readonly panel?: number }): ScenarioDraft<Names>;
  /**
   * Adds a custom check: a function of the finished call that returns `true` or `false`, a score from 0 to 1, or
   * nothing and throws when the call is wrong.
   */
  check(
    name: string,
    judge: CheckFunction<ValuesOf<Names["variables"]>, Names["node"]>,
    options?: OwnCheckOptions,
  ): ScenarioDraft<Names>;
  /** Texts that the agent must say, ignoring case. */
  includes<const Texts extends readonly string[]>(...texts: AtLeastOne<Texts>): ScenarioDraft<Names>;
  /** Texts that the agent must not say, ignoring case. */
  excludes<const Texts extends readonly string[]>(...texts: AtLeastOne<Texts>): ScenarioDraft<Names>;
  /** Patterns (RE2 or glob) that a message of the agent must match. The source of a `RegExp` is used. */
  matches<const Patterns extends readonly (string | RegExp)[]>(...patterns: AtLeastOne<Patterns>): ScenarioDraft<Names>;
  /** Nodes that the call must visit in this order, possibly with others in between. */
  visits<const Ids extends readonly Names["node"][]>(...ids: AtLeastOne<Ids>): ScenarioDraft<Names>;
  /** Nodes that the call must not visit. */
  avoids<const Ids extends readonly Names["node"][]>(...ids: AtLeastOne<Ids>): ScenarioDraft<Names>;
  /** How the call must end. */
  ends(reason: EndReason): ScenarioDraft<Names>;
  /** Final values of variables, compared as texts. */
  extracts(values: ValuesOf<Names["variables"]>): ScenarioDraft<Names>;
  /** A tool that must be called with at least these arguments. */
  calls<const Name extends Names["tool"]["name"] | AnyName>(
    tool: Name & KnownTool<Name, Names["tool"]["name"]>,
    args?: AtLeast<ArgsOf<ToolNamed<Names, Name>>>,
  ): ScenarioDraft<Names>;
  /**
   * Maximum time in milliseconds until the agent's first word, in every turn, the opening included. Replies from
   * recordings are not measured.
   */
  answersWithin(ms: number): ScenarioDraft<Names>;
  /** Number of caller turns after which the call ends with `max_turns`. */
  turns(max: number): ScenarioDraft<Names>;
  /**
   * The path that the scenario was generated for, which the offline model follows when it plays both agent and caller.
   * Reports say so.
   */
  offlinePath(...turns: readonly OfflineTurn[]): ScenarioDraft<Names>;
  /** Number of calls in a run, instead of the run's `repeat`. */
  repeat(times: number): ScenarioDraft<Names>;
  /** When repeated calls pass, instead of the run's gate: `{ minPassRate: 0.8 }`, `{ passAll: true }`, `{ passAny: true }`. */
  gate(gate: Gate): ScenarioDraft<Names>;
  /** Tags that select scenarios: `callweave run … --tag smoke`. */
  tags<const Words extends readonly string[]>(...names: AtLeastOne<Words>): ScenarioDraft<Names>;
  /** Returns the plain document, as in a test-case file. */
  toJSON(): Scenario;
};

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

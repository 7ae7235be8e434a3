import type { Gate } from "../../src/base/statistics/mod.ts";
import type { PlatformVariable } from "../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import {
  type CheckFunction,
  completeScenario,
  type OfflineTurn,
  type OwnCheckOptions,
  type Scenario,
} from "../../src/document/scenario/mod.ts";
import type { EndReason } from "../../src/document/transcript/mod.ts";
import type { FlowGraph } from "../flow_graph.ts";
import type { AnyName, ArgsOf, AtLeast, KnownTool, MockOf, TypedTool } from "../tools/mod.ts";
import type { TextVariable, Variable, VariableKind, Variables } from "../variables.ts";
import { ScenarioBuilder } from "./scenario_builder.ts";

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
export interface ScenarioDraft<Names extends ScenarioNames> {
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
}

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

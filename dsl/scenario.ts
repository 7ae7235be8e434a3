import type { PlatformVariable } from "../src/expressions/mod.ts";
import type { AgentGraph } from "../src/graph/mod.ts";
import {
  type CheckedCall,
  type CheckFunction,
  completeScenario,
  type OwnCheckOptions,
  type Scenario,
} from "../src/scenario/mod.ts";
import type { EndReason } from "../src/transcript/mod.ts";
import type { FlowGraph } from "./flow_graph.ts";
import { ScenarioBuilder } from "./scenario_builder.ts";
import type { AnyName, ArgsOf, AtLeast, KnownTool, MockOf, TypedTool } from "./tool_call.ts";
import type { TextVariable, Variable, VariableKind, Variables } from "./variables.ts";

/** Names that a scenario is checked by: of a compiled flow its own, of any other graph all. */
export interface ScenarioNames {
  readonly node: string;
  readonly tool: TypedTool;
  readonly variables: Variables;
}

/** The names of a graph. */
export type NamesOf<Graph> =
  Graph extends FlowGraph<infer NodeId, infer Vars, infer OneTool>
    ? { readonly node: NodeId; readonly tool: OneTool; readonly variables: Vars }
    : { readonly node: string; readonly tool: TypedTool; readonly variables: { readonly [name: string]: AnyVariable } };

/** The tool of a name; a name that is a node's, or known to the program only, has any arguments and any output. */
export type ToolNamed<Names extends ScenarioNames, Name> = [Extract<Names["tool"], { readonly name: Name }>] extends [
  never,
]
  ? TypedTool
  : Extract<Names["tool"], { readonly name: Name }>;

/** A declared variable of any kind. */
export type AnyVariable = TextVariable | Variable<VariableKind, string | number | boolean>;

/** Values of variables by name, as their declarations say. */
export type ValuesOf<Vars extends Variables> = {
  readonly [Name in keyof Vars]?: Vars[Name]["choices"][number];
};

/** Values in place of those that a platform would give a call. */
export type PlatformValues = { readonly [Name in PlatformVariable]?: string };

/** A list that is not empty: an expectation without arguments would hold whatever the agent does. */
export type AtLeastOne<Items extends readonly unknown[]> = Items extends readonly [] ? readonly [item: never] : Items;

/**
 * A simulated call that is being written, and what must hold of it. Immutable: every call returns another one, and a
 * later `persona`, `ends` or `turns` takes the place of an earlier one, while lists grow.
 */
export interface ScenarioDraft<Names extends ScenarioNames> {
  /** Who calls and what they want; a model plays them. After `says`, the model goes on from the last line. */
  persona(text: string): ScenarioDraft<Names>;
  /** Lines of the caller, spoken word for word. Without `persona`, the caller says nothing else. */
  says<const Lines extends readonly string[]>(...lines: AtLeastOne<Lines>): ScenarioDraft<Names>;
  /** Values that the call starts with; also those that a platform would give it, such as `current_time`. */
  variables(values: ValuesOf<Names["variables"]> & PlatformValues): ScenarioDraft<Names>;
  /**
   * Answers a tool's calls: with an output, or with an answer's `args`, `output`, `fails`, `delayMs` and `times`. A
   * transfer goes by its node's id. Of several mocks of a tool, the first one that fits and is not used up answers.
   */
  mock<const Name extends Names["tool"]["name"] | Names["node"] | AnyName>(
    tool: Name & KnownTool<Name, Names["tool"]["name"] | Names["node"]>,
    answer: MockOf<ToolNamed<Names, Name>>,
  ): ScenarioDraft<Names>;
  /** A criterion for the judge, who scores it from 0 to 1; it passes from the threshold, 0.7 unless set. */
  judge(criterion: string, options?: { readonly threshold?: number }): ScenarioDraft<Names>;
  /**
   * A check of your own: a function of the finished call that returns `true` or `false`, a score from 0 to 1, or nothing
   * and throws if the call is wrong.
   */
  check(
    name: string,
    judge: CheckFunction<CheckedCall<ValuesOf<Names["variables"]>, Names["node"]>>,
    options?: OwnCheckOptions,
  ): ScenarioDraft<Names>;
  /** Texts that the agent must say, without regard to case. */
  includes<const Texts extends readonly string[]>(...texts: AtLeastOne<Texts>): ScenarioDraft<Names>;
  /** Texts that the agent must not say, without regard to case. */
  excludes<const Texts extends readonly string[]>(...texts: AtLeastOne<Texts>): ScenarioDraft<Names>;
  /** Patterns (RE2 or glob) that something the agent says must match; of a `RegExp`, its source. */
  matches<const Patterns extends readonly (string | RegExp)[]>(...patterns: AtLeastOne<Patterns>): ScenarioDraft<Names>;
  /** Nodes that the call must visit, in this order; others may come between. */
  visits<const Ids extends readonly Names["node"][]>(...ids: AtLeastOne<Ids>): ScenarioDraft<Names>;
  /** Nodes that the call must not visit. */
  avoids<const Ids extends readonly Names["node"][]>(...ids: AtLeastOne<Ids>): ScenarioDraft<Names>;
  /** How the call must end. */
  ends(reason: EndReason): ScenarioDraft<Names>;
  /** Values that variables must have at the end, compared as text. */
  extracts(values: ValuesOf<Names["variables"]>): ScenarioDraft<Names>;
  /** A tool that must be called, with at least these arguments. */
  calls<const Name extends Names["tool"]["name"] | AnyName>(
    tool: Name & KnownTool<Name, Names["tool"]["name"]>,
    args?: AtLeast<ArgsOf<ToolNamed<Names, Name>>>,
  ): ScenarioDraft<Names>;
  /** Caller turns after which the call ends with `max_turns`. */
  turns(max: number): ScenarioDraft<Names>;
  /** Words by which runs select scenarios: `callweave run … --tag smoke`. */
  tags<const Words extends readonly string[]>(...names: AtLeastOne<Words>): ScenarioDraft<Names>;
  /** The plain document, as a test-case file has it. */
  toJSON(): Scenario;
}

/**
 * Begins a scenario. With a compiled flow, the names in it are checked while they are typed; `run` takes it as it is.
 *
 * @example
 * ```ts
 * const books = scenario("books an appointment") // with a flow, scenario("…", clinic), names are checked
 *   .says("I'd like to come in", "Tuesday, please")
 *   .visits("greet", "book")
 *   .judge("The agent offers a time");
 * ```
 */
export function scenario<Graph extends AgentGraph = AgentGraph>(
  name: string,
  _graph?: Graph,
): ScenarioDraft<NamesOf<Graph>> {
  return new ScenarioBuilder(completeScenario({ name }));
}

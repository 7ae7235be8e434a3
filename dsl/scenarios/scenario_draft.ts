import type { Gate } from "../../src/base/statistics/mod.ts";
import type { PlatformVariable } from "../../src/document/expressions/mod.ts";
import type { ToolState } from "../../src/document/graph/mod.ts";
import type {
  CallerTraits,
  CheckFunction,
  EndStateCheck,
  OfflineTurn,
  OwnCheckOptions,
  Scenario,
} from "../../src/document/scenario/mod.ts";
import type { EndReason } from "../../src/document/transcript/mod.ts";
import type { AnyName, ArgsOf, AtLeast, KnownTool, MockOf, TypedTool } from "../tools.ts";
import type { TextVariable, Variable, VariableKind, Variables } from "../variables.ts";
import type { EachReply } from "./each_reply.ts";

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

/** Options of `.speaks()`. */
export interface CallerSpeechOptions {
  readonly voice?: string;
  readonly language?: string;
  readonly rate?: number;
  readonly noise?: number;
  readonly line?: { readonly packetLoss?: number };
}

/** A list with at least one item. An expectation without arguments would always pass. */
export type AtLeastOne<Items extends readonly unknown[]> = Items extends readonly [] ? readonly [item: never] : Items;

/**
 * A scenario under construction: a simulated call and its expectations. Immutable: every method returns a new scenario.
 * A later `persona`, `ends` or `turns` replaces an earlier one; lists are extended.
 */
export type ScenarioDraft<Names extends ScenarioNames> = {
  /** Who calls and what they want. A model plays the persona, after the lines of `says`. */
  persona(text: string): ScenarioDraft<Names>;
  /**
   * The next line, keys or hang-up begins while the agent speaks: so many milliseconds, or words, after the first word of
   * its reply. In text, and for words by voice, a word takes 400 ms.
   */
  interrupts(after: { readonly afterMs: number } | { readonly afterWords: number }): ScenarioDraft<Names>;
  /** The caller says nothing for so many milliseconds. */
  silence(ms: number): ScenarioDraft<Names>;
  /** The caller presses keys of the telephone: `0` to `9`, `*`, `#`, `A` to `D`. */
  dtmf(keys: string): ScenarioDraft<Names>;
  /** The caller puts the agent on hold: it hears music for so many milliseconds. */
  holdMusic(ms: number): ScenarioDraft<Names>;
  /** A voicemail answers instead of a person, with this greeting and a beep. */
  voicemail(greeting: string): ScenarioDraft<Names>;
  /** The caller hangs up after the agent's reply, or in the middle of its own line before. */
  hangsUp(options?: { readonly midSentence?: boolean }): ScenarioDraft<Names>;
  /**
   * How the caller speaks, in calls by voice: its `voice` and `language`, the `rate` (1 is the model's own), `noise` as a
   * signal-to-noise ratio in decibels, and its line.
   */
  speaks(options: CallerSpeechOptions): ScenarioDraft<Names>;
  /**
   * How the caller is: `.caller({ mood: "angry", patience: "short" })`. A model plays the traits with the `persona`, by voice
   * they are heard, and a caller that does not show them makes the call invalid. A later call adds traits.
   */
  caller(traits: CallerTraits): ScenarioDraft<Names>;
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
  /**
   * What the functions of tools find in their `state` at the start of the call. It is laid over the run's `toolState` as a
   * JSON merge patch: objects are merged, and `null` removes a key.
   */
  toolState(state: { readonly [name: string]: unknown }): ScenarioDraft<Names>;
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
  /**
   * Rules for each reply of the agent: a criterion for the judge, and rules that are computed, such as
   * `.eachReply.words(30)`. A rule may be about one node, some turns, or what follows a message.
   */
  readonly eachReply: EachReply<ScenarioDraft<Names>, Names["node"], keyof Names["variables"] & string>;
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
   * What the tools' state must contain after the call: objects may have more keys, lists have the same items, and `null`
   * is also a key that is missing. A later one is merged into it. A function gets the state and answers like a
   * function of `check`; its `name` is "end state" by default.
   */
  endState(
    expected:
      | { readonly [name: string]: unknown }
      | EndStateCheck<ToolState, ValuesOf<Names["variables"]>, Names["node"]>,
    options?: OwnCheckOptions & { readonly name?: string },
  ): ScenarioDraft<Names>;
  /**
   * Maximum time in milliseconds until the agent's first word, in every turn, the opening included. Replies from
   * recordings are not measured. `afterTools` is the limit of turns in which the agent calls tools before it speaks.
   */
  answersWithin(ms: number, options?: { readonly afterTools?: number }): ScenarioDraft<Names>;
  /** Maximum time in milliseconds until the agent is silent when the caller interrupts. Only voice shows it. */
  stopsWithin(ms: number): ScenarioDraft<Names>;
  /** The agent talks over the caller for at most so many milliseconds in a turn. Default: 200. Only voice shows it. */
  neverTalksOver(atMostMs?: number): ScenarioDraft<Names>;
  /** When the agent should speak, nobody is silent for longer than this. Default: 4,000 ms. Only voice shows it. */
  noDeadAir(atMostMs?: number): ScenarioDraft<Names>;
  /** The agent says no sentence twice. Sentences of fewer than four words do not count. */
  saysNothingTwice(): ScenarioDraft<Names>;
  /**
   * Maximum share of words that the agent's platform hears wrongly, from 0 to 1: of the caller's words, and of the agent's,
   * as our transcription hears them. Only voice shows it, on platforms that write down the words.
   */
  wordErrors(atMost: number): ScenarioDraft<Names>;
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

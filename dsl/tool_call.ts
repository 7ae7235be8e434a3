import type { FlowTypeError } from "../src/values/mod.ts";
import type { Tool } from "./tool.ts";

/** A tool as scenarios know it, with the types of its arguments and of its result. */
export type TypedTool = Tool<string, string, unknown, unknown>;

/** How a tool answers in a simulated call. */
export interface MockAnswer<Args = { readonly [name: string]: unknown }, Output = unknown> {
  /** Answers only calls whose arguments hold at least these; absent: every call. */
  readonly args?: AtLeast<Args>;
  /** Text, or a value that the tool would return as JSON. */
  readonly output?: Output;
  /** Whether the call fails; absent: it succeeds. */
  readonly fails?: boolean;
  /** How long the answer takes, in milliseconds; absent: it is there at once. */
  readonly delayMs?: number;
  /** How many calls it answers before the next mock of the tool takes over; absent: all. */
  readonly times?: number;
}

/** Some of the arguments of a call, at any depth. */
export type AtLeast<Args> = Args extends readonly (infer Item)[]
  ? readonly AtLeast<Item>[]
  : Args extends object
    ? { readonly [Name in keyof Args]?: AtLeast<Args[Name]> }
    : unknown extends Args
      ? { readonly [name: string]: unknown }
      : Args;

/** What `.mock(tool, …)` takes: an answer, or the output itself. */
export type MockOf<OneTool extends TypedTool> =
  | MockAnswer<ArgsOf<OneTool>, OutputOf<OneTool>>
  | Bare<OutputOf<OneTool>>;

/** Arguments of a tool as the model writes them. */
export type ArgsOf<OneTool extends TypedTool> = NonNullable<OneTool["~types"]>["args"];

/** A result as `execute` returns it, or a text. Parts of an object are enough. */
type OutputOf<OneTool extends TypedTool> = ResultOf<NonNullable<OneTool["~types"]>["output"]>;

type ResultOf<Output> = unknown extends Output
  ? unknown
  : Output extends object
    ? AtLeast<Output> | string
    : Output | string;

/** An output that stands by itself. Where any output will do, an object must not look like a misspelled answer. */
type Bare<Output> = unknown extends Output ? string | number | boolean | null | readonly unknown[] | NoAnswer : Output;

type AnswerKey = keyof MockAnswer;

type NoAnswer = { readonly [key: string]: unknown } & { readonly [Key in Exclude<AnswerKey, "output">]?: never } & {
  readonly [Key in AnswerKey as Swapped<Key> | Shortened<Key>]?: FlowTypeError<`did you mean "${Key}"?`>;
};

/** A word with two neighbouring letters swapped. */
type Swapped<Word extends string, Head extends string = ""> = Word extends `${infer First}${infer Second}${infer Rest}`
  ? `${Head}${Second}${First}${Rest}` | Swapped<`${Second}${Rest}`, `${Head}${First}`>
  : never;

/** A word without one of its letters. */
type Shortened<Word extends string, Head extends string = ""> = Word extends `${infer First}${infer Rest}`
  ? `${Head}${Rest}` | Shortened<Rest, `${Head}${First}`>
  : never;

/** The name, or a message where no tool has it. A name that only the program knows passes: the run looks at it. */
export type KnownTool<Name extends string, Known extends string> = Name extends Known
  ? Name
  : string extends Name
    ? Name
    : FlowTypeError<`tool "${Name}" is not declared in tools`>;

/** Any text, beside which editors still offer the names that are known. */
export type AnyName = string & {};

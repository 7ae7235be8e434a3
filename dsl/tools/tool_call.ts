import type { FlowTypeError } from "../../src/base/values/mod.ts";
import type { Tool } from "./tool.ts";

/** A tool as scenarios see it, with the types of its arguments and result. */
export type TypedTool = Tool<string, string, unknown, unknown>;

/** A mocked answer of a tool. */
export interface MockAnswer<Args = { readonly [name: string]: unknown }, Output = unknown> {
  /** Answers only calls with at least these arguments. Default: every call. */
  readonly args?: AtLeast<Args>;
  /** A text, or a value that the tool would return as JSON. */
  readonly output?: Output;
  /** Whether the call fails. Default: false. */
  readonly fails?: boolean;
  /** Delay of the answer in milliseconds. Default: none. */
  readonly delayMs?: number;
  /** Number of calls to answer before the next mock of the tool is used. Default: all. */
  readonly times?: number;
}

/** Some arguments of a call, at any depth. */
export type AtLeast<Args> = Args extends readonly (infer Item)[]
  ? readonly AtLeast<Item>[]
  : Args extends object
    ? { readonly [Name in keyof Args]?: AtLeast<Args[Name]> }
    : unknown extends Args
      ? { readonly [name: string]: unknown }
      : Args;

/** Second argument of `.mock(tool, …)`: an answer, or only the output. */
export type MockOf<OneTool extends TypedTool> =
  | MockAnswer<ArgsOf<OneTool>, OutputOf<OneTool>>
  | Bare<OutputOf<OneTool>>;

/** Arguments of a tool as the model writes them. */
export type ArgsOf<OneTool extends TypedTool> = NonNullable<OneTool["~types"]>["args"];

/** A result as `execute` returns it, possibly with keys missing, or a text. */
type OutputOf<OneTool extends TypedTool> = ResultOf<NonNullable<OneTool["~types"]>["output"]>;

type ResultOf<Output> = unknown extends Output
  ? unknown
  : Output extends object
    ? AtLeast<Output> | string
    : Output | string;

/** An output without an answer around it. If any output is allowed, an object must not look like a misspelt answer. */
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

/** The name, or a message when no tool has it. Names unknown to the compiler pass; the run checks them. */
export type KnownTool<Name extends string, Known extends string> = Name extends Known
  ? Name
  : string extends Name
    ? Name
    : FlowTypeError<`tool "${Name}" is not declared in tools`>;

/** Any text; editors still suggest the known names. */
export type AnyName = string & {};

import type { PlatformVariable } from "../src/document/expressions/mod.ts";
import type { Declarations } from "./declarations.ts";
import type { FlowTypeError } from "./type_error.ts";

/**
 * Checks the `{{placeholders}}` and `{%snippets%}` of a text: resolves to `unknown`, or to a message with the unknown
 * names. Texts that are only known as `string` pass; `compile()` checks them.
 */
export type CheckText<Text extends string, Declared extends Declarations> = Text extends `${string}{${string}`
  ? AllKnown<Text, Declared["placeholder"]> extends true
    ? unknown
    : Problems<Text, Declared>
  : unknown;

/** Checks one brace after another while all names are known, which is cheap. The other types build the messages. */
type AllKnown<
  Text extends string,
  Known extends string,
> = Text extends `${string}{${infer _ extends Known}}${infer Rest}`
  ? AllKnown<Rest, Known>
  : Text extends `${string}{${string}`
    ? false
    : true;

type Problems<Text extends string, Declared extends Declarations> = Said<
  UnknownVariable<Text, keyof Declared["variables"] | PlatformVariable> | UnknownSnippet<Text, Declared["snippet"]>
>;

type Said<Message extends string> = [Message] extends [never] ? unknown : FlowTypeError<Message>;

type UnknownVariable<
  Text extends string,
  Known,
  Found extends string = never,
> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? UnknownVariable<Rest, Known, Name extends Known ? Found : Found | UnlessVariable<Root<Name>, Known>>
  : Found;

type UnknownSnippet<
  Text extends string,
  Known,
  Found extends string = never,
> = Text extends `${string}{%${infer Name}%}${infer Rest}`
  ? UnknownSnippet<Rest, Known, Name extends Known ? Found : Found | UnlessSnippet<Trim<Name>, Known>>
  : Found;

type UnlessVariable<Name extends string, Known> = Name extends Known | `"${string}` | `'${string}`
  ? never
  : `{{${Name}}} is not declared in variables`;

type UnlessSnippet<Name extends string, Known> = Name extends Known ? never : `{%${Name}%} is not declared in snippets`;

/** `customer.name | upcase` uses the variable `customer`. */
type Root<Name extends string> = Name extends `${infer Head}|${string}`
  ? Root<Head>
  : Trim<Name> extends `${infer Head}.${string}`
    ? Head
    : Trim<Name>;

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

import type { PlatformVariable } from "../src/document/expressions/mod.ts";
import type { DocumentOption } from "./document_fields.ts";
import type { Edge, GoBack, Next } from "./edges.ts";
import type { Declarations } from "./flow_graph.ts";
import type { AnyName, KnownTool } from "./tools.ts";
import type { FlowTypeError } from "./type_error.ts";
import type { LoosePlatformOptions, PlatformOptions } from "./typed_fields.ts";

/** When a global node is entered and left. */
export interface GlobalOptions<Declared extends Declarations> {
  /** LLM condition of entry. */
  readonly when: string;
  /** When the call returns to the node it came from: LLM conditions or equations. Default: never. */
  readonly goBack?: GoBack<Declared["variables"]>;
}

/** Options of all kinds of nodes: global entry and platform settings. */
export interface CommonOptions<Declared extends Declarations> extends PlatformOptions<"node">, DocumentOption {
  /** Makes the node global: it can be entered from every conversation node. */
  readonly global?: GlobalOptions<Declared>;
}

/** The text that a node speaks: a prompt for the model, or fixed words. */
export interface SpeechOptions<Declared extends Declarations, Name extends string> {
  /** Instructions for the model at this node. */
  readonly prompt?: TextWith<Name, Declared>;
  /** Spoken word for word once after each entry, instead of a prompt. */
  readonly text?: TextWith<Name, Declared>;
}

/** A node that talks with the caller. */
export interface ConversationNodeOptions<
  Declared extends Declarations,
  Name extends string,
  Target extends string,
  ToolName extends string,
> extends CommonOptions<Declared>,
    SpeechOptions<Declared, Name> {
  readonly next?: Next<Declared, Target>;
  /** Tools that the model may call here. */
  readonly tools?: readonly (ToolName & KnownTool<ToolName, Declared["tool"]>)[];
}

/** A conversation node that can be entered from every other one. */
export interface GlobalNodeOptions<
  Declared extends Declarations,
  Name extends string,
  Target extends string,
  ToolName extends string,
> extends Omit<CommonOptions<Declared>, "global">,
    GlobalOptions<Declared>,
    SpeechOptions<Declared, Name> {
  readonly next?: Next<Declared, Target>;
  /** Tools that the model may call here. */
  readonly tools?: readonly (ToolName & KnownTool<ToolName, Declared["tool"]>)[];
}

/** A silent node that fills variables from the conversation. */
export interface ExtractOptions<Declared extends Declarations, Name extends string, Target extends string>
  extends CommonOptions<Declared> {
  /** Instructions for the model that extracts the values. */
  readonly prompt?: TextWith<Name, Declared>;
  /** Variables to fill, in one model call. */
  readonly fills: readonly (keyof Declared["variables"] & string)[];
  readonly next?: Next<Declared, Target>;
}

/** A silent node that only picks a transition. */
export interface LogicOptions<Declared extends Declarations, Name extends string, Target extends string>
  extends CommonOptions<Declared> {
  /** Instructions for the model that picks a transition, when there are LLM conditions. */
  readonly prompt?: TextWith<Name, Declared>;
  readonly next?: Next<Declared, Target>;
}

/** A silent node that calls a tool. */
export interface FunctionOptions<
  Declared extends Declarations,
  Name extends string,
  Target extends string,
  ToolName extends string,
> extends CommonOptions<Declared> {
  /** Instructions for the model that writes the tool's arguments. */
  readonly prompt?: TextWith<Name, Declared>;
  /** Spoken word for word while the tool runs, on platforms that support it; simulated calls ignore it. */
  readonly text?: TextWith<Name, Declared>;
  /** Name of the tool to call. */
  readonly tool: ToolName & KnownTool<ToolName, Declared["tool"]>;
  readonly next?: Next<Declared, Target>;
}

/** A phone number (E.164), a SIP URI, or a variable. */
export type TransferTarget = `+${number}` | `sip:${string}` | `sips:${string}` | `{{${string}}}`;

/** A node that transfers the call. Without a prompt or text, the agent says nothing. */
export interface TransferOptions<Declared extends Declarations, Name extends string, Target extends string>
  extends CommonOptions<Declared>,
    SpeechOptions<Declared, Name> {
  /** Destination: a number such as `+14155550100`, a SIP URI, or a `{{variable}}` that contains one. */
  readonly to?: TransferTarget;
  /** Where to go when the transfer fails: `to("sorry", { outcome: "failed" })`. */
  readonly next?: Next<Declared, Target>;
}

/** A node that ends the call. Without a prompt or text, the agent says nothing. */
export interface EndOptions<Declared extends Declarations, Name extends string>
  extends CommonOptions<Declared>,
    SpeechOptions<Declared, Name> {
  readonly next?: FlowTypeError<"end nodes have no transitions">;
}

/** Kinds of nodes in code. */
export type NodeKind = "conversation" | "extract" | "logic" | "function" | "transfer" | "end" | "global";

/** A node in a list: its id, and its transitions as `"from -> to"`. */
export interface NodeDefinition<Id extends string, Arrow extends string> {
  readonly id: Id;
  readonly arrows: readonly Arrow[];
  readonly node: DefinedNode;
}

/** A node as written in code. */
export interface DefinedNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly options: LooseOptions;
  readonly edges: readonly Edge<string>[];
}

/** Options of all kinds of nodes, without type checks. */
export interface LooseOptions extends LoosePlatformOptions, DocumentOption {
  readonly prompt?: string;
  readonly text?: string;
  readonly tool?: string;
  readonly tools?: readonly string[];
  readonly fills?: readonly string[];
  readonly when?: string;
  readonly goBack?: unknown;
  readonly to?: string;
  readonly global?: { readonly when: string; readonly goBack?: unknown };
  readonly next?: unknown;
}

/**
 * The kit of a flow, for parts of the flow in other files.
 *
 * @example
 * ```ts
 * import { choice, flow, type KitOf } from "callweave";
 *
 * const base = flow("shop", { variables: { topic: choice("Why the caller calls", ["order", "return"]) } });
 * const greeting = (kit: KitOf<typeof base>) => [
 *   kit.conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller is done")] }),
 * ];
 * const shop = base.nodes(greeting).end("bye", { prompt: "Say goodbye." }).compile();
 * ```
 */
export type KitOf<SomeFlow> = SomeFlow extends {
  nodes<List extends readonly NodeDefinition<string, string>[]>(build: (kit: infer Kit) => List): unknown;
}
  ? Kit
  : never;

/** Functions that create nodes, for lists of nodes. */
export interface NodeKit<Declared extends Declarations> {
  conversation<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(
    id: Id,
    options: ConversationNodeOptions<Declared, Name, Target, ToolName>,
  ): NodeDefinition<Id, `${Id} -> ${Target}`>;
  extract<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id,
    options: ExtractOptions<Declared, Name, Target>,
  ): NodeDefinition<Id, `${Id} -> ${Target}`>;
  logic<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id,
    options: LogicOptions<Declared, Name, Target>,
  ): NodeDefinition<Id, `${Id} -> ${Target}`>;
  function<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(id: Id, options: FunctionOptions<Declared, Name, Target, ToolName>): NodeDefinition<Id, `${Id} -> ${Target}`>;
  transfer<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id,
    options: TransferOptions<Declared, Name, Target>,
  ): NodeDefinition<Id, `${Id} -> ${Target}`>;
  end<const Id extends string, Name extends string = never>(
    id: Id,
    options: EndOptions<Declared, Name>,
  ): NodeDefinition<Id, never>;
  global<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(id: Id, options: GlobalNodeOptions<Declared, Name, Target, ToolName>): NodeDefinition<Id, `${Id} -> ${Target}`>;
}

/**
 * A text with `{{placeholders}}` and `{%snippets%}`: any text, or a message with the unknown names. The compiler infers
 * the names and not the text, so that editors show no prompts. Texts that are only known as `string` have no names;
 * `compile()` checks them.
 */
export type TextWith<Name extends string, Declared extends Declarations> = string extends Name
  ? Braces<Name> // where names are inferred; a union of names would multiply
  : [Name] extends [Declared["placeholder"]]
    ? AnyName
    : CheckText<Written<Name>, Declared>;

/** Infers what braces contain, up to the first closing brace. `Name` also receives all that follows the fourth opening brace. */
type Braces<Name extends string> =
  | `${string}{${Name}}${string}`
  | `${string}{${Name}}${string}{${Name}}${string}`
  | `${string}{${Name}}${string}{${Name}}${string}{${Name}}${string}`
  | `${string}{${Name}}${string}{${Name}}${string}{${Name}}${string}{${Name}`
  | AnyName;

/** The text that {@link Braces} took a name from. */
type Written<Name extends string> = Name extends `${string}}${string}` ? `{${Name}` : `{${Name}}}`;

/** A text, or a message with the names in its braces that are not declared. */
export type CheckText<Text extends string, Declared extends Declarations> = Said<
  UnknownVariable<Text, keyof Declared["variables"] | PlatformVariable> | UnknownSnippet<Text, Declared["snippet"]>
>;

type Said<Message extends string> = [Message] extends [never] ? string : string & FlowTypeError<Message>;

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

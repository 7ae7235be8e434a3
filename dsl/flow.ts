import { FlowError } from "../src/base/errors.ts";
import { isRecord, shown } from "../src/base/values/mod.ts";
import type { AgentGraph } from "../src/document/graph/mod.ts";
import { compileFlow, type FlowHead } from "./compile/mod.ts";
import type { DocumentOption } from "./document_fields.ts";
import { type Edge, otherwiseFor, to, when } from "./edges.ts";
import type { Declarations, FlowGraph, Placeholder } from "./flow_graph.ts";
import type { FlowVoice } from "./generated/mod.ts";
import type {
  CheckText,
  ConversationNodeOptions,
  DefinedNode,
  EndOptions,
  ExtractOptions,
  FunctionOptions,
  GlobalNodeOptions,
  LogicOptions,
  LooseOptions,
  NodeDefinition,
  NodeKind,
  NodeKit,
  TextWith,
  TransferOptions,
} from "./nodes.ts";
import type { AnyName, AnyTool } from "./tools.ts";
import type { FlowTypeError } from "./type_error.ts";
import type { PlatformOptions } from "./typed_fields.ts";
import type { TextVariable, Variables } from "./variables.ts";

/**
 * A flow under construction. Immutable: every method returns a new flow.
 *
 * `NodeId` and `Arrow` are unions of the ids and transitions (`"from -> to"`) so far. `compile` can be called only when
 * every transition has a target; otherwise its type lists what is missing.
 */
export type Flow<Declared extends Declarations, NodeId extends string, Arrow extends string> = {
  /** Adds a node that talks with the caller. */
  conversation<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(
    id: Id & NewId<Id, NodeId>,
    options: ConversationNodeOptions<Declared, Name, Target, ToolName>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a silent node that fills variables from the conversation. */
  extract<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id & NewId<Id, NodeId>,
    options: ExtractOptions<Declared, Name, Target>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a silent node that only picks a transition. */
  logic<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id & NewId<Id, NodeId>,
    options: LogicOptions<Declared, Name, Target>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a silent node that calls a tool. */
  function<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(
    id: Id & NewId<Id, NodeId>,
    options: FunctionOptions<Declared, Name, Target, ToolName>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a node that transfers the call; `to(…, { outcome: "failed" })` is taken if the transfer fails. */
  transfer<const Id extends string, Name extends string = never, Target extends string = never>(
    id: Id & NewId<Id, NodeId>,
    options: TransferOptions<Declared, Name, Target>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a node that ends the call. */
  end<const Id extends string, Name extends string = never>(
    id: Id & NewId<Id, NodeId>,
    options: EndOptions<Declared, Name>,
  ): Flow<Declared, NodeId | Id, Arrow>;
  /** Adds a conversation node that can be entered from every other one. */
  global<
    const Id extends string,
    Name extends string = never,
    Target extends string = never,
    const ToolName extends Declared["tool"] | AnyName = never,
  >(
    id: Id & NewId<Id, NodeId>,
    options: GlobalNodeOptions<Declared, Name, Target, ToolName>,
  ): Flow<Declared, NodeId | Id, Arrow | `${Id} -> ${Target}`>;
  /** Adds a list of nodes: one call per part of a large flow. */
  nodes<const List extends readonly NodeDefinition<string, string>[]>(
    build: (kit: NodeKit<Declared>) => List,
  ): Flow<Declared, NodeId | List[number]["id"], Arrow | List[number]["arrows"][number] | DeclaredTwice<List, NodeId>>;
  /**
   * Returns the AgentGraph. If something is missing, its type lists the problems.
   *
   * @throws {FlowError} Lists every problem in `issues`, for flows without type checks.
   */
  readonly compile: Compile<Declared, NodeId, Arrow>;
};

/** Variables, snippets and settings that all nodes of a flow share. */
export interface FlowOptions<
  Vars extends Variables,
  Snippets extends { readonly [name: string]: string },
  Start extends string,
> extends PlatformOptions<"flow">,
    DocumentOption {
  readonly variables?: Vars;
  /** Reusable prompt texts by name, used as `{%name%}`. Snippets cannot contain snippets. */
  readonly snippets?: Snippets;
  /** `provider/model`, or a platform's model name. */
  readonly model?: string;
  /** Language of the calls as a BCP 47 tag, such as `de-DE`, or `multi` for any that the platform supports. */
  readonly language?: string;
  readonly voice?: FlowVoice;
  /** Who speaks first. Default: the agent. */
  readonly startSpeaker?: "agent" | "user";
  /** Id of the node where calls start. Default: the first node. */
  readonly start?: Start;
}

/** Texts and tools of a flow's options, checked against its variables and snippets. */
export interface FlowTexts<Declared extends Declarations, Name extends string, OneTool extends AnyTool> {
  /** Instructions that all nodes share. */
  readonly prompt?: TextWith<Name, Declared>;
  /** Spoken word for word at the start. When empty, the caller speaks first. */
  readonly beginMessage?: TextWith<Name, Declared>;
  readonly tools?: readonly OneTool[];
}

/** Snippets of a flow. One with an unknown placeholder becomes a {@link FlowTypeError}. */
export type CheckSnippets<Snippets, Declared extends Declarations> = {
  readonly [Name in keyof Snippets]: Snippets[Name] extends string ? CheckText<Snippets[Name], Declared> : unknown;
};

/** The names that nodes may use: declared variables, and those that tools fill, as texts. */
export type DeclarationsOf<Vars extends Variables, Snippet extends string, OneTool extends AnyTool> = {
  readonly variables: Filled<Vars, OneTool>;
  readonly snippet: Snippet;
  readonly tools: OneTool;
  readonly tool: OneTool["name"];
  readonly placeholder: Placeholder<keyof Filled<Vars, OneTool> & string, Snippet>;
};

/** Declared variables, with those that only tools fill, which are texts. */
export type Filled<Vars extends Variables, OneTool extends AnyTool> = [OneTool] extends [never]
  ? Vars
  : WithResponses<Vars, FilledBy<OneTool>>;

/** Distributes over the tools. Without that, only keys shared by all tools would remain. */
type FilledBy<OneTool extends AnyTool> = OneTool extends AnyTool ? keyof OneTool["responseVariables"] & string : never;

type WithResponses<Vars extends Variables, Name extends string> = [Exclude<Name, keyof Vars>] extends [never]
  ? Vars
  : Vars & { readonly [Filled in Exclude<Name, keyof Vars>]: TextVariable };

/** Resolves to a message when the id is already declared. */
export type NewId<Id extends string, NodeId extends string> = [Id] extends [NodeId]
  ? string extends NodeId // ids unknown to the compiler are checked by compile()
    ? unknown
    : FlowTypeError<`node "${Id}" is declared twice`>
  : unknown;

/** Ids that a list declares twice, as pseudo-edges that {@link Compile} prints. */
export type DeclaredTwice<
  List extends readonly NodeDefinition<string, string>[],
  NodeId extends string,
> = string extends List[number]["id"] | NodeId
  ? never
  : Repeated<List, PlacesById<List>> | `! node "${List[number]["id"] & NodeId}" is declared twice`;

type PlacesById<List extends readonly NodeDefinition<string, string>[]> = {
  [Place in keyof List & `${number}` as List[Place]["id"]]: Place;
};

/** Ids that occur more than once in a list. */
type Repeated<List extends readonly NodeDefinition<string, string>[], Places extends Record<string, string>> = {
  [Place in keyof List & `${number}`]: Places[List[Place]["id"]] extends Place
    ? never
    : `! node "${List[Place]["id"]}" is declared twice`;
}[keyof List & `${number}`];

/** Type of `compile`: a function, or messages about what is missing. */
export type Compile<Declared extends Declarations, NodeId extends string, Arrow extends string> = [NodeId] extends [
  never,
]
  ? (
      this: FlowTypeError<"a flow needs at least one node">,
    ) => FlowGraph<string, Declared["variables"], Declared["tools"]>
  : [Problem<Arrow, NodeId>] extends [never]
    ? () => FlowGraph<NodeId, Declared["variables"], Declared["tools"]>
    : (
        this: FlowTypeError<Problem<Arrow, NodeId>>, // no flow has this type, so the compiler prints the messages
      ) => FlowGraph<NodeId, Declared["variables"], Declared["tools"]>;

/** Finds the problem of an edge. Most edges have none, so that case is checked first and costs the least. */
type Problem<Arrow extends string, NodeId extends string> = Arrow extends `${string} -> ${infer Target}`
  ? Target extends NodeId
    ? never
    : MissingTarget<Arrow, Target, NodeId>
  : Arrow extends `! ${infer Message}`
    ? Message
    : never;

/** Target of an edge that is not declared. An id may contain an arrow, so targets after later arrows are tried too. */
type MissingTarget<
  Arrow extends string,
  Target extends string,
  NodeId extends string,
> = Target extends `${string} -> ${infer Shorter}`
  ? Shorter extends NodeId
    ? never
    : MissingTarget<Arrow, Shorter, NodeId>
  : string extends Target
    ? never
    : `node "${Target}" is not declared (edge "${Arrow}")`;

/**
 * Starts a flow. Variables, snippets and tools come first, so that nodes are checked where they are written. Nodes may
 * refer to later nodes.
 */
export function flow<
  const Vars extends Variables = Record<never, never>,
  const Snippets extends { readonly [name: string]: string } = Record<never, never>,
  const OneTool extends AnyTool = never,
  const Start extends string = never,
  Name extends string = never,
>(
  name: string,
  options?: FlowOptions<
    Vars,
    Snippets & CheckSnippets<Snippets, DeclarationsOf<Vars, keyof Snippets & string, OneTool>>,
    Start
  > &
    FlowTexts<DeclarationsOf<Vars, keyof Snippets & string, OneTool>, Name, OneTool>,
): Flow<DeclarationsOf<Vars, keyof Snippets & string, OneTool>, never, `start -> ${Start}`> {
  // one builder serves all flows; the types differ for the compiler only
  return new FlowBuilder(headOf(name, options), []) as unknown as Flow<
    DeclarationsOf<Vars, keyof Snippets & string, OneTool>,
    never,
    `start -> ${Start}`
  >;
}

/**
 * Returns a flow's name and options. `compile()` validates the options one by one.
 *
 * @throws {FlowError} `invalid-option` when the options are not an object.
 */
function headOf(name: string, options: unknown): FlowHead {
  if (options === undefined || isRecord(options)) return { ...options, name };
  throw new FlowError(`Cannot create flow ${shown(name)}: its options are ${shown(options)}`, {
    code: "invalid-option",
    hint: 'Pass an object: flow("clinic", { prompt: "…" })',
  });
}

/** The type of `next` for every kind of node. */
type LooseNext = (kit: object) => readonly Edge<string>[];

const listed =
  (kind: NodeKind) =>
  (id: string, options: LooseOptions): NodeDefinition<string, string> => {
    const node = define(kind, id, options);
    // only for the compiler; plain JavaScript does not need it
    const arrows = Array.isArray(node.edges) ? node.edges.map((edge) => `${id} -> ${edge?.target}`) : [];
    return Object.freeze({ id, arrows, node });
  };

const KIT = Object.freeze({
  conversation: listed("conversation"),
  extract: listed("extract"),
  logic: listed("logic"),
  function: listed("function"),
  transfer: listed("transfer"),
  end: listed("end"),
  global: listed("global"),
});

/** A flow without literal types, as in plain JavaScript. {@link compileFlow} makes all checks. */
class FlowBuilder {
  readonly #head: FlowHead;
  readonly #nodes: readonly DefinedNode[];

  constructor(head: FlowHead, nodes: readonly DefinedNode[]) {
    this.#head = head;
    this.#nodes = nodes;
  }

  conversation(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("conversation", id, options)]);
  }
  extract(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("extract", id, options)]);
  }
  logic(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("logic", id, options)]);
  }
  function(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("function", id, options)]);
  }
  transfer(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("transfer", id, options)]);
  }
  end(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("end", id, options)]);
  }
  global(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("global", id, options)]);
  }
  nodes(build: (kit: typeof KIT) => readonly NodeDefinition<string, string>[]): FlowBuilder {
    const built: unknown = typeof build === "function" ? build(KIT) : build;
    if (isNodeList(built)) return this.#with(built.map(({ node }) => node));
    throw new FlowError(`Cannot add nodes: the list is ${shown(built)}`, {
      code: "wrong-type",
      path: ["nodes"],
      hint: "Pass a function that returns a list: ({ conversation }) => [conversation(…), …]",
    });
  }
  compile(): AgentGraph {
    return compileFlow(this.#head, this.#nodes);
  }

  #with(nodes: readonly DefinedNode[]): FlowBuilder {
    return new FlowBuilder(this.#head, [...this.#nodes, ...nodes]);
  }
}

function isNodeList(built: unknown): built is readonly NodeDefinition<string, string>[] {
  return Array.isArray(built) && built.every((each: unknown) => isRecord(each) && isRecord(each.node));
}

function define(kind: NodeKind, id: string, options: LooseOptions = {}): DefinedNode {
  const speaks = kind === "conversation" || kind === "global";
  const next: unknown = isRecord(options) ? options.next : undefined;
  const edges = isNext(next) ? next({ to, when, otherwise: otherwiseFor(speaks) }) : [];
  return Object.freeze({ id, kind, options, edges });
}

/** `compile()` checks what the function returns. */
function isNext(next: unknown): next is LooseNext {
  return typeof next === "function";
}

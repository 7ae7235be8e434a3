import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, Names, own, pick, recordAt, slug } from "../../../src/base/values/mod.ts";
import { startVariables } from "../../../src/document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  agentName,
  endingOf,
  goesOnAtOnce,
  isSilent,
  openingOf,
  type ToolDefinition,
  type Transition,
  type TransitionCondition,
  wayAfterFailedTransfer,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
  waysBack,
  workQuestion,
} from "../../../src/document/graph/mod.ts";
import { carriedRequest, destinationsOf, requestSettings } from "../../known/mod.ts";
import { ECHOES, expandSnippets, extractByTool, extractionByTool, lower } from "../../lower/mod.ts";
import type { Loss } from "../../platform.ts";
import { LIVEKIT_REQUEST, lossesOf, MODEL_KEYS, REQUEST_KEYS, unreadOfSilent } from "./losses.ts";

/** An agent program: what is printed in each language. */
export interface Plan {
  readonly name: string;
  readonly models: Models;
  readonly entry: string;
  readonly prompt: string;
  /** The begin message. Absent: the first node speaks for itself. */
  readonly opening?: string;
  readonly callerBegins: boolean;
  readonly variables: readonly Pair[];
  /** Global nodes, and when they are entered. */
  readonly anytime: readonly Pair[];
  /** Names of the functions that go back, and that choose no other way. */
  readonly goBack: string;
  readonly stay: string;
  readonly agents: readonly PlannedAgent[];
}

type Pair = readonly [string, string];

/** Models of the session or of one agent: `{ llm, stt, tts }`. */
export type Models = { readonly [kind: string]: string };

/** A class of the program. */
export interface PlannedAgent {
  readonly className: string;
  readonly kind: "Conversation" | "Silent" | "End" | "Transfer";
  readonly node: string;
  /** Name of the function by which the model moves the call here. */
  readonly handoff: string;
  readonly prompt: string;
  readonly isStatic: boolean;
  readonly models: Models;
  readonly functions: readonly PlannedFunction[];
  /** Whether the model fills in the arguments of a silent node's function. */
  readonly asks: boolean;
  readonly choices: readonly Pair[];
  readonly otherwise?: string;
  readonly back: readonly string[];
  readonly to?: string;
  readonly failed?: string;
  /** Taken by code: after the caller has spoken, or after silent work. */
  readonly routes: readonly Route[];
  /** Equations that go back from a global node. */
  readonly backRoutes: readonly TransitionCondition[];
  readonly afterSpeech: readonly Route[];
}

/** A transition that code takes. */
export interface Route {
  readonly condition: TransitionCondition;
  readonly target: string;
  /** Whether the target speaks at once. */
  readonly atOnce: boolean;
}

/** A function that the model calls. */
export interface PlannedFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonObject;
  readonly handler: PlannedHandler;
  readonly stores: readonly Pair[];
  readonly ends?: string;
}

/** What a function does. */
export type PlannedHandler =
  | { readonly kind: "http"; readonly text: string; readonly options: JsonObject }
  | { readonly kind: "transfer" | "unwritten"; readonly text: string }
  | { readonly kind: "note" };

/** Models for what the graph leaves open. */
const DEFAULT_MODELS: Models = { llm: "openai/gpt-4.1-mini", stt: "deepgram/nova-3:multi", tts: "cartesia/sonic-3" };

/** Classes and functions of the program itself, in both languages. */
const TAKEN =
  "Agent AgentServer AgentSession Any Call Conversation End Flow Function JobContext MODELS Mapping NAME None "
    .concat(
      "FLOW Promise ServerOptions Silent Step StepSpec Transfer True False Error Object String Map Set Date Array",
    )
    .split(" ");

/** Plans the program of a graph. */
export function planProgram(source: AgentGraph): { readonly plan: Plan; readonly losses: readonly Loss[] } {
  const losses = lossesOf(source);
  const { graph } = lower(source, [expandSnippets, extractByTool]);
  const nodes = Object.values(graph.nodes);
  const wanted = nodes.flatMap(({ tools }) => tools.map(({ name }) => name));
  const functionNames = new Names(wanted, { joint: "_", limit: 64 });
  const classNames = new Names(TAKEN, { joint: "", limit: 60 });
  const agents = nodes.map((node): PlannedAgent => {
    const handoff = functionNames.take(`to_${slug(node.id) || "node"}`);
    const note = functionNames.take(`note_${slug(node.id) || "node"}`);
    return planAgent(node, { source, graph, handoff, note, className: classNames.take(className(node.id)), losses });
  });
  const { source_metadata: meta, default_model: model } = graph;
  const session = recordAt(recordAt(meta, "livekit"), "session");
  const opening = openingOf(graph);
  const plan: Plan = {
    name: agentName(graph) ?? "",
    models: { ...DEFAULT_MODELS, ...(model ? { llm: model } : {}), ...modelsIn(session) },
    entry: graph.entry_node_id,
    prompt: meta.general_prompt ?? "",
    ...(opening === "begin" ? { opening: meta.begin_message ?? "" } : {}),
    callerBegins: opening === "caller",
    variables: [...startVariables(graph, {})],
    anytime: nodes.flatMap(({ id, global_node_setting: each }): Pair[] => (each ? [[id, each.condition]] : [])),
    goBack: functionNames.take("go_back"),
    stay: functionNames.take("none_of_these"),
    agents,
  };
  return { plan, losses };
}

interface AgentContext extends Pick<PlannedAgent, "handoff" | "className"> {
  readonly source: AgentGraph;
  readonly graph: AgentGraph;
  /** Name of the function that notes what a conversation extracts. */
  readonly note: string;
  readonly losses: Loss[];
}

function planAgent(node: AgentNode, context: AgentContext): PlannedAgent {
  const { source, graph, note, losses } = context;
  const path = ["nodes", node.id];
  const silent = isSilent(node);
  const isExtract = own(source.nodes, node.id)?.node_type === "extract";
  const hearing = silent ? waysAfterWork(node) : waysAfterHearing(node);
  const speech = waysAfterSpeech(node);
  const failure = node.node_type === "transfer" ? wayAfterFailedTransfer(node) : undefined;
  const isRead = (each: Transition) => !isExtract || each.condition.type !== "tool_call";
  const taken = kindOf(node) === "Conversation" ? [hearing, speech] : silent ? [hearing] : [];
  const used = taken.flatMap(({ withoutModel, offered, otherwise }) => [
    ...withoutModel.filter(isRead),
    ...offered,
    otherwise,
  ]);
  for (const [index, each] of node.transitions.entries()) {
    if (used.includes(each) || each === failure) continue;
    const message = `No call takes the transition from "${node.id}" to "${each.target_node_id}"`;
    losses.push({ code: "transition-unread", kind: "dropped", path: [...path, "transitions", index], message });
  }
  const routeOf = (transition: Transition): Route => {
    const target = transition.target_node_id;
    const next = own(graph.nodes, target);
    return { condition: transition.condition, target, atOnce: next !== undefined && goesOnAtOnce(transition, next) };
  };
  const isNoted = !silent && node.variables_to_extract.length > 0;
  // the pass puts the tool of an extract node before the others
  const before = (own(source.nodes, node.id)?.tools.length ?? 0) - node.tools.length;
  const called = node.tools.filter((_, index) => !silent || (index === 0 && node.node_type === "function"));
  const functions = called.map((tool, index) => planFunction(tool, [...path, "tools", index], losses));
  for (const [index, { name }] of node.tools.entries())
    if (index >= called.length && index + before >= 0) {
      const message = `No call uses the tool "${name}" of the node "${node.id}"`;
      losses.push({ code: "tool-unread", kind: "dropped", path: [...path, "tools", index + before], message });
    }
  const [destination] = destinationsOf(node, "livekit");
  const isConversation = kindOf(node) === "Conversation";
  const moves = isConversation || silent;
  const back = isConversation ? waysBack(node) : { withoutModel: [], offered: [] };
  if (silent) losses.push(...unreadOfSilent(node, isExtract));
  return {
    className: context.className,
    handoff: context.handoff,
    kind: kindOf(node),
    node: node.id,
    prompt: node.state_prompt,
    isStatic: node.instruction_type === "static_text" && !silent,
    models: modelsIn(recordAt(node.metadata, "livekit")),
    functions: isNoted ? [...functions, planNote(node, note, graph)] : functions,
    asks: silent && workQuestion(node) === "arguments",
    choices: moves ? hearing.offered.map(({ target_node_id: to, condition }): Pair => [to, condition.value]) : [],
    ...(hearing.otherwise && moves ? { otherwise: hearing.otherwise.target_node_id } : {}),
    back: back.offered.map(({ condition }) => condition.value),
    ...(node.node_type === "transfer" ? { to: destination?.to ?? "" } : {}),
    ...(failure ? { failed: failure.target_node_id } : {}),
    routes: moves ? hearing.withoutModel.filter(isRead).map(routeOf) : [],
    backRoutes: back.withoutModel.map(({ condition }) => condition),
    afterSpeech: isConversation
      ? [...speech.withoutModel, speech.otherwise].flatMap((each) => (each ? [routeOf(each)] : []))
      : [],
  };
}

function kindOf({ node_type: type }: AgentNode): PlannedAgent["kind"] {
  if (type === "end") return "End";
  if (type === "transfer") return "Transfer";
  return type === "conversation" ? "Conversation" : "Silent";
}

function planFunction(tool: ToolDefinition, path: Path, losses: Loss[]): PlannedFunction {
  const ends = endingOf(tool);
  return {
    name: tool.name,
    description: tool.description,
    ...(tool.parameters ? { parameters: tool.parameters } : {}),
    handler: handlerOf(tool, path, losses),
    stores: Object.entries(tool.response_variables ?? {}),
    ...(ends ? { ends } : {}),
  };
}

function handlerOf(tool: ToolDefinition, path: Path, losses: Loss[]): PlannedHandler {
  const { type, url, metadata } = tool;
  const lose = (code: string, kind: Loss["kind"], at: Path, message: string, more: Pick<Loss, "hint" | "instead">) =>
    losses.push({ code, kind, path: at, message, ...more });
  const own = recordAt(metadata ?? {}, "livekit");
  const ending = endingOf(tool);
  const makesRequest = url && !ending && (!type || type === "custom" || type === "function");
  if (makesRequest) {
    const carried = requestSettings(carriedRequest(tool, "livekit", LIVEKIT_REQUEST));
    return { kind: "http", text: url, options: { ...carried, ...pick(own, REQUEST_KEYS) } };
  }
  if (url)
    lose("tool-url", "dropped", [...path, "url"], `A tool of type "${type}" makes no request`, {
      hint: "Remove its url",
    });
  const unused = Object.keys(pick(own, REQUEST_KEYS));
  if (unused.length > 0)
    lose(
      "tool-url",
      "dropped",
      [...path, "metadata", "livekit"],
      `The tool makes no request, so ${unused.join(", ")} mean nothing`,
      {},
    );
  if (ending === "agent_transferred") return { kind: "transfer", text: destinationsOf(tool, "livekit")[0]?.to ?? "" };
  if (ending || metadata?.[ECHOES] === true) return { kind: "note" };
  const about = type && type !== "custom" && type !== "function" ? `${tool.name}, a tool of type ${type},` : tool.name;
  const instead = "a function that throws until you write it";
  lose("tool-unwritten", "emulated", path, `No URL says what ${about} does`, {
    instead,
    hint: "Set its url, or pass a handler of this name to Call",
  });
  return { kind: "unwritten", text: about };
}

/** The function by which a conversation notes what it extracts. */
function planNote(node: AgentNode, name: string, graph: AgentGraph): PlannedFunction {
  const { description, properties, required } = extractionByTool(node, [node], graph);
  const keys = Object.keys(properties).map(
    (variable, index): Pair => [variable, /^[\w-]+$/.test(variable) ? variable : `variable_${index + 1}`],
  );
  const named = keys.map(([variable, key]) => [key, properties[variable]] as const);
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(named),
      required: keys.flatMap(([variable, key]) => (required.includes(variable) ? [key] : [])),
    },
    handler: { kind: "note" },
    stores: keys.map(([variable, key]): Pair => [variable, `$.${key}`]),
  };
}

function modelsIn(settings: JsonObject): Models {
  const found = Object.entries(pick(settings, MODEL_KEYS)).filter(
    (each): each is [string, string] => typeof each[1] === "string",
  );
  return Object.fromEntries(found);
}

/** Letters and digits of an id in the form of a class's name. */
function className(id: string): string {
  const words = id.normalize("NFKD").match(/[a-zA-Z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : `Node${joined}`;
}

/** A move that the model makes: from a node, by a function, to a node. */
export type Move = readonly [from: string, name: string, to: string];

/** The moves of conversations, except for those that an equation may make first. */
export function movesOf({ agents }: Plan): readonly Move[] {
  const handoffs = new Map(agents.map(({ node, handoff }) => [node, handoff]));
  const talking = agents.filter(({ kind, routes }) => kind === "Conversation" && routes.length === 0);
  return talking.flatMap(({ node, choices }) => {
    return [...new Set(choices.map(([to]) => to))].map((to): Move => [node, handoffs.get(to) ?? "", to]);
  });
}

import type { Path } from "../../../src/base/errors.ts";
import { defined, isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Metadata } from "../../../src/document/graph/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";
import type { Loss } from "../../platform.ts";

/** Owner of Telnyx's settings in metadata. */
export const OWNER = "telnyx";

/** Key of records that are no settings, such as where a value was read. */
export const LENS = "lens";

/** Id of the only node of an assistant without a flow. */
export const SINGLE = "assistant";

/** Snippet with the assistant's instructions, where only some nodes of a flow append theirs to them. */
export const INSTRUCTIONS = "assistant_instructions";

/** How such nodes begin. */
export const INSTRUCTIONS_TAG = `{%${INSTRUCTIONS}%}`;

export const isText = (value: unknown): value is string => typeof value === "string";

/** Telnyx's own settings of a node, transition or tool. */
export function ownKeys(item: { readonly metadata?: Metadata | null }): JsonObject {
  return recordAt(item.metadata ?? {}, OWNER);
}

/** The records among such settings. */
export const lensOf = (item: { readonly metadata?: Metadata | null }): JsonObject => recordAt(ownKeys(item), LENS);

/** Returns settings and records as metadata; empty if there are none. */
export function keep(settings: JsonObject, lens: JsonObject = {}): Metadata {
  const own = { ...settings, ...(Object.keys(lens).length > 0 ? { [LENS]: lens } : {}) };
  return Object.keys(own).length > 0 ? { [OWNER]: own } : {};
}

/** Whether a graph was imported from Telnyx. */
export const isNative = ({ source_type: type }: AgentGraph): boolean => type === OWNER;

/** An assistant, or only its flow, in the containers in which files and answers have it. */
interface OpenedAssistant {
  /** The assistant; of a bare flow, an object with the flow alone. */
  readonly body: JsonObject;
  readonly path: Path;
  readonly close: (body: JsonObject) => unknown;
}

const FLOW = "conversation_flow";

/** Finds the assistant in a document: itself, in a list of one, under `data`, or its flow alone. */
export function openAssistant(document: unknown, path: Path = []): OpenedAssistant | undefined {
  if (Array.isArray(document)) {
    const inner = document.length === 1 ? openAssistant(document[0], [...path, 0]) : undefined;
    return inner && { ...inner, close: (body) => [inner.close(body)] };
  }
  if (!isRecord(document)) return undefined;
  if (isText(document.instructions) || Object.hasOwn(document, FLOW))
    return { body: document, path, close: (body) => body };
  if (isFlow(document)) return { body: { [FLOW]: document }, path, close: (body) => body[FLOW] };
  const inner = openAssistant(document.data, [...path, "data"]);
  return inner && { ...inner, close: (body) => ({ ...document, data: inner.close(body) }) };
}

/** Whether a value is a flow of Telnyx: it has a part that no other platform's flows have. */
export function isFlow(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.nodes)) return false;
  const isNode = (node: unknown) =>
    isRecord(node) &&
    (isText(node.instructions) || isText(node.shared_tool_id) || (node.type === "speak" && isText(node.message)));
  const isEdge = (edge: unknown) => isRecord(edge) && isText(edge.start_node_id) && isRecord(edge.target);
  return value.nodes.some(isNode) || (Array.isArray(value.edges) && value.edges.some(isEdge));
}

/** Structure of Telnyx's documents. Tools have their names under their types. */
export const assistantShape: DocumentShape = {
  keys: [
    ...["id", "webhook.name", "function.name", "client_side_tool.name", "update_dynamic_variables.name", "name"],
    "type",
  ],
  references: { start_node_id: "id", node_id: "id" },
  open: (document) => {
    const opened = openAssistant(document);
    if (!opened) return { body: document, close: (body) => body };
    return { body: opened.body, close: (body) => (isRecord(body) ? opened.close(body) : body) };
  },
};

const OWN_OPTION = "Set Telnyx's own settings in the telnyx option";
const MOVE = "Move it to a conversation node";
const BY_VARIABLE = "Add a response variable to the tool, and route by an equation";

type LossWords = readonly [kind: Loss["kind"], message: string, instead?: string, hint?: string];

/** Losses by code, in words. */
export const LOSSES = {
  snippet: ["emulated", "Telnyx has no snippets", "the snippet's text in each prompt that uses it"],
  "snippet-unused": ["dropped", "Telnyx has no snippets, and no prompt uses this one", undefined, "Remove it"],
  "foreign-settings": ["dropped", "Telnyx does not support settings of another platform", undefined, OWN_OPTION],
  overridden: ["dropped", "The telnyx option sets another value", "the value of the option", "Set one of them"],
  "begin-message": ["dropped", "The caller speaks first, so there is no begin message", undefined, "Remove it"],
  "static-entry": ["emulated", "Telnyx says the first words of a call itself", "the greeting"],
  "static-text": ["emulated", "A speak node does not wait for the caller", "a second node that waits"],
  "terminal-speech": ["emulated", "A tool node says nothing", "a node that speaks and calls the tool, or leads to it"],
  extract: ["emulated", "No node extracts variables silently", "a node that speaks, with a tool that writes them"],
  logic: ["emulated", "No node only decides", "its transitions, at the nodes that lead to it"],
  "logic-fallback": ["emulated", "A call does not stay where no condition holds", "the next edges of the nodes before"],
  "logic-entry": ["emulated", "A flow begins with a node that speaks", "a node whose words the model makes"],
  "too-many-ways": ["dropped", "Too many ways lead out of nodes that only decide, or in a circle"],
  global: ["emulated", "Telnyx has no global nodes, so the condition is repeated", "an edge from every other node"],
  "go-back": ["dropped", "No edge of go_back_conditions returns to the node before", undefined, "Add a transition"],
  else: ["emulated", "No edge is for an answer that fits no other", "the last edge, which is always true"],
  timing: ["emulated", "Edges are not taken at this time", "an edge that is always taken"],
  "mixed-condition": ["emulated", "An edge has words or an expression, not both", "an edge in words"],
  "tool-condition": ["emulated", "No edge is for a tool's outcome", "an edge in words or by a variable", BY_VARIABLE],
  "failed-condition": ["dropped", "No edge is for a tool that failed", undefined, BY_VARIABLE],
  operator: ["dropped", "Telnyx does not support the operator, and it is never true", "false"],
  exists: ["emulated", "No expression says whether a variable is set", "a comparison with an empty text"],
  operand: ["emulated", "A variable is compared with a text, a number or one variable", "the nearest of them"],
  "transition-description": ["dropped", "Edges have no description", undefined, "Move it to the condition"],
  "edge-taken": ["dropped", "A node has one default edge", undefined, "Remove the other transitions"],
  "no-edge": ["dropped", "Telnyx has no such edge", undefined, "Remove the transition"],
  "no-default": ["emulated", "This node needs a default edge", "one to a node that waits for the caller"],
  "node-prompt": ["dropped", "This type of node has no instructions", undefined, MOVE],
  "node-tools": ["dropped", "This type of node does not have this tool", undefined, MOVE],
  "node-id": ["emulated", "A transfer to an assistant has the assistant's id", "that id"],
  "extract-behind": ["emulated", "Only tools store variables", "a node with such a tool before the next node"],
  variables: ["dropped", "Only extract nodes extract variables", undefined, "Move them to an extract node"],
  "variable-detail": ["emulated", "Variables have no list of choices", "the choices in its description"],
  "function-arguments": ["emulated", "A tool node fills arguments with variables", "a node that is told to call it"],
  "function-tools": ["dropped", "A tool node runs one tool", "its first tool", "Add a function node for each tool"],
  "function-without-tool": ["dropped", "A function node needs a tool", "its transitions", "Add a tool to the node"],
  "tool-type": ["emulated", "Telnyx has no tool of this type", "a webhook or a function"],
  "tool-url": ["emulated", "The tool has no URL", "a function that the caller of the API answers"],
  "tool-name": ["emulated", "A tool of this type has no name", "its type"],
  "tool-detail": ["dropped", "A tool of this type does not have all of this", undefined, "Make it a custom tool"],
  "tool-merged": ["emulated", "An assistant has one tool of this type", "one with the settings of all of them"],
  "transfer-tools": ["emulated", "A tool node has one destination", "a node that is told where to transfer"],
  destination: ["dropped", "The transfer node has another destination", undefined, "Set one destination"],
} as const satisfies { readonly [code: string]: LossWords };

/** Reports a loss, once. `detail`: the value that is lost. */
export type Lose = (code: keyof typeof LOSSES, path: Path, detail?: string) => void;

/** Starts an empty list of losses. */
export function createLosses(): { readonly lose: Lose; readonly all: () => readonly Loss[] } {
  const found = new Map<string, Loss>();
  const lose: Lose = (code, path, detail) => {
    const [kind, words, instead, hint]: LossWords = LOSSES[code];
    const message = detail === undefined ? words : `${words}: ${detail}`;
    found.set(JSON.stringify([code, path, message]), defined({ code, kind, path, message, instead, hint }));
  };
  return { lose, all: () => [...found.values()] };
}

/** Reports nothing. */
export const QUIET: Lose = () => {};

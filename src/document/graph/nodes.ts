import { isRecord } from "../../base/values/mod.ts";
import type { AgentGraph, AgentNode, NodeType, ToolDefinition, Transition, TransitionCondition } from "./types.ts";

/*
 * What nodes do and where they lead, independent of variables and model answers. A conversation follows these rules
 * with the answers it gets, an estimate with all possible answers.
 */

/** Whether an operator of equations compares with nothing: `exists` and `not_exist` have no right side. */
export function isUnary(operator: string): boolean {
  return operator === "exists" || operator === "not_exist";
}

/** Maximum number of transitions in a turn; one more ends the call. */
export const MOST_HOPS = 20;

/** Who starts the call: the caller, or the agent with a begin message or its entry node's prompt. */
export function openingOf({
  source_metadata: { start_speaker, begin_message },
}: AgentGraph): "caller" | "begin" | "node" {
  if (start_speaker === "user") return "caller";
  return typeof begin_message === "string" ? "begin" : "node";
}

/** Whether a node speaks its prompt verbatim the first time after each entry. */
export function isStatic({ instruction_type: type }: AgentNode): boolean {
  return type === "static_text";
}

/** Whether a node that ends the call says something first. */
export function speaks({ state_prompt: prompt }: AgentNode): boolean {
  return prompt.trim() !== "";
}

/** Whether a node ends the call or hands it over. */
export function isTerminal({ node_type: type }: Pick<AgentNode, "node_type">): boolean {
  return type === "end" || type === "transfer";
}

/** Whether a call passes a node without saying anything to the caller. */
export function isSilent(node: Pick<AgentNode, "node_type">): boolean {
  return node.node_type !== "conversation" && !isTerminal(node);
}

/** Whether a node ends the call without saying anything. */
export function isOverAtOnce(node: AgentNode): boolean {
  return isTerminal(node) && !speaks(node);
}

/** Whether a fused reply may be used for this node. A silent node says nothing and leads to another one. */
export function canSpeakNext(node: AgentNode): boolean {
  return node.node_type === "conversation" || isTerminal(node);
}

/** Whether one request may decide and write the reply. Not if a node that may speak next has tools. */
export function canFuse(candidates: readonly AgentNode[]): boolean {
  return candidates.every(({ node_type: type, tools }) => type === "function" || tools.length === 0);
}

/** The model call that a silent node needs; `undefined` when it needs none. */
export function workQuestion(node: AgentNode): "extract" | "arguments" | undefined {
  if (node.node_type === "extract") return node.variables_to_extract.length > 0 ? "extract" : undefined;
  const [tool] = node.node_type === "function" ? node.tools : [];
  return tool && takesArguments(tool) ? "arguments" : undefined;
}

/** Whether a model has to fill in a tool's arguments. */
function takesArguments({ parameters }: ToolDefinition): boolean {
  if (isRecord(parameters?.properties) && Object.keys(parameters.properties).length > 0) return true;
  return ["anyOf", "oneOf", "allOf", "$ref"].some((keyword) => parameters?.[keyword] !== undefined);
}

/** Returns the end reason of a tool that ends the call; `undefined` for every other tool. */
export function endingOf({ type }: Pick<ToolDefinition, "type">): "agent_ended" | "agent_transferred" | undefined {
  if (type === "end_call") return "agent_ended";
  return type === "transfer_call" ? "agent_transferred" : undefined;
}

/** The transitions that a node has at one point of a call. */
export interface Ways {
  /** Taken without a model call, first match: equations and, after a tool call, its outcome. */
  readonly withoutModel: readonly Transition[];
  /** Offered to the model, which may pick one of them: LLM conditions. */
  readonly offered: readonly Transition[];
  /** Taken when no other transition is. */
  readonly otherwise: Transition | undefined;
}

/** After a conversation node has spoken: by the outcome of a tool that the reply called, else an `always` one. */
export function waysAfterSpeech({ transitions }: AgentNode): Ways {
  const otherwise = transitions.find((transition) => isAlways(transition) && transition.timing !== "else");
  return { withoutModel: transitions.filter(isOnTool), offered: [], otherwise };
}

/** After the caller has spoken at a conversation node. Global nodes and go-backs are offered in addition. */
export function waysAfterHearing({ transitions }: AgentNode): Ways {
  const otherwise = transitions.find((transition) => isAlways(transition) && transition.timing === "else");
  return { withoutModel: transitions.filter(isEquation), offered: transitions.filter(isOffered), otherwise };
}

/** After a silent node has extracted variables or called its tool. */
export function waysAfterWork({ transitions }: AgentNode): Ways {
  return {
    withoutModel: transitions.filter((transition) => isEquation(transition) || isOnTool(transition)),
    offered: transitions.filter(isOffered),
    otherwise: transitions.find(isAlways),
  };
}

type Outcome = "succeeded" | "failed";

/** Whether a tool or a transfer has the outcome that a condition or a policy requires; without one, both match. */
export function hasOutcome({ outcome: wanted }: { readonly outcome?: Outcome | null }, outcome: Outcome): boolean {
  return (wanted ?? outcome) === outcome;
}

/** Whether a `tool_call` condition is true after a reply has called a tool. One without a name matches every tool. */
export function isOnCall(
  condition: TransitionCondition,
  { name, outcome }: { readonly name: string; readonly outcome: Outcome },
): boolean {
  return (condition.value === "" || condition.value === name) && hasOutcome(condition, outcome);
}

/** The transition to take when a transfer fails. */
export function wayAfterFailedTransfer({ transitions }: AgentNode): Transition | undefined {
  return transitions.find((transition) => isOnTool(transition) && hasOutcome(transition.condition, "failed"));
}

/** Whether the turn continues at the target of a transition taken after speech, instead of waiting for the caller. */
export function goesOnAtOnce({ timing }: Transition, target: AgentNode): boolean {
  return timing === "skip_response" || isOverAtOnce(target);
}

/** The go-back conditions of a global node, by type. */
export function waysBack({ global_node_setting: setting }: AgentNode) {
  const backs = setting?.go_back_conditions ?? [];
  return { withoutModel: backs.filter(isEquation), offered: backs.filter(isOffered) };
}

type Way = Pick<Transition, "condition">;
const isEquation = ({ condition }: Way) => condition.type === "equation";
const isOnTool = ({ condition }: Way) => condition.type === "tool_call";
const isOffered = ({ condition }: Way) => condition.type === "llm_prompt";
const isAlways = ({ condition }: Way) => condition.type === "always";

const ANYWAY =
  /^\W*(?:(?:always|unconditional(?:ly)?|in (?:any|all|every) cases?|immediately|immer|toujours|siempre)(?: (?:transfer|go|move|continue|proceed|route|end|transition|true)\b.*)?|true|else|otherwise|default|anything(?: else)?|sonst|sinon|describe the condition\b.*)\W*$/is;

/** Whether the text of a condition asks for nothing: "Always", "Otherwise", or the text that dashboards fill in. */
export function holdsAnyway(condition: string): boolean {
  return condition.trim() === "" || ANYWAY.test(condition);
}

/** Returns the ids of the nodes with a transition to each node. */
export function callersOf(nodes: readonly AgentNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const { id, transitions } of nodes)
    for (const { target_node_id: to } of transitions) callers.set(to, (callers.get(to) ?? new Set()).add(id));
  return callers;
}

/** A target's name as answers are compared with it: without surrounding white space, in lower case. */
export function foldedTarget(name: string): string {
  return name.trim().toLowerCase();
}

/** The target that an answer names: an exact match, else one that ignores case and surrounding white space. */
export function foundTarget(targets: readonly string[], name: string): string | undefined {
  const folded = foldedTarget(name);
  return targets.find((target) => target === name) ?? targets.find((target) => foldedTarget(target) === folded);
}

/**
 * Infers the missing type of a node in an older document. A node whose transitions are all `equation` or `always`, with
 * at least one equation, is silent (`extract` or `logic`); others are `conversation`.
 */
export function inferNodeType(node: {
  readonly transitions: readonly Transition[];
  readonly variables_to_extract: readonly unknown[];
}): NodeType {
  const types = node.transitions.map((transition) => transition.condition.type);
  const silent = types.includes("equation") && types.every((type) => type === "equation" || type === "always");
  if (!silent) return "conversation";
  return node.variables_to_extract.length > 0 ? "extract" : "logic";
}

/** Ids that a dashboard made, such as `node-1759299298668`; no text means anything else by them. */
const MADE = /\d{5}|[0-9a-f]{8}-[0-9a-f]{4}-/i;
/** A text in quotes, or a word that can be such an id. */
const QUOTED_OR_WORD = /"([^"\n]+)"|[\w-]+/g;

/** How people call the nodes of a graph. */
export interface NodeNames {
  /** The name of a node; its id, if it has no other name. */
  readonly of: (id: string) => string;
  /** A text of Callweave's with names instead of the ids of nodes. */
  readonly inText: (text: string) => string;
  /** A report or result with names instead of the ids of nodes, for people to read. What was spoken stays. */
  readonly inResult: <T>(value: T) => T;
}

/**
 * The names that a platform's dashboard gives to nodes, instead of their ids. Names that several nodes have are followed
 * by the id. Nodes of a flow in code have no other name than their id.
 */
export function nodeNames(graph: AgentGraph): NodeNames {
  const byId = Object.entries(graph.nodes).map(([id, node]) => [id, platformName(node) ?? id] as const);
  const counts = new Map<string, number>();
  for (const [, name] of byId) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map(
    byId.flatMap(([id, name]) => (name === id ? [] : [[id, counts.get(name) === 1 ? name : `${name} (${id})`]])),
  );
  if (names.size === 0) return { of: (id) => id, inText: (text) => text, inResult: (value) => value };
  const others = otherNames(graph);
  const own: Pick<NodeNames, "of" | "inText"> = {
    of: (id) => names.get(id) ?? id,
    inText: (text) =>
      text.replace(QUOTED_OR_WORD, (found: string, quoted: string | undefined) => {
        if (quoted === undefined) return MADE.test(found) ? (names.get(found) ?? found) : found;
        const name = others.has(quoted) ? undefined : names.get(quoted);
        return name === undefined
          ? `"${quoted.replace(/[\w-]+/g, (word) => (MADE.test(word) ? (names.get(word) ?? word) : word))}"`
          : `"${name}"`;
      }),
  };
  return {
    ...own,
    inResult: <T>(value: T) => named(value, "", own) as T, // strings become strings, everything else keeps its shape
  };
}

/** Keys whose value is the id of a node, or a list of ids. */
const NODE_KEYS: ReadonlySet<string> = new Set(["node_id", "nodeId", "nodesVisited"]);
/** Keys whose texts are for programs. */
const OTHER_KEYS: ReadonlySet<string> = new Set([
  "id",
  "runId",
  "code",
  "path",
  "witness",
  "name",
  "scenario",
  "variables",
]);

/** Like {@link NodeNames.inResult}, for one value of a graph. */
export function withNodeNames<T>(value: T, graph: AgentGraph): T {
  return nodeNames(graph).inResult(value);
}

function named(value: unknown, key: string, names: Pick<NodeNames, "of" | "inText">): unknown {
  if (typeof value === "string") return NODE_KEYS.has(key) ? names.of(value) : names.inText(value);
  if (Array.isArray(value)) return value.map((each) => named(each, key, names));
  if (!isRecord(value)) return value;
  const { role, metadata, content } = value;
  if (isRecord(metadata) && metadata.kind === "transition" && typeof content === "string") {
    const [from, to] = [metadata.from, metadata.to].map(String);
    const [shownFrom, shownTo] = [from, to].map((id) => names.of(id ?? ""));
    const moved = { ...metadata, from: shownFrom, to: shownTo };
    const shown = content.replace(`${from} -> ${to}`, () => `${shownFrom} -> ${shownTo}`);
    return { ...value, node_id: names.of(String(value.node_id)), metadata: moved, content: names.inText(shown) };
  }
  const isSpoken = role === "user" || role === "assistant";
  return Object.fromEntries(
    Object.entries(value).map(([own, each]) => {
      const isKept = OTHER_KEYS.has(own) || (isSpoken && own === "content");
      return [own, isKept ? each : named(each, own, names)];
    }),
  );
}

function platformName({ id, metadata }: AgentNode): string | undefined {
  const [name] = Object.values(metadata).flatMap((owned) =>
    isRecord(owned) && typeof owned.name === "string" && owned.name.trim() !== "" ? [owned.name.trim()] : [],
  );
  return name === id ? undefined : name;
}

/** Names of tools, variables and snippets, which a quoted text may mean. */
function otherNames({ nodes, snippets }: AgentGraph): ReadonlySet<string> {
  return new Set([
    ...Object.keys(snippets),
    ...Object.values(nodes).flatMap(({ tools, variables_to_extract: variables }) => [
      ...tools.map(({ name }) => name),
      ...variables.flatMap(({ name, choices }) => [name, ...(choices ?? [])]),
    ]),
  ]);
}

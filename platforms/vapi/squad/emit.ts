import type { Path } from "../../../src/base/errors.ts";
import {
  getAt,
  isRecord,
  type JsonObject,
  omit,
  own,
  recordAt,
  sameJson,
  setAt,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, Transition } from "../../../src/document/graph/mod.ts";
import type { LoweredNode } from "../../lower/mod.ts";
import type { EmitOptions, Loss, PlainEmitted } from "../../platform.ts";
import { limits } from "../api/mod.ts";
import { asNew, DEFAULT_MODEL, emitSquad, openingIn, promptOf, splitGuide } from "../compile/mod.ts";
import {
  createDirectory,
  type Directory,
  destinationsFor,
  freeNames,
  homeOf,
  idsOf,
  isText,
  lowerCalls,
  type Native,
  NODE_HINT,
  nameMembers,
  nameOf,
  ownPrompt,
  withDefaultModel,
  withRawTools,
  withSpeech,
  writeMember,
  writeOpening,
  writeShared,
} from "../shared/mod.ts";
import { sharedKeyOf } from "./import.ts";

/**
 * Emits a graph as a squad. Nodes of an imported squad are written into their original members: their prompts, tools
 * and plain handoffs. Everything else is compiled as for a graph of any other origin.
 */
export function emitSquadGraph(document: AgentGraph, options: EmitOptions = {}): PlainEmitted<unknown> {
  const graph = lowerCalls(document);
  const kept = recordAt(graph.source_metadata, "vapi");
  if (kept.kind !== "squad" || !Object.values(graph.nodes).some(homeOf)) return emitSquad(withRawTools(graph), options);

  const natives = nativesOf(graph);
  const isNative = new Set(natives.map(({ node }) => node.id));
  const isMember = (id: string) => isNative.has(id) || own(graph.nodes, id)?.node_type === "conversation";
  const added = emitAdded(graph, isNative, isMember);
  const plain = natives.map(({ node, home }): Native => {
    const transitions = node.transitions.filter((transition) => isPlainHandoff(transition, isMember));
    return { node: { ...node, transitions }, home };
  });
  const globals = natives.map(({ node }) => node).filter(isPlainGlobal);
  const targets = new Set([
    ...plain.flatMap(({ node }) => node.transitions.map((transition) => transition.target_node_id)),
    ...globals.map(({ id }) => id),
  ]);
  const named = nameMembers(plain, (id) => targets.has(id) || added.extras.has(id));
  const directory = createDirectory([
    ...named.map((home, index) => ({ node_id: plain[index]?.node.id ?? "", ids: idsOf(home), name: nameOf(home) })),
    ...added.members.map(({ id, name }) => ({ node_id: id, ids: [], name })),
  ]);
  const resolve = (tools: readonly unknown[]) => tools.map((tool) => resolved(tool, added, directory));
  const homes = withDefaultModel(named, graph.default_model);
  const written = plain.map(({ node }, index) => {
    const extra = added.extras.get(node.id);
    const parts = [extra?.spoken?.prompt ?? ownPrompt(graph, node.state_prompt), extra?.guide ?? ""];
    const prompt = parts.filter((text) => text !== "").join("\n\n");
    const member = writeMember({ ...node, state_prompt: prompt }, homes[index] ?? {}, directory);
    const isEntry = node.id === graph.entry_node_id && !extra?.spoken;
    const opened = isEntry ? writeOpening(member, graph.source_metadata) : member;
    return { id: node.id, member: extra ? withExtra(opened, extra, resolve(extra.tools)) : opened };
  });
  const fresh = added.members.map(({ id, member }) => {
    const tools = getAt(member, HANDOFFS);
    return { id, member: Array.isArray(tools) ? setAt(member, HANDOFFS, resolve(tools)) : member };
  });
  const all = startingAt([...written, ...fresh], ({ id }) => id === graph.entry_node_id);
  const head = headOf(graph, recordAt(kept, "squad"), globals, directory);
  const config = kept.bundle === true ? bundled(head, all) : { ...head, members: all.map(({ member }) => member) };
  const isPlaced = !graph.default_model || homes.some((home, index) => home !== named[index]);
  return { config, losses: isPlaced ? added.losses : [...added.losses, DEFAULT_MODEL_LOSS] };
}

const DEFAULT_MODEL_LOSS: Loss = {
  code: "default-model",
  kind: "dropped",
  path: ["default_model"],
  message: "Every member names its own model, or refers to a saved assistant, which has one",
  hint: "Set the model under metadata.vapi.home of each node, or in the saved assistant",
};

/** Moves the entry node's member to the front: a squad starts with its first member. */
function startingAt<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly Item[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}

/** Appends the compiled tools to a member, and sets its opening if its node has static text. */
function withExtra(home: JsonObject, { toolIds, spoken }: AddedTools, tools: readonly unknown[]): JsonObject {
  const owner = isRecord(home.assistant) ? "assistant" : "assistantOverrides";
  const opening = Object.entries(spoken?.opening ?? {});
  const opened = opening.reduce((result, [key, value]) => setAt(result, [owner, key], value), home);
  const append = (result: JsonObject, path: Path, items: readonly unknown[]) =>
    items.length === 0 ? result : setAt(result, path, [...[getAt(result, path) ?? []].flat(), ...items]);
  return append(append(opened, HANDOFFS, tools), [owner, "model", "toolIds"], toolIds);
}

/** Refers to imported members by their names or ids in a compiled handoff. */
function resolved(tool: unknown, { nodeOfName }: Added, directory: Directory): unknown {
  const destination = getAt(tool, ["destinations", 0]);
  if (!isRecord(tool) || tool.type !== "handoff" || !isRecord(destination)) return tool;
  const { assistantName, ...rest } = destination;
  const target = isText(assistantName) ? nodeOfName.get(assistantName) : undefined;
  if (target === undefined || !isText(assistantName)) return tool;
  return setAt(tool, ["destinations", 0], { ...rest, ...directory.refTo(target, { assistantName }) });
}

/** Returns the nodes that are written without compiling, with the JSON to write them into. The entry node is first. */
function nativesOf(graph: AgentGraph): readonly Native[] {
  const ids = inReadOrder(Object.keys(graph.nodes), recordAt(graph.source_metadata, "vapi").order);
  const natives = ids.flatMap((id): Native[] => {
    const node = own(graph.nodes, id);
    const home = node && (homeOf(node) ?? (isPlainNode(node, graph) ? newHome(node, graph) : undefined));
    return node && home ? [{ node, home }] : [];
  });
  return startingAt(natives, ({ node }) => node.id === graph.entry_node_id);
}

/**
 * Restores the order of imported members if the order of nodes was not edited. Objects list numeric ids before all
 * others.
 *
 * @param order All ids in the imported order. Absent if the object's keys have that order.
 */
function inReadOrder(ids: readonly string[], order: unknown): readonly string[] {
  const known = (Array.isArray(order) ? order : []).filter((id): id is string => ids.includes(id));
  const listed = Object.keys(Object.fromEntries(known.map((id) => [id, true])));
  const places = ids.filter((id) => known.includes(id));
  if (!sameJson(listed, places)) return ids;
  return ids.map((id) => known[places.indexOf(id)] ?? id);
}

/** Whether a new node can be written as a plain member, without compiling: it has a prompt and only plain handoffs. */
function isPlainNode(node: AgentNode, graph: AgentGraph): boolean {
  const isTalk = (id: string) => own(graph.nodes, id)?.node_type === "conversation";
  return (
    isTalk(node.id) &&
    node.instruction_type !== "static_text" &&
    node.id.length <= limits().assistantName &&
    node.variables_to_extract.length === 0 &&
    node.tools.every(isPlainTool) &&
    (!node.global_node_setting || isPlainGlobal(node)) &&
    node.transitions.every((transition) => isPlainHandoff(transition, isTalk))
  );
}

/** Whether a new node's tool can be written without compiling: it is a copy of an imported tool or has no metadata. */
function isPlainTool({ type, metadata }: ToolDefinition): boolean {
  if (typeof recordAt(metadata ?? {}, "vapi").list === "string") return true;
  return (!type || type === "custom") && Object.keys(metadata ?? {}).length === 0;
}

/** Creates a member for a new node, with the settings from its metadata. By default, the model speaks first. */
function newHome(node: AgentNode, graph: AgentGraph): JsonObject {
  const start = { firstMessage: "", firstMessageMode: "assistant-speaks-first-with-model-generated-message" };
  const settings = recordAt(node.metadata, "vapi");
  const model = graph.default_model?.includes("/") ? { model: "" } : DEFAULT_MODEL;
  return { assistant: { ...start, ...settings, model: { ...model, ...recordAt(settings, "model") } } };
}

/** Returns the squad's settings, with the overrides for all members. */
function headOf(graph: AgentGraph, squad: JsonObject, globals: readonly AgentNode[], directory: Directory) {
  const { name, default_dynamic_variables: defaults } = graph.source_metadata;
  const key = sharedKeyOf(squad);
  const shared = writeShared(recordAt(squad, key), globals, directory);
  const written = withSpeech(defaults ? { ...shared, variableValues: defaults } : shared, graph);
  const isNeeded = isRecord(squad[key]) || Object.keys(written).length > 0;
  return { ...squad, ...(name ? { name } : {}), ...(isNeeded ? { [key]: written } : {}) };
}

/**
 * Moves assistants from the members to a list beside the squad, as in exports. Members that share an assistant refer to
 * it by id. A member with other settings than the first one gets a copy of the assistant.
 */
function bundled(head: JsonObject, all: readonly { readonly id: string; readonly member: JsonObject }[]): JsonObject {
  const assistants = new Map<unknown, JsonObject>();
  const members = all.map(({ id: node, member }): JsonObject => {
    const { assistantId: id, assistant } = member;
    if (!isRecord(assistant) || id === undefined || assistant.id !== id) return member;
    const saved = assistants.get(id) ?? assistant;
    assistants.set(id, saved);
    if (sameJson(saved, assistant)) return omit(member, ["assistant"]);
    const copy = { ...omit(assistant, ["id"]), ...(nameOf(member) ? {} : { name: node }) };
    return { ...omit(member, ["assistantId", "assistantVersion"]), assistant: copy };
  });
  return { squad: { ...head, members }, assistants: [...assistants.values()] };
}

/** Place of a member's handoffs in documents of Vapi's dashboard. */
const HANDOFFS: Path = ["assistantOverrides", "tools:append"];

/** Parts of the graph that the imported members do not support, emitted by the compiler for graphs of other origin. */
export interface Added {
  /** Members for new nodes. */
  readonly members: readonly { readonly id: string; readonly name: string; readonly member: JsonObject }[];
  /** Additions to imported members, by node id. */
  readonly extras: ReadonlyMap<string, AddedTools>;
  /** Node ids by the assistant names in the emitted handoffs. */
  readonly nodeOfName: ReadonlyMap<string, string>;
  readonly losses: readonly Loss[];
}

/** Tools for transitions that are not plain handoffs, and the instructions for them. */
export interface AddedTools {
  readonly tools: readonly JsonObject[];
  readonly toolIds: readonly unknown[];
  readonly guide: string;
  /** For a node with static text: its compiled prompt and opening. */
  readonly spoken?: { readonly prompt: string; readonly opening: JsonObject };
}

/** Whether a transition can be written as a handoff: the model decides it, and it leads to a member. */
function isPlainHandoff(transition: Transition, isMember: (id: string) => boolean): boolean {
  const { type, equations } = transition.condition;
  return type === "llm_prompt" && !equations?.length && !transition.timing && isMember(transition.target_node_id);
}

/** Whether a global node can be written as a handoff that every member has: it has no go-back conditions. */
function isPlainGlobal({ global_node_setting: setting }: AgentNode): boolean {
  return setting?.go_back_conditions.length === 0;
}

/**
 * Emits parts that imported members do not support: nodes of other types, transitions with equations, go-back
 * conditions.
 *
 * @param natives Ids of the nodes that are written into imported members.
 * @param isMember Whether a node is an imported or a new member.
 */
function emitAdded(graph: AgentGraph, natives: ReadonlySet<string>, isMember: (id: string) => boolean): Added {
  const found: Loss[] = [];
  const rests = Object.entries(withRawTools(graph).nodes).map(
    ([id, node]) => [id, natives.has(id) ? restOf(node, isMember, found) : whole(node)] as const,
  );
  const isNeeded = rests.some(
    ([id, node]) => !natives.has(id) || node.transitions.length > 0 || node.global_node_setting || isFixed(node),
  );
  if (!isNeeded) return { members: [], extras: new Map(), nodeOfName: new Map(), losses: [] };
  const { config, losses } = emitSquad(asNew({ ...graph, nodes: Object.fromEntries(rests) }));
  const members = config.members.map((member): JsonObject => ({ ...member }));
  const emitted = members.map((member) => ({
    id: String(getAt(member, NODE_HINT)),
    name: nameOf(member) ?? "",
    member,
  }));
  return {
    members: emitted.filter(({ id }) => !natives.has(id)),
    extras: new Map(
      emitted.flatMap(({ id, member }) => {
        const node = natives.has(id) ? own(graph.nodes, id) : undefined;
        return node ? [[id, extraOf(member, node)] as const] : [];
      }),
    ),
    nodeOfName: new Map(emitted.map(({ id, name }) => [name, id])),
    losses: [...found, ...losses],
  };
}

/** Prepares a node for the compiler: removes Vapi's settings of the member or tool it was imported from. */
function whole(node: AgentNode): AgentNode {
  const destinations = node.node_type === "transfer" ? destinationsFor(node) : [];
  const kept = destinations.length > 0 ? { callweave: { destinations } } : {};
  return { ...node, metadata: { ...omit(node.metadata, ["vapi"]), ...kept } };
}

/** Returns the parts of a node that its imported member does not support: transitions that are not plain handoffs. */
function restOf(node: AgentNode, isMember: (id: string) => boolean, losses: Loss[]): LoweredNode {
  const { global_node_setting: setting, ...bare } = node;
  return {
    ...bare,
    state_prompt: isFixed(node) ? node.state_prompt : "",
    tools: [],
    transitions: node.transitions.flatMap((transition, index) => {
      const path = ["nodes", node.id, "transitions", index];
      return isPlainHandoff(transition, isMember) ? [] : [{ ...judged(transition, path, losses), madeFrom: path }];
    }),
    ...(setting && !isPlainGlobal(node) ? { global_node_setting: setting } : {}),
    metadata: omit(node.metadata, ["vapi"]),
  };
}

/** Lets the model decide a `tool_call` transition, because no variable stores the outcome of an imported tool. */
function judged(transition: Transition, path: Path, losses: Loss[]): Transition {
  const { type, value, outcome } = transition.condition;
  if (type !== "tool_call") return transition;
  const words = `${value ? `The tool ${value}` : "A tool"} has ${outcome ?? "been called"}`;
  losses.push({
    code: "tool-outcome",
    kind: "emulated",
    path,
    message: "Vapi does not report the outcome of an imported assistant's tool",
    instead: `a handoff that the model decides: "${words}"`,
    hint: "Add a response variable to the tool, and route by an equation",
  });
  return { ...transition, condition: { type: "llm_prompt", value: words } };
}

/** Whether a node speaks its prompt verbatim. */
const isFixed = (node: AgentNode) => node.instruction_type === "static_text";

/** Returns the additions to a member. Tools with a taken name are renamed: Vapi keeps only one tool per name. */
function extraOf(member: JsonObject, node: AgentNode): AddedTools {
  const list = (path: Path): readonly unknown[] => [getAt(member, path) ?? []].flat();
  const free = freeNames(
    node.tools,
    node.transitions.map(({ metadata }) => getAt(metadata, ["vapi", "tool", "function", "name"])),
  );
  const renamed = new Map<string, string>();
  const tools = [...list(["assistant", "model", "tools"]), ...list(HANDOFFS)].filter(isRecord).map((tool) => {
    const path = isRecord(tool.function) ? ["function", "name"] : ["name"];
    const name = getAt(tool, path);
    if (!isText(name)) return tool;
    renamed.set(name, free(name));
    return setAt(tool, path, renamed.get(name));
  });
  const [prompt, guide] = splitGuide(promptOf(member.assistant));
  return {
    tools,
    toolIds: list(["assistant", "model", "toolIds"]),
    guide: guide.trim().replace(/(?<=\b[Cc]all )([\w-]+)/g, (name) => renamed.get(name) ?? name),
    ...(isFixed(node) ? { spoken: { prompt, opening: openingIn(recordAt(member, "assistant")) } } : {}),
  };
}

import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, own, recordAt, setAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../src/document/graph/mod.ts";
import type { LoweredNode } from "../../lower/mod.ts";
import type { Loss } from "../../platform.ts";
import { asNew, emitSquad, openingIn, promptOf, splitGuide } from "../compile/mod.ts";
import { destinationsFor, freeNames, isText, NODE_HINT, nameOf, withRawTools } from "../shared/mod.ts";

/** Place of a member's handoffs in documents of Vapi's dashboard. */
export const HANDOFFS: Path = ["assistantOverrides", "tools:append"];

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
export function isPlainHandoff(transition: Transition, isMember: (id: string) => boolean): boolean {
  const { type, equations } = transition.condition;
  return type === "llm_prompt" && !equations?.length && !transition.timing && isMember(transition.target_node_id);
}

/** Whether a global node can be written as a handoff that every member has: it has no go-back conditions. */
export function isPlainGlobal({ global_node_setting: setting }: AgentNode): boolean {
  return setting?.go_back_conditions.length === 0;
}

/**
 * Emits parts that imported members do not support: nodes of other types, transitions with equations, go-back
 * conditions.
 *
 * @param natives Ids of the nodes that are written into imported members.
 * @param isMember Whether a node is an imported or a new member.
 */
export function emitAdded(graph: AgentGraph, natives: ReadonlySet<string>, isMember: (id: string) => boolean): Added {
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

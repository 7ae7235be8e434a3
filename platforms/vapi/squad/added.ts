import type { AgentGraph, AgentNode, Transition } from "../../../src/graph/mod.ts";
import {
  getAt,
  isRecord,
  type JsonObject,
  type JsonPath,
  omit,
  own,
  recordAt,
  setAt,
} from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import { emitSquad, splitGuide } from "../compile/mod.ts";
import { freeNames, isText, NODE_HINT, nameOf, withRawTools } from "../shared/mod.ts";

const PROMPT: JsonPath = ["assistant", "model", "messages", 0, "content"];
const HANDOFFS: JsonPath = ["assistantOverrides", "tools:append"];

/** What the squad's own members cannot hold, emitted as for a graph that came from elsewhere. */
export interface Added {
  /** Members for nodes that are none of the squad's. */
  readonly members: readonly AddedMember[];
  /** What the squad's own members get besides, by the ids of their nodes. */
  readonly extras: ReadonlyMap<string, Extra>;
  /** The nodes that names in the emitted handoffs stand for. */
  readonly nodeOfName: ReadonlyMap<string, string>;
  readonly losses: readonly Loss[];
}

/** A new member and its name. */
export interface AddedMember {
  readonly node_id: string;
  readonly name: string;
  readonly member: JsonObject;
}

/** Tools for transitions that are no plain handoffs, and what the prompt says about them. */
export interface Extra {
  readonly tools: readonly JsonObject[];
  readonly toolIds: readonly unknown[];
  readonly guide: string;
  /** Of a node that speaks fixed words: its prompt and how it starts, which are emitted as for any other graph. */
  readonly spoken?: { readonly prompt: string; readonly opening: JsonObject };
}

/** Whether a transition is nothing but a handoff that the model decides. */
export function isPlain(transition: Transition, isMember: (id: string) => boolean): boolean {
  const { type, equations } = transition.condition;
  return type === "llm_prompt" && !equations?.length && !transition.timing && isMember(transition.target_node_id);
}

/** Whether a handoff of every member can lead to the node, and none leads back. */
export function isPlainGlobal({ global_node_setting: setting }: AgentNode): boolean {
  return setting?.go_back_conditions.length === 0;
}

/**
 * Emits what was added to a squad: nodes of other kinds, transitions with equations, ways back.
 *
 * @param natives Ids of the nodes that are the squad's own members.
 * @returns `undefined` if nothing was added.
 */
export function emitAdded(graph: AgentGraph, natives: ReadonlySet<string>): Added | undefined {
  const isMember = (id: string) => natives.has(id) || own(graph.nodes, id)?.node_type === "conversation";
  const rests = Object.values(graph.nodes).map((node) => (natives.has(node.id) ? restOf(node, isMember) : whole(node)));
  const isNeeded = rests.some(
    ({ node }) => !natives.has(node.id) || node.transitions.length > 0 || node.global_node_setting || isFixed(node),
  );
  if (!isNeeded) return undefined;
  const { config, losses } = emitSquad(
    withRawTools({
      ...graph,
      source_type: "custom",
      source_metadata: omit(graph.source_metadata, ["vapi"]),
      nodes: Object.fromEntries(rests.map(({ node }) => [node.id, node])),
    }),
  );
  const emitted = config.members.map((each): AddedMember => {
    const member = { ...each };
    return { node_id: String(getAt(member, NODE_HINT)), name: nameOf(member) ?? "", member };
  });
  const positions = new Map(rests.map(({ node, positions: found }) => [node.id, found]));
  return {
    members: emitted.filter(({ node_id: id }) => !natives.has(id)),
    extras: new Map(
      emitted.flatMap(({ node_id: id, member }) => {
        const node = natives.has(id) ? own(graph.nodes, id) : undefined;
        return node ? [[id, extraOf(member, node)] as const] : [];
      }),
    ),
    nodeOfName: new Map(emitted.map(({ node_id: id, name }) => [name, id])),
    losses: [...rests.flatMap((rest) => rest.losses), ...losses.map((loss) => relocate(loss, positions))],
  };
}

/** A node as it is emitted beside the squad's own members, and the positions of its transitions in the graph. */
interface Rest {
  readonly node: AgentNode;
  readonly positions?: readonly number[];
  readonly losses: readonly Loss[];
}

function whole(node: AgentNode): Rest {
  const destination = getAt(node.metadata.vapi, ["tool", "destinations", 0]);
  const kept = isRecord(destination) ? { callweave: { destination } } : {};
  return { node: { ...node, metadata: { ...omit(node.metadata, ["vapi"]), ...kept } }, losses: [] };
}

/** What is left of a member that is written back by itself: transitions and ways back that are more than handoffs. */
function restOf(node: AgentNode, isMember: (id: string) => boolean): Rest {
  const left = [...node.transitions.entries()].filter(([, transition]) => !isPlain(transition, isMember));
  const losses: Loss[] = [];
  const transitions = left.map(([index, transition]): Transition => {
    const { type, value, outcome } = transition.condition;
    if (type !== "tool_call") return transition;
    const words = `${value ? `The tool ${value}` : "A tool"} has ${outcome ?? "been called"}`;
    losses.push({
      code: "tool-outcome",
      kind: "emulated",
      path: ["nodes", node.id, "transitions", index],
      message: "Vapi does not say how a tool of an imported assistant went",
      instead: `a handoff that the model decides: "${words}"`,
      hint: "Let the tool's result fill a variable, and route by an equation",
    });
    return { ...transition, condition: { type: "llm_prompt", value: words } };
  });
  const { global_node_setting: setting, ...bare } = node;
  return {
    node: {
      ...bare,
      state_prompt: isFixed(node) ? node.state_prompt : "",
      tools: [],
      transitions,
      ...(setting && !isPlainGlobal(node) ? { global_node_setting: setting } : {}),
      metadata: omit(node.metadata, ["vapi"]),
    },
    positions: left.map(([index]) => index),
    losses,
  };
}

/** Whether a node speaks its prompt to the letter. */
const isFixed = (node: AgentNode) => node.instruction_type === "static_text";

/** What a member gets besides. Its tools are renamed where the member has one of that name: of two, Vapi would keep one. */
function extraOf(member: JsonObject, node: AgentNode): Extra {
  const list = (path: JsonPath): readonly unknown[] => [getAt(member, path) ?? []].flat();
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
  const content = getAt(member, PROMPT);
  const [prompt, guide] = splitGuide(isText(content) ? content : "");
  const { firstMessage, firstMessageMode } = recordAt(member, "assistant");
  const opening = { ...(firstMessage === undefined ? {} : { firstMessage }), firstMessageMode };
  return {
    tools,
    toolIds: list(["assistant", "model", "toolIds"]),
    guide: guide.trim().replace(/(?<=\b[Cc]all )([\w-]+)/g, (name) => renamed.get(name) ?? name),
    ...(isFixed(node) ? { spoken: { prompt, opening } } : {}),
  };
}

/** Reports a loss at its place in the whole graph. */
function relocate(loss: Loss, positions: ReadonlyMap<string, readonly number[] | undefined>): Loss {
  const [nodes, id, transitions, index, ...deeper] = loss.path;
  if (nodes !== "nodes" || transitions !== "transitions" || typeof id !== "string" || typeof index !== "number")
    return loss;
  const position = positions.get(id)?.[index];
  return position === undefined ? loss : { ...loss, path: [nodes, id, transitions, position, ...deeper] };
}

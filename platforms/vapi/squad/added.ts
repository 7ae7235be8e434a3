import type { Path } from "../../../src/errors.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import { emitSquad } from "../compile/mod.ts";
import { getAt, isText, withRawTools } from "../shared/mod.ts";

/** Stands for a member's own prompt in what is emitted for it, so that what comes after it can be told. */
const OWN_PROMPT = "callweave-own-prompt";

/** What the squad's own members cannot hold, emitted as for a graph that came from elsewhere. */
export interface Added {
  /** Members for nodes that are none of the squad's. */
  readonly members: readonly AddedMember[];
  /** What the squad's own members get besides. */
  readonly extras: ReadonlyMap<string, Extra>;
  /** The nodes that names in the emitted handoffs stand for. */
  readonly nodeOfName: ReadonlyMap<string, string>;
  readonly losses: readonly Loss[];
}

/** A new member, under the name that it was given. */
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

/** Whether a node can be entered from everywhere in a way that every member's handoff can say. */
export function isPlainGlobal(node: AgentNode): boolean {
  return Boolean(node.global_node_setting) && node.global_node_setting?.go_back_conditions.length === 0;
}

/**
 * Emits what was added to a squad: nodes of other kinds, transitions with equations, ways back.
 *
 * @param natives Ids of the nodes that are the squad's own members.
 * @returns `undefined` when there is nothing of the kind.
 */
export function emitAdded(graph: AgentGraph, natives: ReadonlySet<string>): Added | undefined {
  const isMember = (id: string) => natives.has(id) || own(graph.nodes, id)?.node_type === "conversation";
  const rests = Object.values(graph.nodes).map((node) => (natives.has(node.id) ? restOf(node, isMember) : whole(node)));
  const isNeeded = rests.some(
    ({ node }) => !natives.has(node.id) || node.transitions.length > 0 || node.global_node_setting || isFixed(node),
  );
  if (!isNeeded) return undefined;
  const rest: AgentGraph = {
    ...graph,
    source_type: "custom",
    source_metadata: omit(graph.source_metadata, ["vapi"]),
    nodes: Object.fromEntries(rests.map(({ node }) => [node.id, node])),
  };
  const { config, losses } = emitSquad(withRawTools(rest));
  const emitted = config.members.map(readEmitted).filter((member) => member !== undefined);
  const outcomes = rests.flatMap((item) => item.losses);
  const positions = new Map(rests.map((item) => [item.node.id, item.positions]));
  return {
    members: emitted.filter(({ node_id: id }) => !natives.has(id)),
    extras: new Map(
      emitted
        .filter(({ node_id: id }) => natives.has(id))
        .map((item) => [item.node_id, extraOf(item, own(graph.nodes, item.node_id))]),
    ),
    nodeOfName: new Map(emitted.map(({ node_id: id, name }) => [name, id])),
    losses: [...outcomes, ...losses.map((loss) => relocate(loss, positions))],
  };
}

/** A node as it is emitted beside the squad's own members, and where its transitions stand in the graph. */
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
  const found: Loss[] = [];
  const transitions = left.map(([index, transition]): Transition => {
    if (transition.condition.type !== "tool_call") return transition;
    const { value, outcome } = transition.condition;
    const words = `${value ? `The tool ${value}` : "A tool"} has ${outcome ?? "been called"}`;
    found.push(outcomeLoss(["nodes", node.id, "transitions", index], words));
    return { ...transition, condition: { type: "llm_prompt", value: words } };
  });
  const { global_node_setting: setting, ...bare } = node;
  return {
    node: {
      ...bare,
      state_prompt: isFixed(node) ? node.state_prompt : OWN_PROMPT,
      tools: [],
      transitions,
      ...(setting && !isPlainGlobal(node) ? { global_node_setting: setting } : {}),
      metadata: omit(node.metadata, ["vapi"]),
    },
    positions: left.map(([index]) => index),
    losses: found,
  };
}

function outcomeLoss(path: Path, words: string): Loss {
  return {
    code: "tool-outcome",
    kind: "emulated",
    path,
    message: "Vapi does not say how a tool of an imported assistant went",
    instead: `a handoff that the model decides: "${words}"`,
    hint: "Let the tool's result fill a variable, and route by an equation",
  };
}

function readEmitted(member: unknown): AddedMember | undefined {
  const id = getAt(member, ["assistant", "metadata", "callweave", "node"]);
  const name = getAt(member, ["assistant", "name"]);
  return isRecord(member) && isText(id) && isText(name) ? { node_id: id, name, member } : undefined;
}

/** Whether a node speaks its prompt to the letter. */
function isFixed(node: AgentNode | undefined): boolean {
  return node?.instruction_type === "static_text";
}

function extraOf({ member }: AddedMember, node: AgentNode | undefined): Extra {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const prompt = getAt(member, ["assistant", "model", "messages", 0, "content"]);
  const [, guide = ""] = isText(prompt) ? prompt.split(OWN_PROMPT) : [];
  const tools = [
    ...list(getAt(member, ["assistant", "model", "tools"])),
    ...list(getAt(member, ["assistantOverrides", "tools:append"])),
  ];
  return {
    tools: tools.filter(isRecord),
    toolIds: list(getAt(member, ["assistant", "model", "toolIds"])),
    guide: guide.trim(),
    ...(isFixed(node) ? { spoken: { prompt: isText(prompt) ? prompt : "", opening: openingOf(member) } } : {}),
  };
}

function openingOf(member: JsonObject): JsonObject {
  const { firstMessage, firstMessageMode } = isRecord(member.assistant) ? member.assistant : {};
  return { ...(firstMessage === undefined ? {} : { firstMessage }), firstMessageMode };
}

/** Losses are reported where they are in the whole graph. */
function relocate(loss: Loss, positions: ReadonlyMap<string, readonly number[] | undefined>): Loss {
  const [nodes, id, transitions, index, ...deeper] = loss.path;
  if (nodes !== "nodes" || transitions !== "transitions" || typeof id !== "string" || typeof index !== "number")
    return loss;
  const position = positions.get(id)?.[index];
  return position === undefined ? loss : { ...loss, path: [nodes, id, transitions, position, ...deeper] };
}

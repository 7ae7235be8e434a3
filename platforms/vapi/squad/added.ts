import type { Path } from "../../../src/errors.ts";
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
import type { LoweredNode } from "../../lower/mod.ts";
import type { Loss } from "../../platform.ts";
import { asNew, emitSquad, openingIn, promptOf, splitGuide } from "../compile/mod.ts";
import { freeNames, isText, NODE_HINT, nameOf, withRawTools } from "../shared/mod.ts";

/** Where Vapi's dashboard has the handoffs of a member. */
export const HANDOFFS: JsonPath = ["assistantOverrides", "tools:append"];

/** What the squad's own members cannot hold, emitted as for a graph that came from elsewhere. */
export interface Added {
  /** Members for nodes that are none of the squad's. */
  readonly members: readonly { readonly id: string; readonly name: string; readonly member: JsonObject }[];
  /** What the squad's own members get besides, by the ids of their nodes. */
  readonly extras: ReadonlyMap<string, Extra>;
  /** The nodes that names in the emitted handoffs stand for. */
  readonly nodeOfName: ReadonlyMap<string, string>;
  readonly losses: readonly Loss[];
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
 * @param isMember Whether a node is such a member, or one that is added.
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

/** A node that is emitted beside the squad's own members, without settings of a member that it was. */
function whole(node: AgentNode): AgentNode {
  const destination = getAt(node.metadata.vapi, ["tool", "destinations", 0]);
  const kept = isRecord(destination) ? { callweave: { destination } } : {};
  return { ...node, metadata: { ...omit(node.metadata, ["vapi"]), ...kept } };
}

/** What is left of a member that is written back by itself: transitions and ways back that are more than handoffs. */
function restOf(node: AgentNode, isMember: (id: string) => boolean, losses: Loss[]): LoweredNode {
  const { global_node_setting: setting, ...bare } = node;
  return {
    ...bare,
    state_prompt: isFixed(node) ? node.state_prompt : "",
    tools: [],
    transitions: node.transitions.flatMap((transition, index) => {
      const path = ["nodes", node.id, "transitions", index];
      return isPlain(transition, isMember) ? [] : [{ ...judged(transition, path, losses), madeFrom: path }];
    }),
    ...(setting && !isPlainGlobal(node) ? { global_node_setting: setting } : {}),
    metadata: omit(node.metadata, ["vapi"]),
  };
}

/** A transition whose tool's outcome the model judges: Vapi does not report that of an imported assistant's tools. */
function judged(transition: Transition, path: Path, losses: Loss[]): Transition {
  const { type, value, outcome } = transition.condition;
  if (type !== "tool_call") return transition;
  const words = `${value ? `The tool ${value}` : "A tool"} has ${outcome ?? "been called"}`;
  losses.push({
    code: "tool-outcome",
    kind: "emulated",
    path,
    message: "Vapi does not say how a tool of an imported assistant went",
    instead: `a handoff that the model decides: "${words}"`,
    hint: "Let the tool's result fill a variable, and route by an equation",
  });
  return { ...transition, condition: { type: "llm_prompt", value: words } };
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
  const [prompt, guide] = splitGuide(promptOf(member.assistant));
  return {
    tools,
    toolIds: list(["assistant", "model", "toolIds"]),
    guide: guide.trim().replace(/(?<=\b[Cc]all )([\w-]+)/g, (name) => renamed.get(name) ?? name),
    ...(isFixed(node) ? { spoken: { prompt, opening: openingIn(recordAt(member, "assistant")) } } : {}),
  };
}

import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { canonicalJson, omit } from "../../../src/values/mod.ts";
import type { CallTool } from "./import_tools.ts";
import { keepsName, type Names } from "./names.ts";
import { callTool, keptFor, OWNER, onlyFull, pick, unlessEmpty } from "./schema.ts";

/** End and transfer nodes, made from tools as they are met. */
export interface CallNodes {
  /**
   * A state's tool: its node, shared with tools that differ in nothing but their description, and the way to it.
   *
   * @param taken Nodes to which the state has a way already; this one is added.
   */
  add(call: CallTool, taken: Set<string>): Transition;
  /** A general tool: its node can be entered from everywhere. */
  addGlobal(call: CallTool): void;
  nodes(): readonly AgentNode[];
}

/** @param names Ids that are taken by the states. */
export function createCallNodes(names: Names): CallNodes {
  const nodes = new Map<string, AgentNode>();
  const known = new Map<string, string>();

  const nodeOf = (call: CallTool, fresh: (node: AgentNode) => boolean): AgentNode => {
    const content = nodeFrom(call);
    const key = canonicalJson([call.name, content]);
    const existing = nodes.get(known.get(key) ?? "");
    if (existing && !fresh(existing)) return existing;
    const id = names.take(call.name || call.type);
    const node = { ...content, id, metadata: keepsName(id, call.name) ? content.metadata : named(content, call.name) };
    nodes.set(id, node);
    known.set(key, id);
    return node;
  };

  return {
    add(call, taken) {
      const { value, own } = describedBy(call);
      const { id, global_node_setting: general } = nodeOf(call, () => false);
      // two tools of one name, which is how they go back
      const repeated = taken.has(id) || general !== undefined;
      taken.add(id);
      const notes = onlyFull({ ...own, repeated: repeated ? true : undefined });
      return {
        target_node_id: id,
        condition: { type: "llm_prompt", value },
        ...(notes ? { metadata: { [OWNER]: notes } } : {}),
      };
    },
    addGlobal(call) {
      const { value, own } = describedBy(call);
      // a node can be global once: another tool of the same content needs its own
      const node = nodeOf(call, (existing) => existing.global_node_setting !== undefined);
      const setting = {
        condition: value,
        go_back_conditions: [],
        ...(own ? { metadata: { [OWNER]: own } } : {}),
      };
      nodes.set(node.id, { ...node, global_node_setting: setting });
    },
    nodes: () => [...nodes.values()],
  };
}

/** What the description says is when to go there, so it belongs to the way and not to the node. */
function describedBy({ tool, at }: CallTool) {
  const { description } = tool;
  const value = typeof description === "string" ? description : "";
  return { value, own: onlyFull({ at, rest: value === "" ? pick(tool, ["description"]) : {} }) };
}

function nodeFrom({ type, tool }: CallTool): AgentNode {
  const { keys, required, node } = callTool(type);
  const message = tool.execution_message_description;
  const speaks = tool.speak_during_execution === true && typeof message === "string" && message !== "";
  const kind = tool.execution_message_type;
  const typed = speaks && (kind === "prompt" || kind === "static_text");
  const spoken = [
    "speak_during_execution",
    "execution_message_description",
    ...(typed ? ["execution_message_type"] : []),
  ];
  const retell = unlessEmpty({ ...(type === "agent_swap" ? { type } : {}), ...pick(tool, keys) });
  const own = onlyFull({
    rest: omit(tool, ["name", "type", "description", ...keys, ...(speaks ? spoken : [])]),
    absent: required.filter((key) => !Object.hasOwn(tool, key)),
  });
  return {
    id: "",
    node_type: node,
    state_prompt: speaks ? message : "",
    ...(typed ? { instruction_type: kind } : {}),
    tools: [],
    transitions: [],
    variables_to_extract: [],
    metadata: { ...(retell ? { retell } : {}), ...(own ? { [OWNER]: own } : {}) },
  };
}

function named(node: AgentNode, name: string): AgentNode["metadata"] {
  return { ...node.metadata, [OWNER]: { ...keptFor(node.metadata), name } };
}

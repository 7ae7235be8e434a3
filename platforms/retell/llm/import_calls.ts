import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { canonicalJson } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";
import type { CallTool } from "./import_tools.ts";
import type { Names } from "./names.ts";
import { callTool, OWNER, pick } from "./schema.ts";

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
    const node = { ...content, id };
    nodes.set(id, node);
    known.set(key, id);
    return node;
  };

  return {
    add(call, taken) {
      const { id, global_node_setting: general } = nodeOf(call, () => false);
      // two tools of one name, which is how they go back
      const repeated = taken.has(id) || general !== undefined;
      taken.add(id);
      return {
        target_node_id: id,
        condition: { type: "llm_prompt", value: descriptionOf(call) },
        ...(repeated ? { metadata: { [OWNER]: { repeated } } } : {}),
      };
    },
    addGlobal(call) {
      // a node can be global once: another tool of the same content needs its own
      const node = nodeOf(call, (existing) => existing.global_node_setting !== undefined);
      const setting = { condition: descriptionOf(call), go_back_conditions: [] };
      nodes.set(node.id, { ...node, global_node_setting: setting });
    },
    nodes: () => [...nodes.values()],
  };
}

/** What the description says is when to go there, so it belongs to the way and not to the node. */
function descriptionOf({ tool: { description } }: CallTool): string {
  return typeof description === "string" ? description : "";
}

function nodeFrom({ type, tool }: CallTool): AgentNode {
  const { keys, node } = callTool(type);
  const message = tool.execution_message_description;
  const speaks = tool.speak_during_execution === true && typeof message === "string" && message !== "";
  const kind = tool.execution_message_type;
  return {
    id: "",
    node_type: node,
    state_prompt: speaks ? message : "",
    ...(speaks && (kind === "prompt" || kind === "static_text") ? { instruction_type: kind } : {}),
    tools: [],
    transitions: [],
    variables_to_extract: [],
    metadata: keep({ ...(type === "agent_swap" ? { type } : {}), ...pick(tool, keys) }),
  };
}

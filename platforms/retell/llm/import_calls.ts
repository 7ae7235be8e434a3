import { canonicalJson, type JsonObject } from "../../../src/values/mod.ts";
import { isText, keep, LLM_OWNER, type Names, withMetadata } from "../shared/mod.ts";
import { type CallToolType, callKeys, callNodeType, isCallToolType, pick } from "./schema.ts";

/** A tool that ends the call or hands it over. */
export type CallTool = JsonObject & { readonly type: CallToolType; readonly name: string };

/** Whether a tool is a node in the graph. */
export function isCallTool(tool: JsonObject & { readonly name: string }): tool is CallTool {
  return isCallToolType(tool.type);
}

type CallNode = JsonObject & { readonly id: string };

/** Makes end and transfer nodes of tools. Tools that differ only in their description share a node. */
export class CallNodes {
  readonly #names: Names;
  readonly #nodes = new Map<string, CallNode>();
  readonly #known = new Map<string, string>();

  /** @param names Gives out ids; those of the states are taken. */
  constructor(names: Names) {
    this.#names = names;
  }

  nodes(): readonly CallNode[] {
    return [...this.#nodes.values()];
  }

  /**
   * Adds a state's tool and returns the transition to its node.
   *
   * @param taken Nodes that the state has a transition to; this one is added.
   */
  add(tool: CallTool, taken: Set<string>): JsonObject {
    const { id, global_node_setting: general } = this.#nodeOf(tool, () => false);
    // two tools of one name, as they are emitted again
    const repeated = taken.has(id) || general !== undefined;
    taken.add(id);
    const transition = { target_node_id: id, condition: { type: "llm_prompt", value: descriptionOf(tool) } };
    return withMetadata(transition, repeated ? { repeated } : {}, LLM_OWNER);
  }

  /** Adds a general tool. Its node can be entered from everywhere. */
  addGlobal(tool: CallTool): void {
    // a node is global once: another tool of the same content gets its own
    const node = this.#nodeOf(tool, (existing) => existing.global_node_setting !== undefined);
    const setting = { condition: descriptionOf(tool), go_back_conditions: [] };
    this.#nodes.set(node.id, { ...node, global_node_setting: setting });
  }

  #nodeOf(tool: CallTool, needsOwn: (node: CallNode) => boolean): CallNode {
    const content = nodeFrom(tool);
    const key = canonicalJson([tool.name, content]);
    const existing = this.#nodes.get(this.#known.get(key) ?? "");
    if (existing && !needsOwn(existing)) return existing;
    const node = { ...content, id: this.#names.take(tool.name || tool.type) };
    this.#nodes.set(node.id, node);
    this.#known.set(key, node.id);
    return node;
  }
}

/** The description says when to call the tool, so it belongs to the transition. */
function descriptionOf({ description }: CallTool): string {
  return isText(description) ? description : "";
}

function nodeFrom({ type, ...tool }: CallTool): JsonObject {
  const { execution_message_description: message, execution_message_type: kind } = tool;
  const speaks = tool.speak_during_execution === true && isText(message) && message !== "";
  return {
    node_type: callNodeType(type),
    state_prompt: speaks ? message : "",
    ...(speaks && (kind === "prompt" || kind === "static_text") ? { instruction_type: kind } : {}),
    metadata: keep({ ...(type === "agent_swap" ? { type } : {}), ...pick(tool, callKeys(type)) }),
  };
}

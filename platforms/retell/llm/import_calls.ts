import { canonicalJson, type JsonObject, type Names, pick } from "../../../src/base/values/mod.ts";
import { isString, keep, LLM_OWNER, withMetadata } from "../shared/mod.ts";
import { CALL_TOOLS, callKeys, isCallToolType } from "./schema.ts";

/** A tool that ends or transfers the call. */
type CallTool = JsonObject & { readonly type: keyof typeof CALL_TOOLS; readonly name: string };

/** Whether a tool is a node in the graph. */
export function isCallTool(tool: JsonObject & { readonly name: string }): tool is CallTool {
  return isCallToolType(tool.type);
}

type CallNode = JsonObject & { readonly id: string };

/** Converts tools to end and transfer nodes. Tools of states that differ only in their description share a node. */
export class CallNodes {
  readonly nodes: CallNode[] = [];
  readonly #names: Names;
  readonly #byContent = new Map<string, CallNode>();

  /** @param names Assigns ids. The ids of states must be taken. */
  constructor(names: Names) {
    this.#names = names;
  }

  /** Adds a general tool as a global node, which it does not share with other tools. */
  addGlobal(tool: CallTool): void {
    this.#create(tool, { global_node_setting: { condition: descriptionOf(tool), go_back_conditions: [] } });
  }

  /**
   * Adds a state's tool and returns the transition to its node.
   *
   * @param taken Targets of the state's transitions. The new target is added.
   */
  add(tool: CallTool, taken: Set<string>): JsonObject {
    const { id, global_node_setting: general } = this.#byContent.get(contentOf(tool)) ?? this.#create(tool);
    // two tools of a state with the same name stay separate
    const repeated = taken.has(id) || general !== undefined;
    taken.add(id);
    const transition = { target_node_id: id, condition: { type: "llm_prompt", value: descriptionOf(tool) } };
    return withMetadata(transition, repeated ? { repeated } : {}, LLM_OWNER);
  }

  #create(tool: CallTool, setting: JsonObject = {}): CallNode {
    const node = { ...nodeFrom(tool), ...setting, id: this.#names.take(tool.name || tool.type) };
    this.nodes.push(node);
    this.#byContent.set(contentOf(tool), node);
    return node;
  }
}

/** Removes the description, which is the condition of the transition. */
function descriptionOf({ description }: CallTool): string {
  return isString(description) ? description : "";
}

function contentOf(tool: CallTool): string {
  return canonicalJson([tool.name, nodeFrom(tool)]);
}

function nodeFrom({ type, ...tool }: CallTool): JsonObject {
  const { execution_message_description: message, execution_message_type: kind } = tool;
  const speaks = tool.speak_during_execution === true && isString(message) && message !== "";
  return {
    node_type: CALL_TOOLS[type],
    state_prompt: speaks ? message : "",
    ...(speaks && (kind === "prompt" || kind === "static_text") ? { instruction_type: kind } : {}),
    metadata: keep({ ...(type === "agent_swap" ? { type } : {}), ...pick(tool, callKeys(type)) }),
  };
}

import { type JsonObject, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { isTerminal, type LoweredNode } from "../../lower/mod.ts";
import { emitCall } from "./emit_calls.ts";
import { emitLlmTool, extractTool, functionPrompt, nodeTool } from "./emit_tools.ts";
import { exitsBack, exitsOf, type LlmContext, mergeExits, type StateExit } from "./exits.ts";
import { exitToolName } from "./plan.ts";
import { silentPrompt } from "./words.ts";

/** Emits a state of a multi-prompt LLM. */
export function emitState(node: LoweredNode, context: LlmContext): JsonObject {
  const { plan, losses } = context;
  const exits = exitsOf(node, "edge", context);
  const calls = exitsOf(node, "tool", context);
  const edges = mergeExits([...exits, ...exitsBack(node, context)], ({ name, path }) =>
    losses.add("edges-merged", path, `Retell allows one edge to "${name}"`, "one edge that says either"),
  ).map(({ own, name, description }) => ({ ...own, destination_state_name: name, description }));
  const tools = [...stateTools(node, context), ...callTools(calls, context), ...ownCall(node, context)];
  const called = calls.map((exit) => ({ ...exit, name: `${exit.name} (call the tool of this name)` }));
  const prompt = promptOf(node, [...exits, ...called], context);
  return {
    name: plan.names.get(node.id) ?? node.id,
    ...(prompt === "" ? {} : { state_prompt: prompt }),
    ...(edges.length > 0 ? { edges } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/** Emits the tools of a node that are not general, and the tool that extracts its variables. */
function stateTools(node: AgentNode, { plan, losses, native }: LlmContext): JsonObject[] {
  const plain = node.tools.flatMap((tool, index) => {
    if (plan.generalTools.some((general) => sameJson(general, tool))) return [];
    return [emitLlmTool(nodeTool(node, tool, index), ["nodes", node.id, "tools", index], losses, native)];
  });
  return [...plain, ...(node.variables_to_extract.length > 0 ? [extractTool(node)] : [])];
}

/** Emits the tools with which a state ends or transfers the call. */
export function callTools(exits: readonly StateExit[], context: LlmContext): JsonObject[] {
  const { plan, losses } = context;
  const merged = mergeExits(exits, ({ name, path }) => {
    const message = `The model would have two tools named "${name}"`;
    losses.add("edges-merged", path, message, "one tool with both conditions");
  });
  return merged.map(({ target, name, description, path }) => {
    const message = `"${target.id}" is already a general tool`;
    if (name !== exitToolName(plan, target)) losses.add("tool-beside-general", path, message, `a tool named "${name}"`);
    return emitCall(target, name, description, context);
  });
}

/** Emits the general tools that end or transfer the call. */
export function globalCallTools(context: LlmContext): JsonObject[] {
  return context.plan.globalCalls.map((node) => {
    const { condition = "", go_back_conditions: backs = [] } = node.global_node_setting ?? {};
    const path = ["nodes", node.id, "global_node_setting", "go_back_conditions"];
    const message = `A call does not return from "${node.id}", which is a tool of the LLM`;
    if (backs.length > 0) context.losses.add("go-back-dropped", path, message);
    return emitCall(node, exitToolName(context.plan, node), condition, context);
  });
}

/** Emits the tool of an entry node that ends or transfers the call; the entry is a state that calls it at once. */
function ownCall(node: AgentNode, context: LlmContext): JsonObject[] {
  if (!isTerminal(node)) return [];
  const message = "An LLM cannot start with an end or a transfer";
  context.losses.add("entry-as-state", ["nodes", node.id], message, "a state that calls the tool at once");
  return [emitCall(node, exitToolName(context.plan, node), "Call this at once", context)];
}

function promptOf(node: AgentNode, exits: readonly StateExit[], { losses }: LlmContext): string {
  const path = ["nodes", node.id];
  const prompt = node.state_prompt;
  const [tool] = node.tools;
  switch (node.node_type) {
    case "extract":
      losses.add("extract-as-state", path, "An LLM has no extract nodes", "a silent state with an extracting tool");
      return silentPrompt(prompt, `Call ${extractTool(node).name} at once.`, exits);
    case "function":
      losses.add("function-as-state", path, "An LLM has no function nodes", "a silent state with the tool");
      return silentPrompt(functionPrompt(node), tool ? `Call ${tool.name} at once.` : "", exits);
    case "conversation":
    case "end":
    case "transfer":
      if (node.variables_to_extract.length > 0) {
        const message = "A state does not extract variables by itself";
        losses.add("extract-with-state", path, message, "a tool that the model can call");
      }
      if (node.instruction_type !== "static_text" || isTerminal(node) || prompt === "") return prompt;
      losses.add("static-text-as-prompt", path, "An LLM has no static text", "a prompt that asks for the exact words");
      return `Say exactly this, word for word, and nothing else: "${prompt}"`;
    default:
      losses.add("logic-as-state", path, "An LLM has no logic nodes", "a silent state that the model leaves at once");
      return silentPrompt(prompt, "", exits);
  }
}

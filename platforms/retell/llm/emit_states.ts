import type { LlmCreateParams } from "retell-sdk/resources/llm";
import type { AgentNode } from "../../../src/graph/mod.ts";
import { sameJson } from "../../../src/values/mod.ts";
import { checkDestination, emitCall } from "./emit_calls.ts";
import { functionPrompt, nodeTool } from "./emit_function.ts";
import { emitTool, extractTool, type LlmTool } from "./emit_tools.ts";
import { callExits, describe, type EmitContext, type Exit, exitsOf, mergeExits, waysBack } from "./exits.ts";
import { callName, isCall, isMarkedGeneral, isRepeated } from "./plan.ts";
import { silentPrompt } from "./words.ts";

type State = LlmCreateParams.State;
type Edge = LlmCreateParams.State.Edge;

/** One state of a multi-prompt LLM. */
export function emitState(node: AgentNode, context: EmitContext): State {
  const { plan, losses } = context;
  const exits = exitsOf(node, context);
  const edges = mergeExits([...exits, ...waysBack(node, context)], losses);
  const tools = stateTools(node, context);
  const prompt = promptOf(node, [...exits, ...callExits(node, context)], context);
  return {
    name: plan.names.get(node.id) ?? node.id,
    ...(prompt === "" ? {} : { state_prompt: prompt }),
    ...(edges.length > 0 ? { edges: edges as unknown as Edge[] } : {}), // each has a destination and, from elsewhere, a description
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/** The tools that only one state has. */
function stateTools(node: AgentNode, context: EmitContext): LlmTool[] {
  const { plan } = context;
  const path = ["nodes", node.id, "tools"];
  const plain = node.tools.flatMap((tool, index) =>
    isMarkedGeneral(tool) && plan.generalTools.some((general) => sameJson(general, tool))
      ? []
      : [emitTool(nodeTool(node, tool, index), [...path, index], context.losses, context.native)],
  );
  const filling = node.variables_to_extract.length > 0 ? [extracting(node)] : [];
  return [...plain, ...filling, ...callTools(node, context), ...ownCall(node, context)];
}

/** A way to an end or a transfer. */
interface CallWay {
  readonly target: AgentNode;
  readonly name: string;
  /** When it is gone. */
  readonly description: string;
}

/** The tools by which a node's transitions end or transfer the call. */
export function callTools(node: AgentNode, context: EmitContext): LlmTool[] {
  const { graph, plan, losses } = context;
  const ways: CallWay[] = [];
  for (const [index, transition] of node.transitions.entries()) {
    const target = graph.nodes[transition.target_node_id];
    if (!target || !isCall(target) || isCall(node) || target.id === graph.entry_node_id) continue;
    const path = ["nodes", node.id, "transitions", index];
    const way = { description: describe(transition, node, path, context) };
    const name = callName(plan, target, transition);
    const before = isRepeated(transition) ? -1 : ways.findIndex((other) => other.target === target);
    const first = ways[before];
    if (first) {
      losses.add(
        "edges-merged",
        path,
        `The model would have two tools called "${name}"`,
        "one tool with both conditions",
      );
      const description = [first.description, way.description].filter(Boolean).join(", or: ");
      ways[before] = { ...first, description };
      continue;
    }
    if (name !== callName(plan, target))
      losses.add("tool-beside-general", path, `"${target.id}" is a general tool already`, `a tool called "${name}"`);
    ways.push({ ...way, target, name });
  }
  return ways.map((way) => callTool(way.target, way.name, way.description, context));
}

/** The tools by which the call can be ended or transferred from everywhere. */
export function globalCallTools(context: EmitContext): LlmTool[] {
  return context.plan.globalCalls.map((node) => {
    const { condition = "", go_back_conditions: back = [] } = node.global_node_setting ?? {};
    if (back.length > 0) {
      const path = ["nodes", node.id, "global_node_setting", "go_back_conditions"];
      context.losses.add(
        "go-back-dropped",
        path,
        `A call does not return from "${node.id}", which is a tool of the LLM`,
      );
    }
    return callTool(node, callName(context.plan, node), condition, context);
  });
}

function callTool(node: AgentNode, name: string, description: string, context: EmitContext): LlmTool {
  const path = ["nodes", node.id];
  checkDestination(node, path, context.losses);
  callLosses(node, context);
  return emitCall(node, name, description);
}

/** A tool has no tools, and nothing leads on from it, but a transfer that fails leaves the agent where it was called. */
function callLosses(node: AgentNode, { plan, losses }: EmitContext): void {
  const callers = plan.callers.get(node.id);
  for (const key of ["tools", "variables_to_extract"] as const)
    if (node[key].length > 0)
      losses.add(
        "tools-dropped",
        ["nodes", node.id, key],
        `"${node.id}" is a tool of the LLM, which calls no tools and fills no variables`,
      );
  for (const [index, transition] of node.transitions.entries()) {
    const at = ["nodes", node.id, "transitions", index];
    const failed = node.node_type === "transfer" && transition.condition.outcome === "failed";
    const goesBack = callers?.size === 1 && callers.has(transition.target_node_id) && !node.global_node_setting;
    const instead = "the agent stays in the state that called the tool and goes on from there";
    if (!failed) losses.add("transition-dropped", at, `"${node.id}" is a tool of the LLM, which has no transitions`);
    else if (!goesBack) losses.add("transfer-outcome", at, "An LLM has no edge for a transfer that fails", instead);
  }
}

/** An end or transfer at the entry is a state that takes its own tool. */
function ownCall(node: AgentNode, context: EmitContext): LlmTool[] {
  if (!isCall(node)) return [];
  const path = ["nodes", node.id];
  context.losses.add(
    "entry-as-state",
    path,
    "An LLM cannot start with an end or a transfer",
    "a state that calls the tool at once",
  );
  return [callTool(node, callName(context.plan, node), "Call this at once", context)];
}

function promptOf(node: AgentNode, exits: readonly Exit[], context: EmitContext): string {
  const { losses } = context;
  const path = ["nodes", node.id];
  const prompt = node.state_prompt;
  const told = exits.map(({ target, edge }) => [target, edge.description ?? ""] as const);
  switch (node.node_type) {
    case "logic":
      losses.add("logic-as-state", path, "An LLM has no logic nodes", "a silent state that the model leaves at once");
      return silentPrompt(node, "", told);
    case "extract":
      losses.add("extract-as-state", path, "An LLM has no extract nodes", "a silent state with an extracting tool");
      return silentPrompt(node, `Call ${extracting(node).name} at once.`, told);
    case "function": {
      losses.add("function-as-state", path, "An LLM has no function nodes", "a silent state with the tool");
      const tool = node.tools[0]?.name;
      const spoken = { ...node, state_prompt: functionPrompt(node) };
      return silentPrompt(spoken, tool === undefined ? "" : `Call ${tool} at once.`, told);
    }
    default:
      if (node.variables_to_extract.length > 0)
        losses.add(
          "extract-with-state",
          path,
          "A state fills no variables by itself",
          "a tool that the model can call",
        );
      if (node.instruction_type !== "static_text" || isCall(node) || prompt === "") return prompt;
      losses.add("static-text-as-prompt", path, "An LLM has no static text", "a prompt that asks for the exact words");
      return `Say exactly this, word for word, and nothing else: "${prompt}"`;
  }
}

function extracting(node: AgentNode): LlmTool {
  const description = node.state_prompt || "Record what the caller has said";
  return extractTool(`extract_${node.id}`, description, node.variables_to_extract);
}

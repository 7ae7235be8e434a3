import { equationText, textOf } from "../../../document/expressions/mod.ts";
import {
  type AgentNode,
  endingOf,
  hasOutcome,
  type ToolDefinition,
  waysAfterWork,
  workQuestion,
} from "../../../document/graph/mod.ts";
import { argumentsSignature, callModel, extractSignature } from "../../models/mod.ts";
import { answerToolCall, valueAtJsonPath } from "../../turn/mod.ts";
import { type CallState, end, expanded, isSpent, modelOptions, record, recordToolCall, timed } from "../call/mod.ts";
import {
  askForTransition,
  type Because,
  holdsNoted,
  ownOffers,
  pickedOffer,
  recordNoEquation,
  recordNoPick,
  wayOf,
} from "../decisions/mod.ts";
import { historyOf, lastIndexOf } from "../reply/mod.ts";

/** Outcome of a tool call; `undefined` when the node made none. */
export type ToolOutcome = "succeeded" | "failed" | undefined;

/** Runs a silent node: extracts variables, or calls its tool. */
export async function doSilentWork(state: CallState, node: AgentNode): Promise<ToolOutcome> {
  if (node.node_type === "extract") await timed(state, "extraction", () => extractVariables(state, node));
  if (node.node_type !== "function") return undefined;
  return await timed(state, "tools", () => callNodeTool(state, node));
}

/**
 * Returns the next node after a silent node: the first equation that is true or tool outcome that matches; else the
 * model's pick of its LLM transitions; else its first `always`; else `undefined`.
 */
export async function routeSilently(
  state: CallState,
  node: AgentNode,
  outcome: ToolOutcome,
): Promise<{ target: string; because: Because } | undefined> {
  const variables = Object.fromEntries(state.variables);
  const { withoutModel: free, offered, otherwise } = waysAfterWork(node);
  for (const transition of free) {
    const { condition, target_node_id: target } = transition;
    const way = wayOf(node, transition);
    if (condition.type === "equation" && holdsNoted(state, way, condition, variables)) {
      return { target, because: { text: equationText(condition, variables), ways: [way] } };
    }
    if (condition.type === "tool_call" && outcome && hasOutcome(condition, outcome)) {
      return { target, because: { text: `the tool ${outcome}`, ways: [way] } };
    }
  }
  const offers = ownOffers(state, offered);
  if (offers.length > 0) {
    if (isSpent(state)) return undefined;
    const since = Math.max(0, lastIndexOf(state.transcript, "user"));
    const said = state.transcript.slice(since);
    const answer = await timed(state, "transition", () => askForTransition(state, node, offers, said));
    const picked = pickedOffer(offers, answer.transition_to);
    if (picked) {
      const ways = offered.filter((each) => each.target_node_id === picked.target).map((each) => wayOf(node, each));
      return { target: picked.target, because: { text: picked.condition, ways, decision: answer } };
    }
    if (!state.endReason) recordNoPick(state, offers, answer);
  }
  if (!otherwise) recordNoEquation(state, node);
  return otherwise && { target: otherwise.target_node_id, because: { text: "always", ways: [wayOf(node, otherwise)] } };
}

async function extractVariables(state: CallState, node: AgentNode): Promise<void> {
  if (!workQuestion(node) || isSpent(state)) return;
  const values = await callModel(
    await state.agent(),
    extractSignature,
    {
      instructions: expanded(state, node.state_prompt),
      variables: node.variables_to_extract.map(({ name, description, type, choices }) => ({
        name,
        description: expanded(state, description),
        type,
        choices: [...(choices ?? [])],
      })),
      conversation_history: historyOf(state.transcript),
    },
    modelOptions(state),
  );
  for (const [name, value] of values) state.variables.set(name, value);
  const extracted = Object.fromEntries(values);
  record(state, "tool", `extracted ${JSON.stringify(extracted)}`, { kind: "extraction", variables: extracted });
}

async function callNodeTool(state: CallState, node: AgentNode): Promise<ToolOutcome> {
  const [tool] = node.tools;
  if (!tool) return "failed";
  const asks = workQuestion(node) === "arguments";
  if (asks && isSpent(state)) return undefined;
  const args = asks ? await askForArguments(state, node, tool) : {};
  const { now } = state.calls.clock;
  const startedMs = now();
  const answer = await answerToolCall(tool, args, state.sources);
  recordToolCall(state, { name: tool.name, arguments: args, durationMs: now() - startedMs, ...answer });
  if (answer.outcome === "succeeded") {
    storeResponse(state, tool, answer.result);
    const ending = endingOf(tool);
    if (ending) end(state, ending);
  }
  return answer.outcome;
}

async function askForArguments(state: CallState, node: AgentNode, tool: ToolDefinition) {
  return await callModel(
    await state.agent(),
    argumentsSignature,
    {
      instructions: expanded(state, node.state_prompt),
      tool: { name: tool.name, description: expanded(state, tool.description), parameters: { ...tool.parameters } },
      variables: Object.fromEntries(state.variables),
      conversation_history: historyOf(state.transcript),
    },
    modelOptions(state),
  );
}

/** Stores the declared parts of a tool result in variables. A missing part leaves its variable unchanged. */
export function storeResponse(state: CallState, tool: ToolDefinition, result: unknown): void {
  for (const [variable, path] of Object.entries(tool.response_variables ?? {})) {
    const text = textOf(valueAtJsonPath(result, path));
    if (text !== undefined) state.variables.set(variable, text);
  }
}

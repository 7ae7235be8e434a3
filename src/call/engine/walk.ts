import { equationText, textOf } from "../../document/expressions/mod.ts";
import {
  type AgentNode,
  endingOf,
  goesOnAtOnce,
  hasOutcome,
  isOnCall,
  isStatic,
  isTerminal,
  speaks,
  type ToolDefinition,
  wayAfterFailedTransfer,
  waysAfterSpeech,
  waysAfterWork,
  workQuestion,
} from "../../document/graph/mod.ts";
import { argumentsSignature, callModel, extractSignature } from "../models/mod.ts";
import { answerToolCall, type ExecutedCall, mergePatch, runTurn, startSpending, valueAtJsonPath } from "../turn/mod.ts";
import {
  type CallState,
  currentNode,
  end,
  expanded,
  isSpent,
  modelOptions,
  record,
  recordToolCall,
  replyRequested,
  timed,
  tokensUnspoken,
  toolsAnswered,
  wordsHeard,
} from "./call/mod.ts";
import {
  askForTransition,
  type Because,
  holdsNoted,
  moveTo,
  ownOffers,
  pickedOffer,
  recordNoEquation,
  recordNoPick,
  wayOf,
} from "./decisions.ts";
import { historyOf, lastIndexOf, replyRequest, takeReplyAhead } from "./reply.ts";

/** Runs nodes from the current one until the call waits for the caller or ends. */
export async function walk(state: CallState): Promise<void> {
  while (!state.endReason) {
    const node = currentNode(state);
    if (node.node_type === "conversation") {
      const called = await speak(state, node);
      if (!(await leaveAfterSpeech(state, node, called))) return;
    } else if (isTerminal(node)) {
      if (speaks(node)) await speak(state, node);
      if (!takeEffect(state, node)) return;
    } else {
      const outcome = await doSilentWork(state, node);
      if (state.endReason) return;
      const next = await routeSilently(state, node, outcome);
      if (!next || !moveTo(state, next.target, next.because)) return;
    }
  }
}

/**
 * Takes a transition after a conversation node has spoken: that of a tool that the reply called, else its `always`
 * transition. The new node waits for the caller, unless it ends the call silently or the transition has
 * `skip_response`.
 *
 * @returns Whether the turn continues.
 */
export async function leaveAfterSpeech(
  state: CallState,
  node: AgentNode,
  called: readonly ExecutedCall[] = [],
): Promise<boolean> {
  if (state.endReason) return false;
  const { withoutModel: free, otherwise } = waysAfterSpeech(node);
  const onTool = free.find(({ condition }) => called.some((call) => isOnCall(condition, call)));
  const next = onTool ?? otherwise;
  if (!next) return false;
  const because = { text: onTool ? "a tool was called" : "always, after speech", ways: [wayOf(node, next)] };
  if (!moveTo(state, next.target_node_id, because)) return false;
  return goesOnAtOnce(next, currentNode(state));
}

/** Whether the recording or a mock lets a transfer fail. */
function transferFails({ sources: { recorded, mocks, state } }: CallState, { id }: AgentNode): boolean {
  const outcome = recorded?.transfer(id);
  if (outcome !== undefined) return outcome === "failed";
  const mock = recorded?.unmatched === "fail" ? undefined : mocks.take(id, {});
  if (mock?.state_changes && state) mergePatch(state.value, mock.state_changes);
  return mock?.result === false;
}

/**
 * Ends the call at an end or transfer node. If a mock makes the transfer fail, the `failed` transition is taken
 * instead.
 *
 * @returns Whether the turn continues.
 */
function takeEffect(state: CallState, node: AgentNode): boolean {
  if (state.endReason) return false;
  if (node.node_type === "end") {
    end(state, "agent_ended");
    return false;
  }
  if (!transferFails(state, node)) {
    end(state, "agent_transferred");
    return false;
  }
  const failed = wayAfterFailedTransfer(node);
  if (!failed) return false;
  return moveTo(state, failed.target_node_id, { text: "the transfer failed", ways: [wayOf(node, failed)] });
}

/**
 * Speaks for a node: its static text verbatim the first time after each entry, else a reply from the model.
 *
 * @returns The tools that were called. If the call has ended, nothing was said.
 */
async function speak(state: CallState, node: AgentNode): Promise<readonly ExecutedCall[]> {
  const first = !state.spokenHere;
  state.spokenHere = true;
  const words = first && isStatic(node) ? expanded(state, node.state_prompt) : "";
  if (words.trim()) {
    wordsHeard(state);
    record(state, "assistant", words);
    return [];
  }
  return await respond(state, node);
}

async function respond(state: CallState, node: AgentNode): Promise<readonly ExecutedCall[]> {
  const executed: ExecutedCall[] = [];
  const { onToken } = state.listeners;
  const replyAhead = takeReplyAhead(state, node.id);
  replyRequested(state, replyAhead?.decidedMs);
  const outcome = await runTurn({
    model: await state.agent(),
    ...replyRequest(state, node),
    tools: node.tools,
    sources: state.sources,
    steering: state.steering,
    budget: state.budget,
    spentInCall: state.spent,
    spentInTurn: startSpending(state.calls.clock.now),
    call: onToken ? { ...modelOptions(state), onToken: (text: string) => onToken({ text }) } : modelOptions(state),
    events: {
      onToolCall: (call) => {
        executed.push(call);
        const { id: _id, ...rest } = call;
        recordToolCall(state, rest);
        const tool = node.tools.find(({ name }) => name === call.name);
        if (tool && call.outcome === "succeeded") storeResponse(state, tool, call.result);
      },
      onToolsAnswered: (ms) => toolsAnswered(state, ms),
      onUnspoken: (text) => {
        tokensUnspoken(state);
        record(state, "system", text, { spoken: false });
      },
      onSteering: (text) => record(state, "system", text, { kind: "steering" }),
    },
    replyAhead,
    reply: { text: "", toolCalls: [] },
    executed: [],
    failedBefore: new Map(),
    nudges: 0,
    outcome: undefined,
  });
  const ended = executed.find(({ name, outcome: result }) => result === "succeeded" && endingNamed(node, name));
  const ending = ended && endingNamed(node, ended.name);
  if (outcome.kind === "answered") {
    // after a hang-up nobody hears the reply
    if (!state.endReason) {
      wordsHeard(state);
      record(state, "assistant", outcome.text, outcome.isCut ? { cut: true } : {});
    }
  } else if (outcome.kind === "aborted") end(state, outcome.endReason, outcome.reason);
  else if (!ending) end(state, "failed", outcome.reason); // an empty reply after a hang-up is not a failure
  if (ending) end(state, ending);
  return executed;
}

function endingNamed(node: AgentNode, name: string): ReturnType<typeof endingOf> {
  const tool = node.tools.find((candidate) => candidate.name === name);
  return tool && endingOf(tool);
}

/** Outcome of a tool call; `undefined` when the node made none. */
export type ToolOutcome = "succeeded" | "failed" | undefined;

/** Runs a silent node: extracts variables, or calls its tool. */
async function doSilentWork(state: CallState, node: AgentNode): Promise<ToolOutcome> {
  if (node.node_type === "extract") await timed(state, "extraction", () => extractVariables(state, node));
  if (node.node_type !== "function") return undefined;
  return await timed(state, "tools", () => callNodeTool(state, node));
}

/**
 * Returns the next node after a silent node: the first equation that is true or tool outcome that matches; else the
 * model's pick of its LLM transitions; else its first `always`; else `undefined`.
 */
async function routeSilently(
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
function storeResponse(state: CallState, tool: ToolDefinition, result: unknown): void {
  for (const [variable, path] of Object.entries(tool.response_variables ?? {})) {
    const text = textOf(valueAtJsonPath(result, path));
    if (text !== undefined) state.variables.set(variable, text);
  }
}

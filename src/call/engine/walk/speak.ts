import { type AgentNode, endingOf, isStatic } from "../../../document/graph/mod.ts";
import { type ExecutedCall, runTurn, startSpending } from "../../turn/mod.ts";
import {
  type CallState,
  end,
  expanded,
  modelOptions,
  record,
  recordToolCall,
  replyRequested,
  tokensUnspoken,
  toolsAnswered,
  wordsHeard,
} from "../call/mod.ts";
import { replyRequest, takeReplyAhead } from "../reply/mod.ts";
import { storeResponse } from "./silent_work.ts";

/**
 * Speaks for a node: its static text verbatim the first time after each entry, else a reply from the model.
 *
 * @returns The tools that were called. If the call has ended, nothing was said.
 */
export async function speak(state: CallState, node: AgentNode): Promise<readonly ExecutedCall[]> {
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

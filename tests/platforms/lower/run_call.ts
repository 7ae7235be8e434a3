import type { JsonObject } from "../../../src/base/values/mod.ts";
import { type ConversationOptions, conversation } from "../../../src/call/engine/mod.ts";
import { type ScriptedAnswer, type ScriptedCall, scripted } from "../../../src/call/models/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { ComparedCall } from "../vapi/compile/squads/compared_call.ts";

/** Model answers by request signature. */
export type Answers = { readonly [signature: string]: readonly ScriptedAnswer[] };

/** A finished call, with the requests to its model. */
export interface FinishedCall {
  readonly visited: readonly string[];
  readonly messages: readonly { readonly role: string; readonly content: string; readonly node_id: string }[];
  readonly events: readonly JsonObject[];
  readonly variables: JsonObject;
  readonly endReason: string | undefined;
  readonly calls: readonly ScriptedCall[];
}

/** Simulates a call of a graph with the engine. */
export async function runCall(
  graph: AgentGraph,
  { lines, mocks = [], variables = {} }: Pick<ComparedCall, "lines" | "mocks" | "variables">,
  answers: Answers,
  tools: NonNullable<ConversationOptions["tools"]> = {},
): Promise<FinishedCall> {
  const agent = scripted(answers);
  const call = conversation(graph, { models: { agent }, variables, mocks, tools });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  return {
    visited: call.nodesVisited,
    messages: call.transcript.map(({ role, content, node_id }) => ({ role, content, node_id: node_id ?? "" })),
    events: call.transcript.map(({ node_id, metadata }) => ({ ...metadata, node_id })),
    variables: call.variables,
    endReason: call.endReason,
    calls: agent.calls,
  };
}

/** Returns the model's answers in order, so that another call can repeat the decisions. */
export function decisionsOf({ calls }: Pick<FinishedCall, "calls">): {
  readonly [signature: string]: readonly unknown[];
} {
  const found: { [signature: string]: unknown[] } = {};
  for (const { signature, output } of calls) found[signature] = [...(found[signature] ?? []), output];
  return found;
}

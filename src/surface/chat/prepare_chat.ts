import { systemValues } from "../../../platforms/known/mod.ts";
import { defined } from "../../base/values/mod.ts";
import type { ConversationOptions } from "../../call/engine/mod.ts";
import { modelName, resolveModel } from "../../call/models/mod.ts";
import { toolImplementations } from "../../document/graph/mod.ts";
import { namesInGraph, type RunOptions } from "../../run/runner/mod.ts";
import type { AgentSource } from "../project/mod.ts";
import type { ChatStart } from "./chat_scenario.ts";
import type { ChatHeader } from "./view.ts";

/** The settings of a chat's calls. */
export interface PreparedChat {
  readonly options: Omit<ConversationOptions, "listeners" | "from">;
  readonly header: Omit<ChatHeader, "nodeId">;
}

/** Settings of runs that a chat uses too. */
export type ChatSettings = Pick<RunOptions, "models" | "requests" | "liveTools" | "clock" | "turn" | "limits">;

/** A fixed id, because runs keep the id of a call the same in every run. */
const CALL_ID = "call_chat";

/**
 * Prepares the calls of a chat: the model, and the variables that a platform would set.
 *
 * @param signal Ends the chat.
 */
export async function prepareChat(
  { graph, name }: Pick<AgentSource, "graph" | "name">,
  { models, requests, liveTools, clock, turn, limits }: ChatSettings,
  start: ChatStart,
  signal: AbortSignal,
): Promise<PreparedChat> {
  const { toolTimeoutMs, budget } = limits ?? {};
  const reference = models?.agent ?? "offline";
  const now = clock?.now?.() ?? new Date();
  const variables = {
    ...systemValues(namesInGraph(graph), { now, callId: CALL_ID }),
    ...graph.source_metadata.default_dynamic_variables,
    ...start.variables,
  };
  return {
    options: {
      models: { agent: await resolveModel(reference) },
      variables,
      mocks: start.mocks,
      tools: toolImplementations(graph), // a reloaded graph has no functions
      signal,
      ...(requests ? { requests } : {}),
      limits: defined({ toolTimeoutMs, budget }),
      ...(liveTools ? { liveTools } : {}),
      ...(clock ? { clock } : {}),
      ...(turn ? { turn } : {}),
    },
    header: { agent: name, model: modelName(reference), offline: reference === "offline" },
  };
}

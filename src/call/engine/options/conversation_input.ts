import { EngineError } from "../../../base/errors.ts";
import { checkOptions, isRecord, shown } from "../../../base/values/mod.ts";
import { type AgentGraph, checkEntry, toGraph } from "../../../document/graph/mod.ts";
import { completeScenario, type ToolMock } from "../../../document/scenario/mod.ts";
import { CONVERSATION_OPTIONS } from "./option_rules.ts";

/**
 * Reads a graph and checks its entry node. Other unknown targets throw when a call reaches them, so that the rest of an
 * imported agent can be tried.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 */
export function callableGraph(source: AgentGraph): AgentGraph {
  const action = "Cannot start a call";
  const graph = toGraph(source, action);
  checkEntry(graph, action);
  return graph;
}

/** @throws {EngineError} `missing-model`, `invalid-option`. */
export function checkConversationOptions(options: unknown): void {
  checkOptions(options, CONVERSATION_OPTIONS, EngineError, "Cannot start a call", { open: false });
  if (isRecord(options) && isRecord(options.models) && options.models.agent) return;
  throw new EngineError("Cannot start a call: there is no model for the agent", {
    code: "missing-model",
    path: ["models", "agent"],
    hint: 'Pass { models: { agent: "offline" } }, a "provider/model" or a model of the AI SDK',
  });
}

/** Fills in optional keys of mocks. */
export function completeMocks(mocks: readonly ToolMock[]): readonly ToolMock[] {
  return completeScenario({ name: "", tool_mocks: mocks }).tool_mocks;
}

/** @throws {EngineError} `invalid-option`. */
export function checkWords(text: unknown, action: string): void {
  if (typeof text === "string") return;
  const hint = "Pass a string";
  throw new EngineError(`${action}: the text is ${shown(text)}`, { code: "invalid-option", hint });
}

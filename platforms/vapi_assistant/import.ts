import { PlatformError } from "../../src/errors.ts";
import type { AgentGraph } from "../../src/graph/mod.ts";
import {
  createDirectory,
  getAt,
  holdsOnlyTools,
  isText,
  keepEnvelope,
  modelOf,
  openAssistant,
  readMember,
  readOpening,
} from "../vapi/mod.ts";

/** Id of the node of an assistant without a name. */
export const UNNAMED = "assistant";

/**
 * Reads an assistant as a graph of one conversation node, with the tools that the assistant has of its own.
 *
 * @throws {PlatformError} `unknown-shape`: for tools alone, and for what has no key of an assistant.
 */
export function importAssistant(document: unknown): AgentGraph {
  const opened = openAssistant(document);
  if (!opened) throw refuse(document);
  const whole = { assistant: opened.document };
  const name = getAt(whole, ["assistant", "name"]);
  const id = isText(name) ? name : UNNAMED;
  const { opening, rest, at } = readOpening(whole);
  const model = modelOf(whole);
  return {
    nodes: Object.fromEntries([[id, readMember(id, rest, 0, createDirectory([]), at ? { message_at: at } : {})]]),
    entry_node_id: id,
    source_type: "vapi-assistant",
    source_metadata: { ...opening, vapi: { kind: "assistant", ...keepEnvelope(document, opened) } },
    snippets: {},
    ...(model === undefined ? {} : { default_model: model }),
  };
}

function refuse(document: unknown): PlatformError {
  const tools = holdsOnlyTools(document);
  const state = tools ? "it holds tools, not an agent" : "it has no key of an assistant";
  const hint = tools
    ? "Pass the assistant or squad that uses the tools"
    : 'Pass an assistant with at least a "model" or a "firstMessage"';
  return new PlatformError(`Cannot import Vapi assistant: ${state}`, { code: "unknown-shape", path: [], hint });
}

import type { Path, PlatformError } from "../../../src/base/errors.ts";
import { dropAt, getAt, isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { recogniseAssistant } from "../compile/mod.ts";
import {
  createDirectory,
  holdsOnlyTools,
  isText,
  liftCalls,
  modelOf,
  NODE_HINT,
  openAssistant,
  readMember,
  readOpening,
  withoutModel,
} from "../shared/mod.ts";

/** Node id of an unnamed assistant. */
export const UNNAMED_ASSISTANT = "assistant";
/** Vapi's key for overrides of an assistant in one call. */
export const OVERRIDES = "assistantOverrides";
/** Place of the variables of a call. */
export const VARIABLES = [OVERRIDES, "variableValues"] as const;

/**
 * Imports an assistant as a graph of one conversation node with tools. Overrides beside the assistant, as in the
 * payload of a call, take precedence. If Callweave emitted the assistant and only settings were added, the original
 * graph is returned.
 *
 * @throws {PlatformError} `unknown-shape` for a document that contains only tools, or none of an assistant's keys.
 */
export function importAssistant(document: unknown, report?: (finding: Finding) => void): AgentGraph {
  const opened = openAssistant(document);
  if (!opened) throw refuse(document);
  const recognised = opened.at.length === 0 ? recogniseAssistant(opened.document) : undefined;
  if (recognised?.graph) return recognised.graph;
  for (const finding of recognised?.findings ?? []) report?.(finding);
  // `{ assistant }` can have overrides beside it
  const isWrapped = opened.at.length === 1 && opened.at[0] === "assistant";
  const overrides = isWrapped && isRecord(document) ? { [OVERRIDES]: recordAt(document, OVERRIDES) } : {};
  const whole: JsonObject = { assistant: opened.document, ...overrides };
  const id = [getAt(whole, NODE_HINT), getAt(whole, ["assistant", "name"])].find(isText) ?? UNNAMED_ASSISTANT;
  const { opening, rest } = readOpening(whole);
  const defaults = getAt(rest, VARIABLES);
  const home = isRecord(defaults) ? dropAt(rest, VARIABLES) : rest;
  const model = modelOf(whole);
  return liftCalls({
    nodes: { [id]: readMember(id, withoutModel(home, model), createDirectory([])) },
    entry_node_id: id,
    source_type: "vapi-assistant",
    source_metadata: {
      ...opening,
      ...(isRecord(defaults) ? { default_dynamic_variables: defaults } : {}),
      vapi: { kind: "assistant" },
    },
    snippets: {},
    ...(model === undefined ? {} : { default_model: model }),
  });
}

/** Returns the path of an assistant in an imported document. `{ assistant }` includes the overrides beside it. */
export function assistantRoot(document: unknown): Path {
  const at = openAssistant(document)?.at ?? [];
  return at.length === 1 && at[0] === "assistant" ? [] : at;
}

function refuse(document: unknown): PlatformError {
  const tools = holdsOnlyTools(document);
  const state = tools ? "it contains tools, not an agent" : "it has no key of an assistant";
  const hint = tools
    ? "Pass the assistant or squad that uses the tools"
    : 'Pass an assistant with at least a "model" or a "firstMessage"';
  return unknownShape("Vapi assistant", state, [], hint);
}

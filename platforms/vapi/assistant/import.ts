import { type Path, PlatformError } from "../../../src/errors.ts";
import type { AgentGraph, Finding } from "../../../src/graph/mod.ts";
import { dropAt, getAt, isRecord, type JsonObject, recordAt } from "../../../src/values/mod.ts";
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

/** Id of the node of an assistant without a name. */
export const UNNAMED = "assistant";
/** Vapi's key for what is changed in an assistant for one call. */
export const OVERRIDES = "assistantOverrides";
/** Where a call's variables have their values. */
export const VARIABLES = [OVERRIDES, "variableValues"] as const;

/**
 * Reads an assistant as a graph of one conversation node, with the tools that the assistant has of its own. Overrides
 * that stand beside it, as in the payload of a call, count before it. An assistant that is what Callweave emitted, but
 * for added settings, is the graph that it was emitted from.
 *
 * @throws {PlatformError} `unknown-shape`: for tools alone, and for what has no key of an assistant.
 */
export function importAssistant(document: unknown, report?: (finding: Finding) => void): AgentGraph {
  const opened = openAssistant(document);
  if (!opened) throw refuse(document);
  const recognised = opened.at.length === 0 ? recogniseAssistant(opened.document) : undefined;
  if (recognised?.graph) return recognised.graph;
  for (const finding of recognised?.findings ?? []) report?.(finding);
  // an assistant in an object of its own has a place for overrides beside it
  const isWrapped = opened.at.length === 1 && opened.at[0] === "assistant";
  const overrides = isWrapped && isRecord(document) ? { [OVERRIDES]: recordAt(document, OVERRIDES) } : {};
  const whole: JsonObject = { assistant: opened.document, ...overrides };
  const id = [getAt(whole, NODE_HINT), getAt(whole, ["assistant", "name"])].find(isText) ?? UNNAMED;
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

/** Where an assistant stands in what was imported; overrides beside it belong to it. */
export function assistantRoot(document: unknown): Path {
  const at = openAssistant(document)?.at ?? [];
  return at.length === 1 && at[0] === "assistant" ? [] : at;
}

function refuse(document: unknown): PlatformError {
  const tools = holdsOnlyTools(document);
  const state = tools ? "it holds tools, not an agent" : "it has no key of an assistant";
  const hint = tools
    ? "Pass the assistant or squad that uses the tools"
    : 'Pass an assistant with at least a "model" or a "firstMessage"';
  return new PlatformError(`Cannot import Vapi assistant: ${state}`, { code: "unknown-shape", path: [], hint });
}

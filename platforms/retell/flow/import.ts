import { PlatformError } from "../../../src/errors.ts";
import { type AgentGraph, parseGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { brokenBody, keep, missingEngine, openContainer, readName } from "../shared/mod.ts";
import { type Field, getFields, isText } from "./fields.ts";
import { inlineComponents } from "./inline_components.ts";
import { readBody } from "./read_body.ts";

/** Keys of a flow that the graph models in its source metadata. */
export const FLOW_FIELDS: readonly Field[] = [
  { graph: "general_prompt", retell: "global_prompt", fits: isText },
  { graph: "start_speaker", retell: "start_speaker", fits: (value) => value === "agent" || value === "user" },
  { graph: "default_dynamic_variables", retell: "default_dynamic_variables", fits: isRecord },
];

/**
 * Reads a conversation flow, or a shared component, in any container.
 *
 * @throws {PlatformError} `unknown-shape` with the first thing wrong.
 */
export function importRetell(document: unknown): AgentGraph {
  const opened = openContainer(document);
  if (!opened || opened.kind === "llm") {
    const broken = opened ? undefined : brokenBody(document);
    const hint = 'Pass a conversation flow: an object with "nodes", or an export with "conversationFlow"';
    if (broken !== undefined) throw wrong([broken], `"${broken}" is not an object`, hint);
    const engine = opened ? undefined : missingEngine(document);
    if (engine !== undefined)
      throw wrong(["response_engine"], `it is an agent without its ${engine}`, engineHint(engine));
    throw wrong([], "it has no list of nodes", hint);
  }
  const { body, agent, path } = opened;
  const read = readBody(body);
  if ("state" in read) throw wrong([...path, ...read.path], read.state, read.hint);
  const { nodes, components } = inlineComponents(read.nodes, body.components);
  const model = readModel(body.model_choice);
  const own = {
    ...omit(read.own, ["agent", "components", "model_choice", ...FLOW_FIELDS.map(({ retell }) => retell)]),
    ...model.own,
    ...components,
    ...(agent ? { agent } : {}),
  };
  return parseGraph({
    nodes: Object.fromEntries(nodes),
    entry_node_id: read.entry,
    source_type: "retell",
    source_metadata: { ...readName(agent), ...getFields(body, FLOW_FIELDS), ...keep(own) },
    ...model.view,
  });
}

function readModel(choice: unknown): { view: JsonObject; own: JsonObject } {
  if (!isRecord(choice) || !isText(choice.model)) return { view: {}, own: {} };
  const more = omit(choice, ["model", ...(choice.type === "cascading" ? ["type"] : [])]);
  return { view: { default_model: choice.model }, own: Object.keys(more).length > 0 ? { model_choice: more } : {} };
}

function engineHint(engine: string): string {
  if (engine === "custom-llm") return "Its engine is a server of its owner's: Retell holds nothing that could be read";
  const key = engine === "retell-llm" ? "retellLlmData" : "conversationFlow";
  return `Export it from the dashboard, or put what the API returns of its engine beside it as "${key}"`;
}

function wrong(path: readonly (string | number)[], state: string, hint: string): PlatformError {
  return new PlatformError(`Cannot import Retell conversation flow: ${state}`, { code: "unknown-shape", path, hint });
}

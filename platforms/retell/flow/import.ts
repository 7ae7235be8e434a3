import { PlatformError } from "../../../src/errors.ts";
import { type AgentGraph, parseGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { brokenBody, keep, missingEngine, OWNER, openContainer, readName } from "../shared/mod.ts";
import { type Field, isText } from "./fields.ts";
import { inlineComponents } from "./inline_components.ts";
import { readBody } from "./read_body.ts";

/** Keys of a flow that the graph models in its source metadata. */
export const FLOW_FIELDS: readonly Field[] = [
  { graph: "general_prompt", retell: "global_prompt", fits: isText },
  { graph: "start_speaker", retell: "start_speaker", fits: (value) => value === "agent" || value === "user" },
  { graph: "default_dynamic_variables", retell: "default_dynamic_variables", fits: isRecord },
];

/** Keys of a flow that emitting writes even where the graph says nothing. */
const FLOW_DEFAULTS = ["start_node_id", "start_speaker", "model_choice", "name"];

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
    if (broken !== undefined) throw wrong([broken], `"${broken}" is no object`, hint);
    const engine = opened ? undefined : missingEngine(document);
    if (engine !== undefined)
      throw wrong(["response_engine"], `it is an agent without its ${engine}`, engineHint(engine));
    throw wrong([], "it has no list of nodes", hint);
  }
  const { body, container, agent, kind, path } = opened;
  const read = readBody(body);
  if ("state" in read) throw wrong([...path, ...read.path], read.state, read.hint);
  const inlined = inlineComponents(read.nodes, body.components);

  const held = FLOW_FIELDS.filter(({ retell, fits }) => Object.hasOwn(body, retell) && fits(body[retell]));
  const model = readModel(body);
  const taken = [...read.taken, "model_choice", ...held.map(({ retell }) => retell)];
  const lens = {
    kind,
    container,
    absent: FLOW_DEFAULTS.filter((key) => !Object.hasOwn(body, key)),
    ...read.lens,
    ...model.lens,
    ...(inlined ? { inlined: inlined.places } : {}),
  };
  const components = inlined ? { components: inlined.components } : {};
  const own = keep({ ...omit(body, taken), ...read.own, ...model.own, ...components }, lens)[OWNER];
  return parseGraph({
    nodes: Object.fromEntries(inlined?.nodes ?? read.nodes),
    entry_node_id: read.entry,
    source_type: "retell",
    source_metadata: {
      ...readName(agent),
      ...Object.fromEntries(held.map(({ graph, retell }) => [graph, body[retell]])),
      [OWNER]: { ...(isRecord(own) ? own : {}), ...(agent ? { agent } : {}) },
    },
    ...model.view,
  });
}

function readModel(body: JsonObject): { view: JsonObject; own: JsonObject; lens: JsonObject } {
  const { model_choice: choice } = body;
  if (!isRecord(choice) || !isText(choice.model)) {
    return { view: {}, own: Object.hasOwn(body, "model_choice") ? { model_choice: choice } : {}, lens: {} };
  }
  const more = omit(choice, ["model", ...(choice.type === "cascading" ? ["type"] : [])]);
  return {
    view: { default_model: choice.model },
    own: Object.keys(more).length > 0 ? { model_choice: more } : {},
    lens: Object.hasOwn(choice, "type") ? {} : { model_untyped: true },
  };
}

function engineHint(engine: string): string {
  if (engine === "custom-llm") return "Its engine is a server of its owner's: Retell holds nothing that could be read";
  const key = engine === "retell-llm" ? "retellLlmData" : "conversationFlow";
  return `Export it from the dashboard, or put what the API returns of its engine beside it as "${key}"`;
}

function wrong(path: readonly (string | number)[], state: string, hint: string): PlatformError {
  return new PlatformError(`Cannot import Retell conversation flow: ${state}`, { code: "unknown-shape", path, hint });
}

import type { PlatformError } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import {
  brokenBody,
  type Field,
  getFields,
  hasFlowKey,
  isString,
  keep,
  missingEngine,
  openContainer,
  otherBodies,
  readName,
  SHARED_FIELDS,
} from "../shared/mod.ts";
import { inlineComponents } from "./components.ts";
import { EDGE_SLOTS, typeFacts } from "./node_types.ts";
import { readFlowBody } from "./read_body.ts";

const TITLE = "Retell conversation flow";

/** Keys of a flow in the graph's source metadata. */
export const FLOW_FIELDS: readonly Field[] = [
  { graph: "general_prompt", retell: "global_prompt", fits: isString },
  ...SHARED_FIELDS,
];

/** Returns the likelihood that a document is a conversation flow or a component of Retell, in any container. */
export function detectRetell(document: unknown): number {
  const opened = openContainer(document);
  if (!opened) return brokenBody(document) === undefined && missingEngine(document) === undefined ? 0 : 0.5;
  if (opened.kind === "llm") return 0;
  const { body, agent } = opened;
  const isSure = records(body.nodes).some(isFlowNode);
  // other platforms' agents have a flow under the same key
  if (agent) return isSure ? 1 : 0.9;
  // other tools also have a list of nodes, even with a start node, and edges in a separate list
  if (hasFlowKey(body)) return isSure || !Object.hasOwn(body, "edges") ? 0.95 : 0;
  return isSure ? 0.8 : 0;
}

/** Whether a node has a part that only Retell's nodes have. */
function isFlowNode(node: JsonObject): boolean {
  if (isString(recordAt(node, "instruction").text) || isRecord(node.global_node_setting)) return true;
  const edges = EDGE_SLOTS.flatMap((slot) => (slot === "edges" ? records(node.edges) : recordAt(node, slot)));
  if (edges.some((edge) => ["destination_node_id", "transition_condition"].some((key) => Object.hasOwn(edge, key))))
    return true;
  return Array.isArray(node.edges) && isString(node.type) && typeFacts(node.type) !== undefined;
}

/**
 * Imports a conversation flow or a shared component, in any container.
 *
 * @throws {PlatformError} `unknown-shape` with the first problem.
 */
export function importRetell(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const opened = openContainer(document);
  if (!opened || opened.kind === "llm") throw notAFlow(opened ? undefined : document);
  const { body, agent, path } = opened;
  for (const finding of otherBodies(document, opened)) report(finding);
  const read = readFlowBody(body);
  if ("state" in read) throw unknownShape(TITLE, read.state, [...path, ...read.path], read.hint);
  const { nodes, components } = inlineComponents(read.nodes, body.components);
  const { model, ...choice } = isRecord(body.model_choice) ? body.model_choice : {};
  const settings = choice.type === "cascading" ? omit(choice, ["type"]) : choice;
  const modelled = ["agent", "components", "model_choice", ...FLOW_FIELDS.map(({ graph, retell = graph }) => retell)];
  const own = {
    ...omit(read.own, modelled),
    ...(isString(model) && Object.keys(settings).length > 0 ? { model_choice: settings } : {}),
    ...components,
    ...(agent ? { agent } : {}),
  };
  return parseGraph({
    nodes: Object.fromEntries(nodes),
    entry_node_id: read.entry,
    source_type: "retell",
    source_metadata: { ...readName(agent), ...getFields(body, FLOW_FIELDS), ...keep(own) },
    ...(isString(model) ? { default_model: model } : {}),
  });
}

/** Creates the error for a document that is not a flow. */
function notAFlow(document: unknown): PlatformError {
  const hint = 'Pass a conversation flow: an object with "nodes", or an export with "conversationFlow"';
  const broken = brokenBody(document);
  if (broken !== undefined) return unknownShape(TITLE, `"${broken}" is not an object`, [broken], hint);
  const engine = missingEngine(document);
  if (engine === undefined) return unknownShape(TITLE, "it has no list of nodes", [], hint);
  const key = engine === "retell-llm" ? "retellLlmData" : "conversationFlow";
  const next =
    engine === "custom-llm"
      ? "Its engine is its owner's own server: Retell has nothing that can be imported"
      : `Export it from the dashboard, or put the engine as the API returns it beside it as "${key}"`;
  return unknownShape(TITLE, `it is an agent without its ${engine}`, ["response_engine"], next);
}

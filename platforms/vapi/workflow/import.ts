import { freeName, isRecord, type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Metadata, Transition } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { isText, providerAndModel } from "../shared/mod.ts";
import { readEdge, readEnds, type WorkflowEdge } from "./conditions.ts";
import { firstMessageOf } from "./emit.ts";
import { isReadable, openWorkflow } from "./keys.ts";
import { findEntry, namesOf, type Placed, placeNodes } from "./names.ts";
import { readNode } from "./read_node.ts";

const TITLE = "Vapi workflow";
const HINT = 'Pass a workflow as Vapi exported it, with named "nodes" and with "edges" between their names';

/**
 * Imports a workflow of any of Vapi's four generations, or in the form of its guides.
 *
 * @throws {PlatformError} `unknown-shape`.
 */
export function importWorkflow(document: unknown): AgentGraph {
  const opened = openWorkflow(document);
  if (!opened) throw unknownShape(TITLE, 'it has no named "nodes"', ["nodes"], HINT);
  const workflow = opened.document;
  const rawNodes: readonly unknown[] = Array.isArray(workflow.nodes) ? workflow.nodes : [];
  const objects = rawNodes.filter(isRecord);
  if (!objects.some(isReadable)) {
    const types = [...new Set(objects.map(({ type }) => `"${String(type)}"`))].join(", ");
    throw unknownShape(
      TITLE,
      `its nodes have the type ${types}, which workflows do not support`,
      [...opened.at, "nodes"],
      HINT,
    );
  }
  const placed = placeNodes(rawNodes);
  const rawEdges = records(workflow.edges);
  const entry = findEntry(placed, rawEdges);
  if (!entry) throw unknownShape(TITLE, "it has no start node", [...opened.at, "nodes"], HINT);
  const byName = namesOf(placed);
  const outgoing = new Map<string, WorkflowEdge[]>(placed.map(({ id }) => [id, []]));
  for (const edge of rawEdges.flatMap((raw) => readEnds(raw, byName) ?? [])) outgoing.get(edge.from)?.push(edge);
  const taken = new Set(placed.map(({ id }) => id));
  const nodes = placed.flatMap((node) => importNode(node, outgoing.get(node.id) ?? [], taken));
  const { model } = workflow;
  const named = providerAndModel(model);
  const opening = firstMessageOf(entry.raw);
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    entry_node_id: entry.id,
    source_type: "vapi-workflow",
    source_metadata: {
      ...(isText(workflow.name) ? { name: workflow.name } : {}),
      ...(isText(workflow.globalPrompt) ? { general_prompt: workflow.globalPrompt } : {}),
      ...(opening === "" ? {} : { begin_message: opening }),
      vapi: {
        kind: "workflow",
        ...omit(workflow, ["nodes", "edges", "name", "globalPrompt"]),
        ...(named === undefined ? {} : { model: { ...recordAt(workflow, "model"), model: "" } }),
      },
    },
    snippets: {},
    ...(named === undefined ? {} : { default_model: named }),
  };
}

/** Reads a node. If it extracts variables, an extract node is inserted before each of its targets. */
function importNode(
  { raw, id, name }: Placed,
  edges: readonly WorkflowEdge[],
  taken: Set<string>,
): readonly AgentNode[] {
  const read = readNode(raw, id);
  const talks = read.type === "conversation";
  const extracts = new Map<string, AgentNode>();
  const transitions = edges.map((edge): Transition => {
    const way = readEdge(edge);
    const isWaiting = talks && way.condition.type === "always";
    const timing = isWaiting ? { timing: read.isStatic ? ("skip_response" as const) : ("else" as const) } : {};
    return { target_node_id: extractBefore(edge.to), ...way, ...timing };
  });
  const node: AgentNode = {
    id,
    node_type: read.type,
    state_prompt: read.prompt,
    ...(read.isStatic ? { instruction_type: "static_text" } : {}),
    tools: read.tools,
    transitions,
    variables_to_extract: extracts.size > 0 ? [] : read.variables,
    ...(read.global ? { global_node_setting: read.global } : {}),
    metadata: keptOf({ raw, id, name }, read.settings),
  };
  return [node, ...extracts.values()];

  function extractBefore(target: string): string {
    if (!talks || read.variables.length === 0) return target;
    const known = extracts.get(target);
    if (known) return known.id;
    const free = freeName(`${id} > ${target}`, (each) => taken.has(each), { joint: " " });
    taken.add(free);
    extracts.set(target, {
      id: free,
      node_type: "extract",
      state_prompt: "",
      tools: [],
      transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
      variables_to_extract: read.variables,
      metadata: { vapi: { of: id } },
    });
    return free;
  }
}

/** Returns a node's settings: with its name if the id is different, with a blank `id` if it is named by that key. */
function keptOf({ raw, id, name }: Omit<Placed, "index">, settings: JsonObject): Metadata {
  const isById = !isText(raw.name) && isText(raw.id);
  const kept = {
    ...omit(settings, isById ? ["name", "id"] : ["name"]),
    ...(isById ? { id: "" } : {}),
    ...(name === id ? {} : { name }),
  };
  return Object.keys(kept).length > 0 ? { vapi: kept } : {};
}

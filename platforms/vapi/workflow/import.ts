import { type Path, PlatformError } from "../../../src/errors.ts";
import type { AgentGraph, AgentNode, SourceMetadata, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { getAt, isText, type JsonPath } from "../shared/mod.ts";
import { readCondition } from "./condition.ts";
import { hasKnownType, openWorkflow } from "./keys.ts";
import { globalAt, readNode } from "./read_node.ts";

const HINT = 'Pass a workflow as Vapi exported it: "nodes" with names and types, and "edges" from one name to another';

/** A node of the document, its place there, and its id in the graph. */
export interface Placed {
  readonly raw: JsonObject;
  readonly index: number;
  readonly id: string;
}

/** An edge of the document that leads from a node to another. */
interface Outgoing {
  readonly edge: JsonObject;
  readonly to: string;
}

/**
 * Reads a workflow of any of the four generations that Vapi had until August 2026, or as its guides wrote them.
 *
 * @throws {PlatformError} `unknown-shape`.
 */
export function importWorkflow(document: unknown): AgentGraph {
  const opened = openWorkflow(document);
  if (!opened) throw refuse('it has no "nodes" with names', ["nodes"]);
  const workflow = opened.document;
  const rawNodes: readonly unknown[] = Array.isArray(workflow.nodes) ? workflow.nodes : [];
  if (!rawNodes.some((node) => isRecord(node) && (hasKnownType(node) || node.type === undefined))) {
    const types = [...new Set(rawNodes.filter(isRecord).map((node) => `"${String(node.type)}"`))].join(", ");
    throw refuse(`its nodes are of type ${types}, which no workflow of Vapi's had`, [...opened.at, "nodes"]);
  }
  const placed = placeNodes(rawNodes);
  const byName = namesOf(placed);
  const entry = findEntry(placed, workflow);
  if (!entry) throw refuse("it has no node to start with", [...opened.at, "nodes"]);
  const edges: readonly unknown[] = Array.isArray(workflow.edges) ? workflow.edges : [];
  const outgoing = new Map<string, Outgoing[]>(placed.map(({ id }) => [id, []]));
  for (const edge of edges.filter(isRecord)) {
    const ends = endsOf(edge, byName);
    if (ends) outgoing.get(ends.from)?.push({ edge, to: ends.to });
  }
  const loners = rawNodes.flatMap((node, index) => (isRecord(node) ? [] : [{ index, node }]));
  const taken = new Set(placed.map(({ id }) => id));
  const nodes = placed.flatMap((node) => importNode(node, outgoing.get(node.id) ?? [], taken));
  const source: SourceMetadata = {
    ...(isText(workflow.name) ? { name: workflow.name } : {}),
    ...(isText(workflow.globalPrompt) ? { general_prompt: workflow.globalPrompt } : {}),
    ...openingOf(entry.raw),
    vapi: {
      workflow: {
        document: omit(workflow, Array.isArray(workflow.edges) ? ["nodes", "edges"] : ["nodes"]),
        entry: entry.id,
        ...(Array.isArray(workflow.edges) ? { edges: edges.length } : {}),
        ...(loners.length > 0 ? { loners } : {}),
      },
    },
  };
  const model = modelOf(workflow);
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    entry_node_id: entry.id,
    source_type: "vapi-workflow",
    source_metadata: source,
    snippets: {},
    ...(model === undefined ? {} : { default_model: model }),
  };
}

/** Where a node has the words that open a call: the first that says something counts. */
export const OPENINGS: readonly JsonPath[] = [["messagePlan", "firstMessage"], ["firstMessage"]];

/** The words that open a call: those of the node where it starts. */
export function openingOf(raw: JsonObject): { readonly begin_message?: string } {
  const words = OPENINGS.map((at) => getAt(raw, at)).find(isText);
  return words === undefined ? {} : { begin_message: words };
}

/** `provider/model`, where both are named. */
export function modelOf(workflow: JsonObject): string | undefined {
  const { model } = workflow;
  if (!isRecord(model) || !isText(model.provider) || !isText(model.model)) return undefined;
  return `${model.provider}/${model.model}`;
}

/** What a node of the document is called: its name, or in the guides its id. */
export function nameOf(raw: JsonObject, index: number): string {
  return [raw.name, raw.id].find(isText) ?? `node_${index + 1}`;
}

/** The ids at both ends of an edge, when both are nodes of the document. */
function endsOf(edge: JsonObject, byName: ReadonlyMap<string, string>): { from: string; to: string } | undefined {
  const end = (...keys: readonly string[]) => {
    const name = keys.map((key) => own(edge, key)).find(isText);
    return name === undefined ? undefined : byName.get(name);
  };
  const from = end("from", "source");
  const to = end("to", "target");
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Gives the nodes of a document their ids: a second one of the same name gets a number. */
export function placeNodes(rawNodes: readonly unknown[]): readonly Placed[] {
  const taken = new Set<string>();
  return rawNodes.flatMap((raw, index) => {
    if (!isRecord(raw)) return [];
    const name = nameOf(raw, index);
    let id = name;
    for (let count = 2; taken.has(id); count++) id = `${name}_${count}`;
    taken.add(id);
    return [{ raw, index, id }];
  });
}

/** Nodes by what edges call them: names first, then ids. */
export function namesOf(placed: readonly Placed[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const { raw, index, id } of placed) if (!byName.has(nameOf(raw, index))) byName.set(nameOf(raw, index), id);
  for (const { raw, id } of placed) if (isText(raw.id) && !byName.has(raw.id)) byName.set(raw.id, id);
  return byName;
}

/** The node that says so, else the first that no other node leads to; global ones are entered from anywhere. */
export function findEntry(placed: readonly Placed[], workflow: JsonObject): Placed | undefined {
  const marked = placed.find(({ raw }) => raw.isStart === true) ?? placed.find(({ raw }) => raw.type === "start");
  if (marked) return marked;
  const edges = Array.isArray(workflow.edges) ? workflow.edges.filter(isRecord) : [];
  const ends = edges.map((edge) => [own(edge, "from") ?? own(edge, "source"), own(edge, "to") ?? own(edge, "target")]);
  const reached = new Set(ends.flatMap(([from, to]) => (from === to ? [] : [to])).filter(isText));
  const isReached = ({ raw, index }: Placed) =>
    [nameOf(raw, index), raw.id].some((name) => isText(name) && reached.has(name));
  const free = placed.filter((node) => !isReached(node));
  return free.find(({ raw }) => globalAt(raw) === undefined) ?? free[0] ?? placed[0];
}

/** A node, and behind it one extract node for each node it leads to, when it has variables to extract. */
function importNode(
  { raw, index, id }: Placed,
  outgoing: readonly Outgoing[],
  taken: Set<string>,
): readonly AgentNode[] {
  const view = readNode(raw, id);
  const talks = view.node_type === "conversation";
  const extracts = new Map<string, AgentNode>();
  const transitions = outgoing.map(({ edge, to }): Transition => {
    const condition = readCondition(edge.condition);
    const always = condition.type === "always";
    const timing = always && talks ? { timing: view.is_static ? ("skip_response" as const) : ("else" as const) } : {};
    const description = isText(edge.label) ? { description: edge.label } : {};
    const target = extractBefore(to);
    return { target_node_id: target, condition, ...description, ...timing, metadata: { vapi: { edge } } };
  });
  const node: AgentNode = {
    id,
    node_type: view.node_type,
    state_prompt: view.state_prompt,
    ...(view.is_static ? { instruction_type: "static_text" } : {}),
    tools: view.tools,
    transitions,
    variables_to_extract: extracts.size > 0 ? [] : view.variables,
    ...(view.global ? { global_node_setting: view.global } : {}),
    metadata: { vapi: { workflow: { index, id, node: raw } } },
  };
  return [node, ...extracts.values()];

  function extractBefore(target: string): string {
    if (!talks || view.variables.length === 0) return target;
    const known = extracts.get(target);
    if (known) return known.id;
    const wanted = `${id} > ${target}`;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted} ${count}`;
    taken.add(name);
    extracts.set(target, {
      id: name,
      node_type: "extract",
      state_prompt: "",
      tools: [],
      transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
      variables_to_extract: view.variables,
      metadata: { vapi: { workflow: { of: id } } },
    });
    return name;
  }
}

function refuse(state: string, path: Path): PlatformError {
  return new PlatformError(`Cannot import Vapi workflow: ${state}`, { code: "unknown-shape", path, hint: HINT });
}

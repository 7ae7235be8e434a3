import { PlatformError } from "../../../src/errors.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own, sameJson } from "../../../src/values/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import { dropAt, getAt, isText, setAt } from "../shared/mod.ts";
import { writeCondition } from "./condition.ts";
import { modelOf, nameOf, OPENINGS, openingOf } from "./import.ts";
import { type Names, named, type Settled, settleNames, settleStart } from "./settle.ts";
import { ownerOf, reportExtraction, targetOf, variablesOf } from "./stand_ins.ts";
import { newNode, writeNode } from "./write_node.ts";

/** A node or edge with the place at which it belongs in its list. */
interface AtPlace {
  readonly place: number;
  readonly json: unknown;
}

/**
 * Writes a graph that was read from a workflow back into that workflow. Vapi runs no workflows any more, so nothing else
 * is written as one.
 *
 * @throws {PlatformError} `format-not-emitted` for a graph that did not come from a workflow.
 */
export function emitWorkflow(graph: AgentGraph): PlainEmitted<unknown> {
  const kept = getAt(graph.source_metadata.vapi, ["workflow"]);
  if (!isRecord(kept)) {
    throw new PlatformError(`Cannot emit Vapi workflow: the graph came from "${graph.source_type}"`, {
      code: "format-not-emitted",
      hint: "Vapi has run no workflows since August 2026: emit vapi-squad instead",
    });
  }
  const losses: Loss[] = [];
  for (const name of Object.keys(graph.source_metadata.default_dynamic_variables ?? {})) {
    losses.push({
      code: "variable-default",
      kind: "dropped",
      path: ["source_metadata", "default_dynamic_variables", name],
      message: "A workflow has no place for a variable's default",
      hint: "Emit vapi-squad instead",
    });
  }
  const placeIn = (node: AgentNode) => placeOf(node) ?? Number.MAX_SAFE_INTEGER;
  const natives = Object.values(graph.nodes)
    .filter((node) => ownerOf(node, graph) === undefined)
    .sort((a, b) => placeIn(a) - placeIn(b));
  const written = natives.map((node, order): AtPlace & Settled => {
    const back = writeBack(node, graph);
    reportExtraction(node, graph, back, losses);
    const json = startMark(back, node, graph, kept, order);
    return { id: node.id, place: placeIn(node), json };
  });
  const listed = inPlace([...written, ...asPlaced(kept.loners, "node")]);
  const { nodes, names } = settleNames(listed, endsOf(natives, graph));
  const edges = natives.flatMap((node) => edgesOf(node, graph, names, losses));
  const hasEdges = kept.edges !== undefined || edges.length > 0;
  const workflow: JsonObject = {
    ...writeHead(graph, isRecord(kept.document) ? kept.document : {}),
    nodes: settleStart(nodes, edges, graph.entry_node_id).map(({ json }) => json),
    ...(hasEdges ? { edges } : {}),
  };
  return { config: workflow, losses };
}

function rawOf(node: AgentNode): JsonObject | undefined {
  const raw = getAt(node.metadata.vapi, ["workflow", "node"]);
  return isRecord(raw) ? raw : undefined;
}

function placeOf(node: AgentNode): number | undefined {
  const place = getAt(node.metadata.vapi, ["workflow", "index"]);
  return typeof place === "number" ? place : undefined;
}

/** What the document calls a node: as it did, unless its id was changed. */
function nameIn(node: AgentNode): string {
  const raw = rawOf(node);
  const id = getAt(node.metadata.vapi, ["workflow", "id"]);
  return raw && id === node.id ? nameOf(raw, placeOf(node) ?? 0) : node.id;
}

/** The nodes that edges are written from and to. */
function endsOf(natives: readonly AgentNode[], graph: AgentGraph): ReadonlySet<string> {
  const ids = new Set(natives.map(({ id }) => id));
  const pairs = natives.flatMap(({ id, transitions }) =>
    transitions.map((transition) => [id, targetOf(transition, graph)]).filter(([, to = ""]) => ids.has(to)),
  );
  return new Set(pairs.flat());
}

function writeBack(node: AgentNode, graph: AgentGraph): JsonObject {
  const raw = rawOf(node);
  const variables = variablesOf(node, graph, raw ?? {});
  if (!raw) return newNode(node, variables);
  const read = getAt(node.metadata.vapi, ["workflow", "id"]);
  const written = writeNode(node, raw, typeof read === "string" ? read : node.id, variables);
  const name = nameIn(node);
  return name === nameOf(raw, placeOf(node) ?? 0) ? written : named(written, name);
}

/** Whether a call starts at a node, written only where that has changed. */
function startMark(json: JsonObject, node: AgentNode, graph: AgentGraph, kept: JsonObject, order: number): JsonObject {
  const starts = node.id === graph.entry_node_id;
  const opened = starts ? writeOpening(json, graph) : json;
  const was = getAt(node.metadata.vapi, ["workflow", "id"]) === kept.entry;
  if (starts === was || (starts && order === 0 && opened.isStart === true)) return opened;
  return starts ? { ...opened, isStart: true } : dropAt(opened, ["isStart"]);
}

/** Writes the words that open a call to where they are read; a place behind it is emptied with them. */
function writeOpening(json: JsonObject, graph: AgentGraph): JsonObject {
  const words = graph.source_metadata.begin_message ?? "";
  if ((openingOf(json).begin_message ?? "") === words) return json;
  const at = OPENINGS.find((path) => isText(getAt(json, path))) ?? OPENINGS.find((path) => getAt(json, path) === "");
  const written = setAt(json, at ?? ["messagePlan", "firstMessage"], words);
  return words === "" ? writeOpening(written, graph) : written;
}

function writeHead(graph: AgentGraph, head: JsonObject): JsonObject {
  const prompt = graph.source_metadata.general_prompt ?? "";
  const was = typeof head.globalPrompt === "string" ? head.globalPrompt : "";
  const { name } = graph.source_metadata;
  const named = name && name !== head.name ? { ...head, name } : head;
  const prompted = prompt === was ? named : { ...named, globalPrompt: prompt };
  const model = graph.default_model;
  if (!model || model === modelOf(head)) return prompted;
  const slash = model.indexOf("/");
  const wanted = slash < 0 ? { model } : { provider: model.slice(0, slash), model: model.slice(slash + 1) };
  return { ...prompted, model: { ...(isRecord(head.model) ? head.model : {}), ...wanted } };
}

/** The edges of a node, in the order of its transitions. */
function edgesOf(node: AgentNode, graph: AgentGraph, names: Names, losses: Loss[]): readonly JsonObject[] {
  return node.transitions.flatMap((transition, index) => {
    const to = names.get(targetOf(transition, graph));
    if (to === undefined) return [];
    if (transition.condition.type === "tool_call" && transition.condition.outcome !== "failed") {
      losses.push({
        code: "tool-outcome",
        kind: "emulated",
        path: ["nodes", node.id, "transitions", index],
        message: "A workflow's edge can only wait for a tool to fail",
        instead: "an edge without a condition",
        hint: "Emit vapi-squad instead",
      });
    }
    return [writeEdge(transition, names.get(node.id) ?? [node.id], to)];
  });
}

function writeEdge(transition: Transition, from: readonly string[], to: readonly string[]): JsonObject {
  const kept = getAt(transition.metadata?.vapi, ["edge"]);
  const raw: JsonObject = isRecord(kept) ? kept : {};
  const ends = [
    endOf(raw, raw.from === undefined && raw.source !== undefined ? "source" : "from", from),
    endOf(raw, raw.to === undefined && raw.target !== undefined ? "target" : "to", to),
  ];
  const joined = { ...raw, ...Object.fromEntries(ends) };
  const condition = writeCondition(transition.condition, raw.condition);
  const labelled = writeLabel(joined, transition.description ?? "");
  if (condition === undefined) return dropAt(labelled, ["condition"]);
  return sameJson(condition, raw.condition) ? labelled : { ...labelled, condition };
}

function endOf(raw: JsonObject, key: string, names: readonly string[]): readonly [string, unknown] {
  const before = own(raw, key);
  return [key, typeof before === "string" && names.includes(before) ? before : names[0]];
}

function writeLabel(edge: JsonObject, description: string): JsonObject {
  const was = typeof edge.label === "string" ? edge.label : "";
  return was === description ? edge : { ...edge, label: description };
}

function asPlaced(list: unknown, key: string): readonly AtPlace[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isRecord)
    .map((item) => ({ place: typeof item.index === "number" ? item.index : 0, json: item[key] }));
}

/** In the order of their places; what has none stays behind, in the graph's order. */
function inPlace<Item extends AtPlace>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => a.place - b.place);
}

import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";
import { nodeFacts, SILENT, typeOfNode } from "../traits/mod.ts";
import { agentRootOf } from "./agent.ts";

/** Envelopes in which the API returns pathways. */
const ROOTS: readonly Path[] = [[], ["data"], ["pathway_data"], ["data", "pathway_data"], ["pathway"]];

/** Returns the path of the pathway in a document; `undefined` if there is none. */
export function rootOf(document: unknown): Path | undefined {
  return ROOTS.find((path) => Array.isArray(recordIn(document, path).nodes));
}

/** Returns the object at a path, or an empty one. */
export function recordIn(document: unknown, path: Path): JsonObject {
  const found = getAt(document, path);
  return isRecord(found) ? found : {};
}

/** Keys of a node's data that only pathways have. */
const DATA_KEYS: readonly string[] = [
  ...["name", "prompt", "text", "isStart", "isGlobal", "extractVars", "modelOptions", "condition", "routes"],
  ...["transferNumber", "responsePathways", "url", "globalPrompt", "tools", "tool_id"],
];

/** Whether an entry of `nodes` has the prompt of the whole pathway, and is no node. */
export const isGlobalEntry = (entry: unknown): entry is JsonObject =>
  isRecord(entry) && entry.id === undefined && isRecord(entry.globalConfig);

/** Returns the likelihood that a document is a pathway: 0 or 1. */
export function detectPathway(document: unknown): number {
  const root = rootOf(document);
  if (!root) return agentRootOf(document) ? 1 : 0;
  const { nodes, edges = [] } = recordIn(document, root);
  const entries: readonly unknown[] = Array.isArray(nodes) ? nodes : [];
  if (!Array.isArray(edges)) return 0;
  if (entries.some(isGlobalEntry)) return 1;
  return entries.filter(isRecord).some(isOfPathway) ? 1 : 0;
}

/** Whether a node has a documented type, and data. */
function isOfPathway(node: JsonObject): boolean {
  const { data } = node;
  if (nodeFacts(typeOfNode(node)) === undefined) return false;
  // a node without data can have been left by its author
  return isRecord(data) && (DATA_KEYS.some((key) => Object.hasOwn(data, key)) || Object.keys(data).length === 0);
}

/** Kinds of entries whose order counts among themselves. */
function kindOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  if (isGlobalEntry(entry)) return "global";
  const data = recordAt(entry, "data");
  return Array.isArray(data.routes) || data.text === SILENT ? "silent" : undefined;
}

/** How pathways identify their items. */
export const pathwayShape: DocumentShape = {
  keys: ["id", "data.name", "name"],
  kindOf,
  root: (document) => rootOf(document) ?? agentRootOf(document) ?? [],
  references: {
    ...{ source: "id", target: "id", targetNodeId: "id", fallbackNodeId: "id" },
    ...{ forwardingNode: "id", nodeId: "id", targetId: "id" },
  },
  derived: ["id", "position"],
  defaults: ["isStart", "name"],
};

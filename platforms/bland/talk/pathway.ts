import { getAt, isRecord, type JsonObject, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentClient, CallRequest } from "../../../src/call/connection/mod.ts";
import { lookUp } from "../../talking/mod.ts";
import { isTransferType, nodeFacts, typeOfNode } from "../traits/mod.ts";

/** What a connection needs to know of a pathway before it talks to it. */
export interface BlandPathway {
  /** Ids of the nodes at which turns can end; `undefined`: they are not known. */
  readonly nodes: readonly string[] | undefined;
  /** Names of nodes and tools that do something outside of the call. `undefined`: they are not known. */
  readonly realTools: readonly string[] | undefined;
  /** Ids of nodes that transfer the call. */
  readonly transfers: ReadonlySet<string>;
}

const UNKNOWN: BlandPathway = { nodes: undefined, realTools: undefined, transfers: new Set() };

/**
 * Looks a pathway up.
 *
 * @throws {ConnectionError}
 * @see https://docs.bland.ai/api-v1/get/pathway
 * @see https://docs.bland.ai/api-v1/get/pathway_version
 */
export async function readBlandPathway(
  { name, client }: { readonly name: string; readonly client: AgentClient },
  { pathwayId, version }: { readonly pathwayId: string; readonly version: string | undefined },
  request: CallRequest,
): Promise<BlandPathway> {
  const whole = `/v1/pathway/${encodeURIComponent(pathwayId)}`;
  const path = version === undefined ? whole : `${whole}/version/${encodeURIComponent(version)}`;
  const inside = (found: JsonObject) =>
    [found, found.data, found.pathway_data].filter(isRecord).find(({ nodes }) => Array.isArray(nodes));
  const found = await lookUp(client, { path }, request, { name, has: (each) => inside(each) !== undefined });
  const document = found && inside(found);
  if (!document) return UNKNOWN;
  // an entry with the global prompt has no id
  const nodes = records(document.nodes).flatMap((node) =>
    typeof node.id === "string" ? [{ id: node.id, type: typeOfNode(node), data: recordAt(node, "data") }] : [],
  );
  const tools = nodes.flatMap(({ data }) => records(data.tools));
  const acting = nodes.filter(({ type }) => nodeFacts(type)?.acts !== false).map(({ id, data }) => nameOf(data) ?? id);
  return {
    nodes: nodes.filter(({ type, data }) => nodeFacts(type)?.rests && !isPassed(data)).map(({ id }) => id),
    realTools: [...new Set([...acting, ...tools.map((tool) => nameOf(tool) ?? "a tool of a node")])],
    transfers: new Set(nodes.filter(({ type }) => isTransferType(type)).map(({ id }) => id)),
  };
}

/** Whether the call leaves a node before the turn is over, so that no answer names it. */
function isPassed(data: JsonObject): boolean {
  const isReturning = data.isGlobal === true && data.enableGlobalAutoReturn !== false;
  return isReturning || getAt(data, ["modelOptions", "skipUserResponse"]) === true;
}

function nameOf({ name }: JsonObject): string | undefined {
  return typeof name === "string" && name.trim() !== "" ? name : undefined;
}

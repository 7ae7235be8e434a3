import type { AgentNode, Metadata } from "../src/graph/mod.ts";
import { getAt, isRecord, type JsonObject, recordAt } from "../src/values/mod.ts";

/** Where a transfer leads: a number or a `{{variable}}`, or a SIP address. */
export type TransferTarget = { readonly number: string; readonly extension?: string } | { readonly sipUri: string };

/** Where platforms' settings have a transfer's destination. Nothing else in metadata is one. */
const PLACES: { readonly [owner: string]: readonly (readonly (string | number)[])[] } = {
  retell: [["transfer_destination"]],
  vapi: [["destination"], ["destinations", 0], ["tool", "destination"], ["tool", "destinations", 0]],
  callweave: [["destination"]],
};

/**
 * The destination of a transfer node: its `transfer_to`, else that of its settings or its transfer tool.
 *
 * @param first Owner of the settings that take precedence.
 */
export function transferTarget(node: AgentNode, first?: string): TransferTarget | undefined {
  if (typeof node.transfer_to === "string") return targetFrom({ number: node.transfer_to });
  const tools = node.tools.filter(({ type }) => type === "transfer_call" || type === "transferCall");
  return [node.metadata, ...tools.map(({ metadata }) => metadata)]
    .map((metadata) => settledTarget(metadata, first))
    .find(Boolean);
}

/** The destination in the platforms' settings of a node or tool. */
export function settledTarget(metadata: Metadata | null | undefined, first?: string): TransferTarget | undefined {
  const owners = [...(first === undefined ? [] : [first]), ...Object.keys(PLACES)];
  for (const owner of owners)
    for (const place of PLACES[owner] ?? []) {
      const found = getAt(recordAt(metadata ?? {}, owner), place);
      const target = isRecord(found) ? targetFrom(found) : undefined;
      if (target) return target;
    }
  return undefined;
}

function targetFrom({ number, sipUri, extension }: JsonObject): TransferTarget | undefined {
  const text = [sipUri, number].find((each) => typeof each === "string" && each.trim() !== "");
  if (typeof text !== "string") return undefined;
  if (/^sips?:/i.test(text)) return { sipUri: text };
  return { number: text, ...(typeof extension === "string" && extension !== "" ? { extension } : {}) };
}

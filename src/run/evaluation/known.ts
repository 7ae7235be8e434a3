import type { Call, CheckKind } from "../../document/transcript/mod.ts";

/**
 * Whether a call has the data for a kind of check. Calls of the engine have all; a transcript without nodes has no
 * path.
 */
export function isKnown(call: Call, kind: CheckKind): boolean {
  const { nodesVisited, toolsCalled, variables, endReason, transcript } = call;
  const kinds = new Set(transcript.map(({ metadata }) => metadata.kind));
  const isComplete = call.provenance === undefined && nodesVisited.length > 0 && endReason !== undefined;
  if (kind === "ends") return endReason !== undefined;
  if (kind === "visits" || kind === "avoids" || kind === "policy") return nodesVisited.some((id) => id !== "");
  if (kind === "calls") return isComplete || toolsCalled.length > 0 || kinds.has("tool_call");
  if (kind === "extracts") return isComplete || Object.keys(variables).length > 0;
  return kind !== "latency" || (call.latency ?? []).length > 0;
}

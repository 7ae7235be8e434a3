import { identityOf } from "../import/mod.ts";

/** The id under which a platform's call is stored, from its id alone. */
export function storedIdOf(format: string, callId: string): string {
  const provenance = { format, callId, source: format, position: 1, redacted: false };
  const call = { provenance, startedAt: null, durationMs: null, transcript: [], nodesVisited: [], toolsCalled: [] };
  return identityOf({ ...call, variables: {} });
}

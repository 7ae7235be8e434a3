import { defined, type JsonObject } from "../../src/base/values/mod.ts";
import type { EndReason, TurnLatency } from "../../src/document/transcript/mod.ts";
import { type CallDraft, factsFrom, type RecordedCall, type RecordPlace } from "./call_draft.ts";

/** Fields of a platform's call besides its messages. */
export interface RecordFacts {
  /** The platform's name. */
  readonly format: string;
  readonly place: RecordPlace;
  readonly callId: string | undefined;
  readonly agentId: string | undefined;
  /** Since 1970, in milliseconds. */
  readonly startMs: number | undefined;
  readonly durationMs: number | undefined;
  /** The platform's word for how the call ended. */
  readonly reason: string | undefined;
  readonly endReason: EndReason | undefined;
  readonly startVariables: JsonObject;
  /** Values at the end of the call, without its start values. */
  readonly variables: JsonObject;
  readonly latency: readonly TurnLatency[];
  /** Other facts to keep; keys without a value are left out. */
  readonly kept: JsonObject;
}

/** Builds a call from its draft and the platform's fields. */
export function callFrom(draft: CallDraft, facts: RecordFacts): RecordedCall {
  const { format, place, callId = null, agentId, startMs, durationMs = null, reason, endReason } = facts;
  const { startVariables, variables, latency } = facts;
  const kept = factsFrom({ ...facts.kept, start_variables: startVariables });
  const { source, position } = place;
  return {
    provenance: {
      ...{ format, callId, source, position, redacted: false },
      ...defined({ agentId, platformEndReason: reason, facts: Object.keys(kept).length === 0 ? undefined : kept }),
    },
    startedAt: startMs === undefined ? null : new Date(startMs).toISOString(),
    durationMs,
    transcript: draft.transcript,
    nodesVisited: draft.nodesVisited,
    toolsCalled: draft.toolsCalled,
    variables: { ...startVariables, ...variables },
    ...(Object.keys(startVariables).length === 0 ? {} : { startVariables }),
    ...defined({ endReason }),
    ...(latency.length === 0 ? {} : { latency }),
  };
}

import type { RecordedCall } from "../../../../platforms/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { NewResult } from "../../store/mod.ts";

const NO_USAGE = { calls: 0, inputTokens: 0, outputTokens: 0, modelMs: 0 };

/**
 * Converts a call to a result.
 *
 * @param importedAt Time of the import, ISO 8601: the start of calls without one.
 */
export function resultOf(call: RecordedCall, id: string, importedAt: string): NewResult {
  const { provenance, startedAt, durationMs, startVariables, latency } = call;
  const { callId, source, position } = provenance;
  return {
    id,
    scenario: callId ?? `${source} #${position}`,
    status: "imported",
    startedAt: startedAt ?? importedAt,
    transcript: startedAt === null ? startingAt(call.transcript, importedAt) : call.transcript,
    verdicts: [],
    checks: [],
    nodesVisited: call.nodesVisited,
    toolsCalled: call.toolsCalled,
    variables: call.variables,
    usage: NO_USAGE,
    turnCount: turnsOf(call.transcript),
    durationMs: durationMs ?? spanOf(call.transcript),
    endReason: call.endReason,
    errorMessage: null,
    provenance,
    ...(startVariables === undefined ? {} : { startVariables }),
    ...(latency === undefined ? {} : { latency }),
  };
}

/** Counts the caller's turns: everything the caller says until the agent speaks is one turn. */
function turnsOf(transcript: readonly Message[]): number {
  const speakers = transcript.map(({ role }) => role).filter((role) => role === "user" || role === "assistant");
  return speakers.filter((role, index) => role === "user" && speakers[index - 1] !== "user").length;
}

function spanOf(transcript: readonly Message[]): number {
  const [first, last] = [transcript[0], transcript.at(-1)];
  return first && last ? Math.max(0, Date.parse(last.timestamp) - Date.parse(first.timestamp)) : 0;
}

/** Shifts the times of a transcript; without a start time they count from 1970. */
function startingAt(transcript: readonly Message[], start: string): readonly Message[] {
  const startMs = Date.parse(start);
  return transcript.map((message) => ({
    ...message,
    timestamp: new Date(startMs + Date.parse(message.timestamp)).toISOString(),
  }));
}

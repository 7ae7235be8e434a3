const HOUR = 3_600_000;

/**
 * Reads a call in plain text with labels of speakers.
 *
 * @throws {NotACallError} When no line has a known speaker.
 */
import {
  CallDraft,
  factsFrom,
  NotACallError,
  type RecordedCall,
  type RecordPlace,
  readLabelledText,
} from "../../../../platforms/mod.ts";
export function readTextCall(text: string, { source, position }: RecordPlace): RecordedCall {
  const call = readLabelledText(text);
  if (!call) throw new NotACallError('no line begins with a speaker such as "Agent:" or "User:"');
  const { startMs, lines, heading } = call;
  const draft = new CallDraft(startMs ?? 0);
  const first = lines.find(({ offsetMs }) => offsetMs !== undefined)?.offsetMs ?? 0;
  const origin = first >= HOUR ? first : 0; // a time of this form is a time of day
  for (const { role, text: content, offsetMs, timeMs } of lines) {
    const fromStart = timeMs === undefined || startMs === undefined ? undefined : timeMs - startMs;
    draft.say(role, content, offsetMs === undefined ? fromStart : Math.max(0, offsetMs - origin));
  }
  const facts = factsFrom({ heading: heading.join("\n") });
  return {
    provenance: {
      format: "text",
      callId: null,
      source,
      position,
      redacted: false,
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    },
    startedAt: startMs === undefined ? null : new Date(startMs).toISOString(),
    durationMs: draft.lastMs > 0 ? draft.lastMs : null,
    transcript: draft.transcript,
    nodesVisited: [],
    toolsCalled: [],
    variables: {},
  };
}

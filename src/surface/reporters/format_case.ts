import { callNumber, MOST_IN_MESSAGE, problemLinesOf, type ScenarioCase } from "./cases.ts";
import { formatTranscript } from "./result.ts";

const WIDE = { color: false, width: 160 };

/** Formats why a scenario did not pass: its problems, and the transcripts of up to three calls. */
export function formatCase(each: ScenarioCase): string {
  const transcripts = each.failed
    .filter(({ transcript }) => transcript.length > 0)
    .slice(0, MOST_IN_MESSAGE)
    .map((result) => {
      const name = callNumber(result, each);
      return `\nTranscript${name && ` of ${name}`}:\n${formatTranscript(result.transcript, WIDE)}`;
    });
  return [...problemLinesOf(each), ...transcripts].join("\n");
}

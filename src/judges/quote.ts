import type { Message } from "../transcript/mod.ts";

/** How much of a line is quoted in a reason, in characters. */
const LONGEST = 120;

/** A line of a call with its place: `turn 2, node "billing": "Your bill is …"`. */
export function quoteLine(transcript: readonly Message[], line: Message): string {
  return `${placeOf(transcript, line)}: ${quote(line.content)}`;
}

/** Where in the call a line stands. Turns are counted by the caller's lines; what comes before the first is the opening. */
export function placeOf(transcript: readonly Message[], line: Message): string {
  const upTo = transcript.slice(0, transcript.indexOf(line) + 1);
  const turn = upTo.filter(({ role }) => role === "user").length;
  return `${turn === 0 ? "opening" : `turn ${turn}`}, node "${line.node_id}"`;
}

/** A text in quotes on one line, cut where it is long. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return `"${characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : line}"`;
}

/** What the agent said, line by line. */
export function spokenLines(transcript: readonly Message[]): readonly Message[] {
  return transcript.filter(({ role }) => role === "assistant");
}

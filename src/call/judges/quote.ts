import type { Message } from "../../document/transcript/mod.ts";

/** Maximum length of a quotation in a reason, in characters. */
const LONGEST = 120;

/** A message with its place: `turn 2, node "billing": "Your bill is …"`. */
export function quoteLine(transcript: readonly Message[], line: Message): string {
  return `${messagePlace(transcript, line)}: ${clippedQuote(line.content)}`;
}

/** The place of a message. Turns are counted by the caller's messages; before the first one it is the opening. */
export function messagePlace(transcript: readonly Message[], line: Message): string {
  const upTo = transcript.slice(0, transcript.indexOf(line) + 1);
  const turn = upTo.filter(({ role }) => role === "user").length;
  return `${turn === 0 ? "opening" : `turn ${turn}`}, node "${line.node_id}"`;
}

/** A text in quotes on one line, clipped. */
export function clippedQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return `"${characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : line}"`;
}

/** The messages of the agent. */
export function spokenLines(transcript: readonly Message[]): readonly Message[] {
  return transcript.filter(({ role }) => role === "assistant");
}

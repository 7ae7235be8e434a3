import { type CallerLine, goalLine, isCourtesy } from "../caller_lines.ts";
import type { CallFact } from "./types.ts";

/** Maximum length of a persona, in characters: it is sent with every turn of its caller. */
const LONGEST = 2_000;
const LONGEST_QUOTE = 200;
/** Words per line up to which a caller is brief, and from which one is talkative. */
const BRIEF = 6;
const TALKATIVE = 25;

/**
 * Describes a caller in sentences: what they want, what they know, what they answered, and how they speak.
 * If not everything fits, answers that state facts are kept first.
 *
 * @param agent Name of the agent.
 */
export function personaByRules(
  lines: readonly CallerLine[],
  facts: readonly CallFact[],
  agent: string | undefined,
): string {
  const goal = goalLine(lines) ?? "";
  const head = [
    `You call ${agent === undefined ? "a voice agent" : agent} because of this: ${quoted(goal)}`,
    ...(facts.length > 0 ? [`You know: ${facts.map(({ name, value }) => `${name}: ${value}`).join("; ")}.`] : []),
  ];
  const tail = [mannerOf(lines), "Do not make up other facts. When your request is settled or refused, end the call."];
  const answers = lines.flatMap((line, index) =>
    line.said === goal || isCourtesy(line.said) ? [] : [{ index, text: answerOf(line), tellsFact: tells(line, facts) }],
  );
  let room = LONGEST - [...head, ...tail].join(" ").length;
  const kept = [...answers]
    .sort((a, b) => Number(b.tellsFact) - Number(a.tellsFact) || a.index - b.index)
    .filter(({ text }) => {
      room -= text.length + 1;
      return room >= 0;
    })
    .sort((a, b) => a.index - b.index);
  return [...head, ...kept.map(({ text }) => text), ...tail].join(" ");
}

function answerOf({ asked, said }: CallerLine): string {
  return asked === undefined
    ? `At some point you say ${quoted(said)}`
    : `When you are asked ${quoted(asked, "")}, you answer ${quoted(said)}`;
}

function tells({ said }: CallerLine, facts: readonly CallFact[]): boolean {
  const folded = said.toLowerCase();
  return facts.some(({ value }) => folded.includes(value.toLowerCase()));
}

function mannerOf(lines: readonly CallerLine[]): string {
  const words = lines.reduce((sum, { said }) => sum + said.split(/\s+/).length, 0) / Math.max(1, lines.length);
  const length = words <= BRIEF ? "in few words" : words >= TALKATIVE ? "at length" : "in a sentence or two";
  return `You speak ${length}, in the language and manner of these quotes.`;
}

/** A text in quotes, shortened, that ends a sentence unless `end` is empty. */
function quoted(text: string, end = "."): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const characters = [...line];
  const short = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : line;
  return `"${short}"${/[.!?…]$/.test(short) ? "" : end}`;
}

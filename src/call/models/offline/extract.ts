import type { HistoryLine } from "../signature.ts";
import type { ExtractInput } from "../signatures/mod.ts";
import { askedKind, findEntity, findNumber, nameInReply } from "./entities.ts";
import { moodOf } from "./mood.ts";
import { sharedStems, significantWords, stem, stems, withoutEndMarks } from "./words.ts";

/** A variable or an argument to fill. */
export type Wanted = ExtractInput["variables"][number];

/** A caller message, and the agent's message before it. */
interface Reply {
  readonly text: string;
  readonly question: string;
}

/** Extracts variables from the caller's messages; `null` for values that were not said. */
export function extractVariables({ variables, conversation_history: history }: ExtractInput): {
  readonly [name: string]: string | number | boolean | null;
} {
  return Object.fromEntries(variables.map((variable) => [variable.name, findValue(variable, history)]));
}

/** Returns the value of one variable. The latest message decides. */
export function findValue(wanted: Wanted, history: readonly HistoryLine[]): string | number | boolean | null {
  const about = `${wanted.name.replaceAll(/[_-]/g, " ")} ${wanted.description}`;
  const replies = repliesOf(history);
  if (wanted.choices.length > 0) return findChoice(wanted, replies);
  if (wanted.type === "boolean") return findBoolean(about, replies);
  const [asked, other] = byRelevance(about, replies);
  if (wanted.type === "number") return firstOf([...asked, ...other], ({ text }) => findNumber(text));
  const kind = askedKind(wanted.description) ?? askedKind(wanted.name);
  if (kind) {
    const named = firstOf(
      asked,
      ({ text }) => findEntity(text, kind) ?? (kind === "name" ? nameInReply(text) : undefined),
    );
    return named ?? firstOf(other, ({ text }) => findEntity(text, kind));
  }
  if (
    /\b(?:reason|problem|issue|message|summary|request|question|complaint|details?|purpose|why|what)\b/i.test(about)
  ) {
    return firstOf([...asked, ...other], ({ text }) => (significantWords(text).length > 1 ? text : undefined));
  }
  return firstOf(asked, ({ text }) => (moodOf(text).lost ? undefined : withoutLeadIn(text)));
}

/** Returns the caller's messages, last first, each with the agent's message before it. */
function repliesOf(history: readonly HistoryLine[]): readonly Reply[] {
  const replies: Reply[] = [];
  let question = "";
  for (const { role, content } of history) {
    if (role === "assistant") question = content;
    if (role === "user") replies.unshift({ text: content, question });
  }
  return replies;
}

/** Splits replies into those that are about the value (by the question or their own words) and all others. */
function byRelevance(about: string, replies: readonly Reply[]): readonly [readonly Reply[], readonly Reply[]] {
  const wanted = stems(about);
  const isAbout = ({ text, question }: Reply) => sharedStems(wanted, stems(`${question} ${text}`)).length > 0;
  return [replies.filter(isAbout), replies.filter((reply) => !isAbout(reply))];
}

function firstOf<Value>(replies: readonly Reply[], read: (reply: Reply) => Value | undefined): Value | null {
  for (const reply of replies) {
    const value = read(reply);
    if (value !== undefined) return value;
  }
  return null;
}

function findChoice({ choices, description }: Wanted, replies: readonly Reply[]): string | null {
  const named = choices.map((choice) => ({
    choice,
    own: choiceWords(choice),
    told: toldAbout(choice, choices, description),
  }));
  const found = firstOf(replies, ({ text, question }) => {
    const mood = moodOf(text);
    const said = significantWords(text);
    const direct = bestChoice(
      named,
      said.map((word) => word.stem),
    );
    if (direct) return direct;
    if (!mood.yes) return undefined;
    return bestChoice(
      named,
      significantWords(question).map((word) => word.stem),
    );
  });
  if (found !== null) return found;
  const yesNo = firstOf(replies, ({ text }) => {
    const mood = moodOf(text);
    return mood.yes
      ? choices.find((c) => /^(?:yes|true)$/i.test(c))
      : mood.no
        ? choices.find((c) => /^(?:no|false)$/i.test(c))
        : undefined;
  });
  if (yesNo !== null) return yesNo;
  const rest = choices.find((choice) => /^(?:others?|something[ _-]else|anything[ _-]else|misc)$/i.test(choice));
  return rest && replies.some(({ text }) => significantWords(text).length > 1) ? rest : null;
}

interface NamedChoice {
  readonly choice: string;
  readonly own: ReadonlySet<string>;
  readonly told: ReadonlySet<string>;
}

/**
 * Returns the choice with the most matching words. Its own words count before those of the description; the first
 * choice wins a tie.
 */
function bestChoice(choices: readonly NamedChoice[], said: readonly string[]): string | undefined {
  let best: { choice: string; score: number; first: number } | undefined;
  for (const { choice, own, told } of choices) {
    const saidSet = new Set(said);
    const ownShared = sharedStems(own, saidSet);
    const toldShared = sharedStems(told, saidSet);
    const score = (own.size > 0 ? ownShared.length / own.size : 0) * 2 + toldShared.length;
    const first = said.findIndex((word) => sharedStems(new Set([...own, ...told]), new Set([word])).length > 0);
    if (score > 0 && (!best || score > best.score || (score === best.score && first < best.first)))
      best = { choice, score, first };
  }
  return best?.choice;
}

/** Returns a choice's words, including common ones such as `call`, which matter in a list of choices. */
function choiceWords(choice: string): ReadonlySet<string> {
  const text = choice.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  const significant = stems(text);
  return significant.size > 0 ? significant : new Set([stem(text.toLowerCase().trim())]);
}

/** Returns the words with which the description explains one choice: "refund: money back; order: where a parcel is". */
function toldAbout(choice: string, choices: readonly string[], description: string): ReadonlySet<string> {
  const names = (part: string, name: string) =>
    part.toLowerCase().replaceAll(/[_-]/g, " ").includes(name.toLowerCase().replaceAll(/[_-]/g, " "));
  const part = description
    .split(/[;.\n]|,(?=[^,]*(?::|\bfor\b|\bif\b|\bmeans\b))/)
    .find((piece) => choices.filter((name) => names(piece, name)).length === 1 && names(piece, choice));
  return part ? stems(part) : new Set();
}

function findBoolean(about: string, replies: readonly Reply[]): boolean | null {
  const wanted = stems(about);
  return firstOf(replies, ({ text, question }) => {
    const mood = moodOf(text);
    const asked = sharedStems(wanted, stems(question)).length > 0 && question.includes("?");
    if (asked && (mood.yes || mood.no)) return mood.yes && !mood.no;
    const said = stems(text);
    if (sharedStems(wanted, said).length > 0) return true;
    const denied = new Set([...said].filter((word) => word.startsWith("!")).map((word) => word.slice(1)));
    return sharedStems(wanted, denied).length > 0 ? false : undefined;
  });
}

function withoutLeadIn(text: string): string | undefined {
  const bare = withoutEndMarks(
    text
      .trim()
      .replace(
        /^(?:(?:oh|well|um|yes|yeah|sure|okay|ok)[,.!\s]+)*(?:(?:it['’]s|it is|that['’]s|that is|my \p{L}+ is|i['’]d like|i would like|i want|i['’]m|i am|for)\s+)?/iu,
        "",
      ),
  );
  return bare || undefined;
}

import type { HistoryLine } from "../signature.ts";
import type { ExtractInput } from "../signatures/mod.ts";
import { ENGLISH } from "./english.ts";
import type { Tongue } from "./tongue.ts";
import { sharedStems, stems } from "./words.ts";

/** A variable or an argument to fill. */
export type Wanted = ExtractInput["variables"][number];

/** A caller message, and the agent's message before it. */
interface Reply {
  readonly text: string;
  readonly question: string;
}

/** Extracts variables from the caller's messages; `null` for values that were not said. */
export function extractVariables(
  { variables, conversation_history: history }: ExtractInput,
  tongue: Tongue = ENGLISH,
): { readonly [name: string]: string | number | boolean | null } {
  return Object.fromEntries(variables.map((variable) => [variable.name, findValue(variable, history, tongue)]));
}

/** Returns the value of one variable. The latest message decides. */
export function findValue(
  wanted: Wanted,
  history: readonly HistoryLine[],
  tongue: Tongue = ENGLISH,
): string | number | boolean | null {
  const about = `${wanted.name.replaceAll(/[_-]/g, " ")} ${wanted.description}`;
  const replies = repliesOf(history);
  if (wanted.choices.length > 0) return findChoice(wanted, replies, tongue);
  if (wanted.type === "boolean") return findBoolean(about, replies, tongue);
  const [asked, other] = byRelevance(about, replies, tongue);
  if (wanted.type === "number") {
    const isAsked = ({ question }: Reply) => tongue.askedKind(question) === "number";
    return firstOf([...asked, ...other.filter(isAsked), ...other], ({ text }) => {
      const number = tongue.findEntity(text, "number");
      return number === undefined ? undefined : Number(number);
    });
  }
  const kind = tongue.askedKind(wanted.description) ?? tongue.askedKind(wanted.name);
  if (kind) {
    const named = firstOf(
      asked,
      ({ text }) => tongue.findEntity(text, kind) ?? (kind === "name" ? tongue.nameInReply(text) : undefined),
    );
    return named ?? firstOf(other, ({ text }) => tongue.findEntity(text, kind));
  }
  if (tongue.wantsOwnWords.test(about)) {
    return firstOf([...asked, ...other], ({ text }) => (tongue.significantWords(text).length > 1 ? text : undefined));
  }
  return firstOf(asked, ({ text }) => (tongue.moodOf(text).lost ? undefined : tongue.withoutLeadIn(text)));
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
function byRelevance(
  about: string,
  replies: readonly Reply[],
  tongue: Tongue,
): readonly [readonly Reply[], readonly Reply[]] {
  const wanted = stems(about, tongue);
  const isAbout = ({ text, question }: Reply) =>
    sharedStems(wanted, stems(`${question} ${text}`, tongue), tongue).length > 0;
  return [replies.filter(isAbout), replies.filter((reply) => !isAbout(reply))];
}

function firstOf<Value>(replies: readonly Reply[], read: (reply: Reply) => Value | undefined): Value | null {
  for (const reply of replies) {
    const value = read(reply);
    if (value !== undefined) return value;
  }
  return null;
}

function findChoice({ choices, description }: Wanted, replies: readonly Reply[], tongue: Tongue): string | null {
  const named = choices.map((choice) => ({
    choice,
    own: choiceWords(choice, tongue),
    told: toldAbout(choice, choices, description, tongue),
  }));
  const found = firstOf(replies, ({ text, question }) => {
    const mood = tongue.moodOf(text);
    const said = tongue.significantWords(text);
    const direct = bestChoice(
      named,
      said.map((word) => word.stem),
      tongue,
    );
    if (direct) return direct;
    if (!mood.yes) return undefined;
    return bestChoice(
      named,
      tongue.significantWords(question).map((word) => word.stem),
      tongue,
    );
  });
  if (found !== null) return found;
  const yesNo = firstOf(replies, ({ text }) => {
    const mood = tongue.moodOf(text);
    return mood.yes
      ? choices.find((c) => /^(?:yes|true)$/i.test(c))
      : mood.no
        ? choices.find((c) => /^(?:no|false)$/i.test(c))
        : undefined;
  });
  if (yesNo !== null) return yesNo;
  const rest = choices.find((choice) => /^(?:others?|something[ _-]else|anything[ _-]else|misc)$/i.test(choice));
  return rest && replies.some(({ text }) => tongue.significantWords(text).length > 1) ? rest : null;
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
function bestChoice(choices: readonly NamedChoice[], said: readonly string[], tongue: Tongue): string | undefined {
  let best: { choice: string; score: number; first: number } | undefined;
  for (const { choice, own, told } of choices) {
    const saidSet = new Set(said);
    const ownShared = sharedStems(own, saidSet, tongue);
    const toldShared = sharedStems(told, saidSet, tongue);
    const score = (own.size > 0 ? ownShared.length / own.size : 0) * 2 + toldShared.length;
    const first = said.findIndex((word) => sharedStems(new Set([...own, ...told]), new Set([word]), tongue).length > 0);
    if (score > 0 && (!best || score > best.score || (score === best.score && first < best.first)))
      best = { choice, score, first };
  }
  return best?.choice;
}

/** Returns a choice's words, including common ones such as `call`, which matter in a list of choices. */
function choiceWords(choice: string, tongue: Tongue): ReadonlySet<string> {
  const text = choice.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  const significant = stems(text, tongue);
  return significant.size > 0 ? significant : new Set([tongue.stem(text.toLowerCase().trim())]);
}

/** Returns the words with which the description explains one choice: "refund: money back; order: where a parcel is". */
function toldAbout(
  choice: string,
  choices: readonly string[],
  description: string,
  tongue: Tongue,
): ReadonlySet<string> {
  const names = (part: string, name: string) =>
    part.toLowerCase().replaceAll(/[_-]/g, " ").includes(name.toLowerCase().replaceAll(/[_-]/g, " "));
  const part = description
    .split(/[;.\n]|,(?=[^,]*(?::|\bfor\b|\bif\b|\bmeans\b))/)
    .find((piece) => choices.filter((name) => names(piece, name)).length === 1 && names(piece, choice));
  return part ? stems(part, tongue) : new Set();
}

function findBoolean(about: string, replies: readonly Reply[], tongue: Tongue): boolean | null {
  const wanted = stems(about, tongue);
  return firstOf(replies, ({ text, question }) => {
    const mood = tongue.moodOf(text);
    const asked = sharedStems(wanted, stems(question, tongue), tongue).length > 0 && question.includes("?");
    if (asked && (mood.yes || mood.no)) return mood.yes && !mood.no;
    const said = stems(text, tongue);
    if (sharedStems(wanted, said, tongue).length > 0) return true;
    const denied = new Set([...said].filter((word) => word.startsWith("!")).map((word) => word.slice(1)));
    return sharedStems(wanted, denied, tongue).length > 0 ? false : undefined;
  });
}

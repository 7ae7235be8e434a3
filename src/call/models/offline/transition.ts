import { holdsAnyway } from "../../../document/graph/mod.ts";
import type { TransitionInput, TransitionOutput } from "../signatures/mod.ts";
import { endOfValue } from "../text/mod.ts";
import { ENGLISH } from "./english.ts";
import type { Mood, Tongue } from "./tongue.ts";
import { questionsIn, sharedStems, stems } from "./words.ts";

type Offer = TransitionInput["available_transitions"][number];

/** Analysis of the caller's last message. */
interface Heard {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly mood: Mood;
  readonly question: string;
  /** Outcome of the last tool call since then, if any. */
  readonly tool: "succeeded" | "failed" | undefined;
}

/** Minimum score of a transition, from 0 to 1. A condition with several alternatives needs only one. */
const LEAST_SHARE = 0.2;

/**
 * Picks the transition whose condition shares the most words with the caller's last message; the first one wins a tie.
 * Conditions in a known form (a value given, agreed, declined, finished) are decided by that form.
 */
export function pickTransition(input: TransitionInput, tongue: Tongue = ENGLISH): TransitionOutput {
  const heard = hear(input, tongue);
  let best: Offer | undefined;
  let most = 0;
  for (const offer of input.available_transitions) {
    const score = scoreOf(offer, heard, tongue);
    if (score > most) [best, most] = [offer, score];
  }
  if (best) return { objectives_complete: true, transition_to: best.target };
  return { objectives_complete: isAnswered(heard, tongue), transition_to: "none" };
}

function hear(input: TransitionInput, tongue: Tongue): Heard {
  const history = input.conversation_history;
  const lastUser = history.findLastIndex(({ role }) => role === "user");
  const text = history[lastUser]?.content.trim() ?? "";
  const call = history.slice(lastUser + 1).findLast(({ role }) => role === "tool")?.content;
  const tool = call && (hasFailed(call) ? "failed" : "succeeded");
  const mood = tongue.moodOf(text);
  const question = questionOf(input.last_agent_message) ?? "";
  // a yes repeats what was asked, a no says the opposite
  const words = new Set(stems(text, tongue));
  for (const word of mood.yes || mood.no ? stems(question, tongue) : []) words.add(mood.yes ? word : negated(word));
  return { text, words, mood, question, tool: tool || undefined };
}

/** Whether a tool line reads `name({…}) failed: …`, whatever its arguments and result contain. */
function hasFailed(call: string): boolean {
  const end = endOfValue(call, call.indexOf("("));
  return end !== undefined && call.startsWith(") failed: ", end);
}

function negated(word: string): string {
  return word.startsWith("!") ? word.slice(1) : `!${word}`;
}

/** Returns the last question of a text. */
function questionOf(text: string): string | undefined {
  return questionsIn(text).at(-1)?.trim();
}

/**
 * Score of conditions with hardly any requirement, such as one about the agent's own work. They win only when nothing
 * else matches.
 */
const WEAKEST = 0.1;

/** Scores how well a condition matches; 0 is no match. */
function scoreOf({ condition, description }: Offer, heard: Heard, tongue: Tongue): number {
  if (condition.trim() !== "" && holdsAnyway(condition)) return WEAKEST;
  const form = scoreByForm(condition, heard, tongue) ?? scoreByWork(condition, heard, tongue);
  if (form !== undefined) return form;
  if (!heard.text) return 0;
  const wanted = stems(`${condition} ${description}`, tongue);
  if (wanted.size === 0) return tongue.conditions.anyReply.test(condition) ? WEAKEST : 0;
  const shared = sharedStems(wanted, heard.words, tongue).length;
  const share = shared / wanted.size;
  return shared >= 2 || share >= LEAST_SHARE ? shared + share : 0;
}

/** "Customer check completed" is about work; a longer condition only mentions work. */
const MOST_WORDS_OF_WORK = 8;

/** Scores conditions about what the agent or its tools did; `undefined` for all others. */
function scoreByWork(condition: string, { words, tool }: Heard, tongue: Tongue): number | undefined {
  const { people, workFailed, workDone } = tongue.conditions;
  if (people.test(condition) || condition.split(/\s+/).length > MOST_WORDS_OF_WORK) return undefined;
  const failure = workFailed.test(condition);
  if (!failure && !workDone.test(condition)) return undefined;
  if (tool) return (tool === "failed") === failure ? 1 : 0;
  const shared = sharedStems(stems(condition, tongue), words, tongue).length;
  return shared > 0 || failure ? shared : WEAKEST;
}

/** Scores conditions in a known form; `undefined` for all others. */
function scoreByForm(condition: string, heard: Heard, tongue: Tongue): number | undefined {
  const { text, words, mood, question } = heard;
  const { finished, more, resumes, resumed, denies, declines, agrees, reason } = tongue.conditions;
  if (finished.test(condition)) return mood.done || (mood.no && more.test(question)) ? 3 : 0;
  const bonus = sharedStems(stems(condition, tongue), words, tongue).length;
  if (resumes.test(condition) && (resumed.test(text) || (mood.yes && resumes.test(question))) && !denies.test(text)) {
    return 1 + bonus;
  }
  if (declines.test(condition)) return mood.no ? 1 + bonus : 0;
  if (agrees.test(condition)) return mood.yes && !mood.no ? 1 + bonus : 0;
  const given = tongue.conditions.given(condition);
  if (given === undefined) return undefined;
  const kind = tongue.askedKind(given);
  if (kind) {
    if (mood.lost) return 0;
    const found =
      tongue.findEntity(text, kind) ??
      (kind === "name" && tongue.asksName.test(question) ? tongue.nameInReply(text) : undefined);
    if (found !== undefined) return 1 + bonus;
    // a date may be given as a time, a reference as a plain number
    return kind === "date" && tongue.findEntity(text, "time") ? 1 + bonus : 0;
  }
  if (reason.test(given)) return words.size > 0 && !mood.lost ? 0.5 + bonus : 0;
  return isShortAnswer(heard) && sharedStems(stems(given, tongue), stems(question, tongue), tongue).length > 0
    ? 1 + bonus
    : undefined;
}

/** Maximum number of words of a reply that only names what was asked for: "Oxycodone.", "A bunch of red roses". */
const SHORT_ANSWER = 5;

function isShortAnswer({ text, words, mood }: Heard): boolean {
  if (words.size === 0 || mood.yes || mood.no || mood.lost || mood.done || /[?？؟]$/.test(text)) return false;
  return text.split(/\s+/).length <= SHORT_ANSWER;
}

/** Whether the caller answered the agent's question although no transition matches. */
function isAnswered({ text, words, mood, question }: Heard, tongue: Tongue): boolean {
  if (mood.lost || /[?？؟]$/.test(text)) return false;
  const kind = tongue.askedKind(question);
  if (question && kind)
    return tongue.findEntity(text, kind) !== undefined || (kind === "name" && tongue.nameInReply(text) !== undefined);
  return words.size > 0 || mood.yes || mood.no || mood.done;
}

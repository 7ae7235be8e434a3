import { holdsAnyway } from "../../../document/graph/mod.ts";
import type { TransitionInput, TransitionOutput } from "../signatures/mod.ts";
import { endOfValue } from "../text/mod.ts";
import { askedKind, findEntity, type Mood, moodOf, nameInReply } from "./extract.ts";
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
export function pickTransition(input: TransitionInput): TransitionOutput {
  const heard = hear(input);
  let best: Offer | undefined;
  let most = 0;
  for (const offer of input.available_transitions) {
    const score = scoreOf(offer, heard);
    if (score > most) [best, most] = [offer, score];
  }
  if (best) return { objectives_complete: true, transition_to: best.target };
  return { objectives_complete: isAnswered(heard), transition_to: "none" };
}

function hear(input: TransitionInput): Heard {
  const history = input.conversation_history;
  const lastUser = history.findLastIndex(({ role }) => role === "user");
  const text = history[lastUser]?.content.trim() ?? "";
  const call = history.slice(lastUser + 1).findLast(({ role }) => role === "tool")?.content;
  const tool = call && (hasFailed(call) ? "failed" : "succeeded");
  const mood = moodOf(text);
  const question = questionOf(input.last_agent_message) ?? "";
  // a yes repeats what was asked, a no says the opposite
  const words = new Set(stems(text));
  for (const word of mood.yes || mood.no ? stems(question) : []) words.add(mood.yes ? word : negated(word));
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
function scoreOf({ condition, description }: Offer, heard: Heard): number {
  if (condition.trim() !== "" && holdsAnyway(condition)) return WEAKEST;
  const form = scoreByForm(condition, heard) ?? scoreByWork(condition, heard);
  if (form !== undefined) return form;
  if (!heard.text) return 0;
  const wanted = stems(`${condition} ${description}`);
  if (wanted.size === 0)
    return /\b(?:any|always|responds?|repl(?:y|ies)|answers?|speaks?)\b/i.test(condition) ? 0.1 : 0;
  const shared = sharedStems(wanted, heard.words).length;
  const share = shared / wanted.size;
  return shared >= 2 || share >= LEAST_SHARE ? shared + share : 0;
}

const GIVEN =
  /\b(?:gives?|gave|given|provides?|provided|shares?|shared|states?|stated|says?|said|tells?|told|names?|named|mentions?|mentioned|answers?|answered|supplies|supplied|enters?|entered)\b(.*)/i;
const REASON =
  /\b(?:reason|problem|issue|concern|request|question|details?|why|what (?:they|he|she)|purpose|intent|need)\b/i;
const FINISHED =
  /\b(?:no (?:more|further|other) (?:questions?|help|assistance|requests?|needs?|issues?|concerns?|topics?)|nothing (?:else|more)|goodbye|says? bye|(?:is|are) (?:done|finished|satisfied|happy)|all set|hang(?:s)? up|ends? the call|does(?:n['’]t| not) need)\b/i;
const RESUMES = /\b(?:ready to|continue|resume|proceed|go(?:es)? back|(?:get|wants) back to)\b/i;
const RESUMED =
  /\b(?:continue|resume|ready|proceed|(?:go|carry|move|going) (?:on|back|ahead)|never ?mind|back to|fine)\b/i;
const AGREES = /\b(?:confirms?|confirmed|agrees?|agreed|accepts?|accepted|approves?|says? yes|yes)\b/i;
const DECLINES =
  /\b(?:declines?|declined|refuses?|refused|rejects?|rejected|denies|disagrees?|says? no|does(?:n['’]t| not) (?:want|agree|accept|confirm))\b/i;

const PEOPLE =
  /^(?:the |if (?:the )?|when (?:the )?)?(?:caller|user|customer|client|guest|patient|they|he|she) (?:wants?|needs?|has|have|is|are|was|would|will|can|cannot|does|did|gives?|gave|says?|said|tells?|told|asks?|asked|(?:confirm|provid|mention|agree|accept|declin|refus|respond|answer|choos|select|stat|request|indicat|describ|speak|call)\w*|replie[sd])\b/i;
/** "Customer check completed" is about work; a longer condition only mentions work. */
const MOST_WORDS_OF_WORK = 8;
const WORK_FAILED =
  /\b(?:fail(?:s|ed|ure)?|errors?|unavailable|unsuccessful|not (?:found|available|successful|possible)|no (?:results?|match(?:es)?|slots?))\b/i;
const WORK_DONE =
  /\b(?:complete[ds]?|done|loaded|extracted|finished|checked|collected|received|returned|retrieved|success(?:ful(?:ly)?)?|succe(?:eds|eded)|executed|available|found|sent|booked|saved|created|greeted)\b/i;

/** Scores conditions about what the agent or its tools did; `undefined` for all others. */
function scoreByWork(condition: string, { words, tool }: Heard): number | undefined {
  if (PEOPLE.test(condition) || condition.split(/\s+/).length > MOST_WORDS_OF_WORK) return undefined;
  const failure = WORK_FAILED.test(condition);
  if (!failure && !WORK_DONE.test(condition)) return undefined;
  if (tool) return (tool === "failed") === failure ? 1 : 0;
  const shared = sharedStems(stems(condition), words).length;
  return shared > 0 || failure ? shared : WEAKEST;
}

/** Scores conditions in a known form; `undefined` for all others. */
function scoreByForm(condition: string, heard: Heard): number | undefined {
  const { text, words, mood, question } = heard;
  if (FINISHED.test(condition)) return mood.done || (mood.no && /\b(?:else|more|other)\b/i.test(question)) ? 3 : 0;
  const bonus = sharedStems(stems(condition), words).length;
  if (
    RESUMES.test(condition) &&
    (RESUMED.test(text) || (mood.yes && RESUMES.test(question))) &&
    !/\bnot\b/i.test(text)
  ) {
    return 1 + bonus;
  }
  if (DECLINES.test(condition)) return mood.no ? 1 + bonus : 0;
  if (AGREES.test(condition)) return mood.yes && !mood.no ? 1 + bonus : 0;
  // only the first of several alternatives names the value that was given
  const given = GIVEN.exec(condition)?.[1]?.split(/[,;:.]|\b(?:and|or|but|when|because|so)\b/)[0];
  if (given === undefined) return undefined;
  const kind = askedKind(given);
  if (kind) {
    if (mood.lost) return 0;
    const found =
      findEntity(text, kind) ?? (kind === "name" && /\bname\b/i.test(question) ? nameInReply(text) : undefined);
    if (found !== undefined) return 1 + bonus;
    // a date may be given as a time, a reference as a plain number
    return kind === "date" && findEntity(text, "time") ? 1 + bonus : 0;
  }
  if (REASON.test(given)) return words.size > 0 && !mood.lost ? 0.5 + bonus : 0;
  return isShortAnswer(heard) && sharedStems(stems(given), stems(question)).length > 0 ? 1 + bonus : undefined;
}

/** Maximum number of words of a reply that only names what was asked for: "Oxycodone.", "A bunch of red roses". */
const SHORT_ANSWER = 5;

function isShortAnswer({ text, words, mood }: Heard): boolean {
  if (words.size === 0 || mood.yes || mood.no || mood.lost || mood.done || text.endsWith("?")) return false;
  return text.split(/\s+/).length <= SHORT_ANSWER;
}

/** Whether the caller answered the agent's question although no transition matches. */
function isAnswered({ text, words, mood, question }: Heard): boolean {
  if (mood.lost || text.endsWith("?")) return false;
  const kind = askedKind(question);
  if (question && kind)
    return findEntity(text, kind) !== undefined || (kind === "name" && nameInReply(text) !== undefined);
  return words.size > 0 || mood.yes || mood.no || mood.done;
}

import type { CallerInput, CallerOutput } from "../signatures/mod.ts";
import { moodOf } from "./mood.ts";
import { asSpokenByCaller, capitalised } from "./person.ts";
import { questionOf } from "./transition.ts";
import { sentences, sharedStems, stems } from "./words.ts";

const CLOSING = "No, that is all, thank you.";
const UNKNOWN = "I do not know.";

const GOAL =
  /\b(?:want|wants|need|needs|would like|call(?:s|ing)?|ask|asks|goal|looking|wish|try|have to|must|hope|complain|demand)\b/i;
/** Sentences about how the caller speaks or when they hang up: played by a person, not by rules. */
const MANNER =
  /^(?:be |speak |you speak|you are (?:very |a bit |quite )?(?:polite|impatient|angry|friendly|calm|in a hurry|brief)|hang up|end the call|stay|keep|do not|don['’]t|never)/i;
const ON_REQUEST =
  /^(?:if|when) (?:you are |you['’]re )?(?:the agent )?(?:asked|asks)(?: (?:you )?(?:for|about|whether|if))? (.*?), (?:say|answer|give|reply|tell them)(?: that| with)? (.*)$/i;

/** What a persona is made of, in the words of the caller. */
interface Part {
  readonly spoken: string;
  /** What an agent's question must share words with for this to be its answer. */
  readonly about: ReadonlySet<string>;
  readonly goal: boolean;
}

/**
 * Plays a persona by its sentences: a question that shares words with one of them is answered by it; otherwise the goals
 * are said one after another, and then the caller hangs up.
 */
export function playCaller({ persona, conversation_history: history }: CallerInput): CallerOutput {
  const parts = partsOf(persona);
  const said = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const heard = history.findLast(({ role }) => role === "assistant")?.content ?? "";
  const question = questionOf(heard);
  const goals = parts.filter(({ goal, spoken }) => goal && !said.includes(spoken));

  const answer = question && said.length > 0 ? answerTo(question, parts, said) : undefined;
  if (answer) return speak(answer);
  const next = goals[0];
  const open =
    question !== undefined &&
    /\b(?:how (?:can|may) I help|help you|do for you|anything else|what else|help)\b/i.test(question);
  if (next && (said.length === 0 || open || !question || !wantsYesOrNo(question))) return speak(next.spoken);
  if (question && wantsYesOrNo(question) && !/\b(?:else|more)\b/i.test(question)) {
    if (!said.slice(-2).every((line) => line === "Yes, please.")) return speak("Yes, please.");
  } else if (question && !open && !said.includes(UNKNOWN)) return speak(UNKNOWN);
  if (said.includes(CLOSING) || moodOf(heard).done) return { message: "Goodbye.", should_end: true };
  return speak(CLOSING);
}

function speak(message: string): CallerOutput {
  return { message, should_end: false };
}

function partsOf(persona: string): readonly Part[] {
  const parts = sentences(persona).flatMap((sentence): Part[] => {
    const bare = sentence
      .replace(/^(?:then|after that|afterwards|next|finally|first|goal:|persona:|your goal is to)[,:]? /i, "")
      .trim();
    if (MANNER.test(bare)) return [];
    const onRequest = ON_REQUEST.exec(bare);
    if (onRequest) {
      return [{ spoken: ended(unquoted(onRequest[2] ?? "")), about: stems(onRequest[1] ?? ""), goal: false }];
    }
    return [{ spoken: ended(firstPerson(bare)), about: stems(bare), goal: GOAL.test(bare) }];
  });
  // a persona that states no wish at all is said from first to last
  return parts.some(({ goal }) => goal) ? parts : parts.map((part) => ({ ...part, goal: true }));
}

/** "Ask for a manager" is an order to the caller, "Anna wants a refund" a report about them. */
function firstPerson(sentence: string): string {
  if (/^(?:ask|call|find|get|book|cancel|complain|demand|request|return|change|order)\b/i.test(sentence)) {
    return `I would like to ${asSpokenByCaller(sentence.charAt(0).toLowerCase() + sentence.slice(1))}`;
  }
  const report =
    /^(?:he|she|they|\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?) (wants?|needs?|has|have|is|are|calls?|would like)\b/u.exec(
      sentence,
    );
  if (!report) return asSpokenByCaller(sentence);
  const verbs: Record<string, string> = { has: "have", is: "am", are: "am" };
  const verb = report[1] ?? "";
  const rest = sentence.slice(report[0].length).replaceAll(/\b(?:his|her|their)\b/gi, "my");
  return asSpokenByCaller(`I ${verbs[verb] ?? verb.replace(/s$/, "")}${rest}`);
}

function unquoted(text: string): string {
  return asSpokenByCaller(text.replaceAll(/["“”]/g, ""));
}

function ended(text: string): string {
  return capitalised(/[.!?]$/.test(text) ? text : `${text}.`);
}

/** The part of the persona that shares most words with a question; one that was not said yet before one that was. */
function answerTo(question: string, parts: readonly Part[], said: readonly string[]): string | undefined {
  const asked = stems(question);
  let best: Part | undefined;
  let most = 0;
  for (const part of parts) {
    const shared = sharedStems(asked, part.about).length;
    const score = shared === 0 ? 0 : shared + (said.includes(part.spoken) ? 0 : 0.5);
    if (score > most) [best, most] = [part, score];
  }
  return best?.spoken;
}

function wantsYesOrNo(question: string): boolean {
  return /(?:^|, )(?:is|are|was|do|does|did|shall|should|can I|may I|would you like|have you|has|will)\b/i.test(
    question.trim(),
  );
}

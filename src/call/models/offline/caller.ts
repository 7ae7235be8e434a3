import type { CallerInput, CallerOutput } from "../signatures/mod.ts";
import { askedKind, findEntity } from "./entities.ts";
import { moodOf } from "./mood.ts";
import { type PersonaPart, personaParts } from "./persona.ts";
import { questionsIn, sharedStems, stems } from "./words.ts";

const YES = "Yes, please.";
const UNKNOWN = "I do not know.";
const CLOSING = "No, that is all, thank you.";
/** Maximum number of times that the caller repeats an answer. */
const MOST_REPEATED = 2;
/** Words that a yes-no question must share with a fact. "Are you ready?" shares none, so no fact answers it. */
const LEAST_SHARED = 2;

/**
 * Plays a persona by its sentences. Facts answer questions that they share words with; otherwise the caller states the
 * goals one after another and then hangs up.
 */
export function playCaller({ persona, conversation_history: history }: CallerInput): CallerOutput {
  const parts = personaParts(persona);
  const said = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const heard = history.findLast(({ role }) => role === "assistant")?.content ?? "";
  const questions = questionsIn(heard);
  const last = questions.at(-1) ?? "";
  const next = parts.find(({ kind, spoken }) => kind === "goal" && !said.includes(spoken))?.spoken;

  const message = nextWords();
  // repeating the same answer would loop forever
  const stuck = said.length >= MOST_REPEATED && said.slice(-MOST_REPEATED).every((line) => line === message);
  return message === undefined || stuck ? close(said, heard) : { message, should_end: false };

  function nextWords(): string | undefined {
    if (said.length === 0 && next) return next;
    const answers = questions.flatMap((question) => answersTo(question, parts, said));
    if (answers.length > 0) return [...new Set(answers)].join(" ");
    if (asksForMore(last)) return next;
    if (asksYesOrNo(last)) return said.slice(-MOST_REPEATED).every((line) => line === YES) && next ? next : YES;
    return next ?? (last && !said.includes(UNKNOWN) ? UNKNOWN : undefined);
  }
}

/** Says a closing line to let the agent end the call; hangs up if it does not. */
function close(said: readonly string[], heard: string): CallerOutput {
  const over = said.includes(CLOSING) || moodOf(heard).done;
  return over ? { message: "Goodbye.", should_end: true } : { message: CLOSING, should_end: false };
}

/** Returns the persona's answers to a question, best first. A goal that was already said is not an answer. */
function answersTo(question: string, parts: readonly PersonaPart[], said: readonly string[]): readonly string[] {
  const asked = stems(question);
  const kind = askedKind(question);
  const least = asksYesOrNo(question) ? LEAST_SHARED : 1;
  const score = (part: PersonaPart) => {
    const shared = sharedStems(asked, part.about).length;
    if (part.kind === "instruction") return shared > 0 ? shared + LEAST_SHARED : 0;
    if (part.kind === "goal" && said.includes(part.spoken)) return 0;
    return shared + (kind && findEntity(part.spoken, kind) !== undefined ? 1 : 0);
  };
  const fitting = parts.map((part) => ({ part, score: score(part) })).filter(({ score }) => score >= least);
  const most = Math.max(0, ...fitting.map(({ score }) => score));
  return fitting
    .filter(({ score }) => score === most)
    .slice(0, 1)
    .map(({ part }) => part.spoken);
}

function asksYesOrNo(question: string): boolean {
  const text = question.trim();
  if (/\bwhether\b/i.test(text) || /^(?:could|can|would) you please\b/i.test(text)) return true;
  return /^(?:is|are|was|do|does|did|shall|should|can I|may I|would you like|have|has|will)\b/i.test(text);
}

function asksForMore(question: string): boolean {
  return /\b(?:anything|something|what|how) (?:else|more|can I help|may I help)\b|\bhelp you\b/i.test(question);
}

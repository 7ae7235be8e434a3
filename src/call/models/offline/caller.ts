import { SAYS, TRAITS_HEADING } from "../../../document/scenario/mod.ts";
import type { CallerInput, CallerOutput } from "../signatures/mod.ts";
import type { PersonaPart, Tongue } from "./tongue.ts";
import { playWithTraits } from "./traits.ts";
import { questionsIn, sentences, sharedStems, significantWords, stems } from "./words.ts";

/** Maximum number of times that the caller repeats an answer. */
const MOST_REPEATED = 2;
/** Words that a yes-no question must share with a fact. "Are you ready?" shares none, so no fact answers it. */
const LEAST_SHARED = 2;

/** Plays a caller by its persona, and by its traits if it has some. */
export function playCaller(input: CallerInput, tongue: Tongue): CallerOutput {
  const play = (plain: CallerInput) => playPersona(plain, tongue);
  return input.persona.includes(TRAITS_HEADING) ? playWithTraits(input, play, tongue) : play(input);
}

/**
 * Plays a persona by its sentences. Facts answer questions that they share words with; otherwise the caller states the
 * goals one after another and then hangs up.
 */
function playPersona({ persona: whole, conversation_history: history }: CallerInput, tongue: Tongue): CallerOutput {
  const { persona, line } = toSay(whole, history);
  if (line !== undefined) return { message: line, should_end: false };
  const { yes, unknown, asksForMore, asksYesNo } = tongue.caller;
  const parts = tongue.caller.personaParts(persona);
  const said = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const heard = history.findLast(({ role }) => role === "assistant")?.content ?? "";
  const questions = questionsIn(heard);
  const last = questions.at(-1) ?? "";
  const next = parts.find(({ kind, spoken }) => kind === "goal" && !said.includes(spoken))?.spoken;

  const message = nextWords();
  // repeating the same answer would loop forever
  const stuck = said.length >= MOST_REPEATED && said.slice(-MOST_REPEATED).every((line) => line === message);
  return message === undefined || stuck ? close(said, heard, tongue) : { message, should_end: false };

  function nextWords(): string | undefined {
    if (said.length === 0 && next) return next;
    const answers = questions.flatMap((question) => answersTo(question, parts, said, tongue));
    if (answers.length > 0) return [...new Set(answers)].join(" ");
    if (asksForMore.test(last)) return next;
    if (asksYesNo.test(last.trim()))
      return said.slice(-MOST_REPEATED).every((line) => line === yes) && next ? next : yes;
    return next ?? (last && !said.includes(unknown) ? unknown : undefined);
  }
}

/** The next of the lines that a persona gives its caller to say, and the persona without them. */
function toSay(whole: string, history: CallerInput["conversation_history"]) {
  if (!whole.includes(SAYS)) return { persona: whole, line: undefined };
  const written = whole.split("\n");
  const lines = written.filter((each) => each.startsWith(SAYS)).map((each) => each.slice(SAYS.length));
  let next = 0;
  for (const { role, content } of history) if (role === "user" && content === lines[next]) next += 1;
  const persona = written.filter((each) => !each.startsWith(SAYS)).join("\n");
  return { persona, line: lines[next] };
}

/** Says a closing line to let the agent end the call; hangs up if it does not. */
function close(said: readonly string[], heard: string, { caller: { closing, bye }, moodOf }: Tongue): CallerOutput {
  const over = said.includes(closing) || moodOf(heard).done;
  return over ? { message: bye, should_end: true } : { message: closing, should_end: false };
}

/** Returns the persona's answers to a question, best first. A goal that was already said is not an answer. */
function answersTo(
  question: string,
  parts: readonly PersonaPart[],
  said: readonly string[],
  tongue: Tongue,
): readonly string[] {
  const asked = stems(question, tongue);
  const kind = tongue.askedKind(question);
  const least = tongue.caller.asksYesNo.test(question.trim()) ? LEAST_SHARED : 1;
  const score = (part: PersonaPart) => {
    const shared = sharedStems(asked, part.about, tongue).length;
    if (part.kind === "instruction") return shared > 0 ? shared + LEAST_SHARED : 0;
    if (part.kind === "goal" && said.includes(part.spoken)) return 0;
    return shared + (kind && tongue.findEntity(part.spoken, kind) !== undefined ? 1 : 0);
  };
  const fitting = parts.map((part) => ({ part, score: score(part) })).filter(({ score }) => score >= least);
  const most = Math.max(0, ...fitting.map(({ score }) => score));
  return fitting
    .filter(({ score }) => score === most)
    .slice(0, 1)
    .map(({ part }) => part.spoken);
}

const WHETHER = /\bwhether\b|^(?:could|can|would) you please\b/i;
const YES_NO = /^(?:is|are|was|do|does|did|shall|should|can I|may I|would you like|have|has|will)\b/i;

/** English questions that are answered with yes or no. */
export const ASKS_YES_NO = { test: (question: string) => WHETHER.test(question) || YES_NO.test(question) };
/** English questions for more that the caller wants. */
export const ASKS_FOR_MORE = /\b(?:anything|something|what|how) (?:else|more|can I help|may I help)\b|\bhelp you\b/i;

const GOAL =
  /\b(?:wants?|needs?|would like|calls? (?:because|about|to|for)|calling|asks?|goal|looking|wish|try|have to|must|hope|complain|demand|when|where|how|why)\b/i;
/** Sentences about manner or when to hang up, which fixed rules cannot play. */
const MANNER =
  /^(?:be |speak |(?:you|he|she|they) speaks? |(?:you are|he is|she is|they are) (?:very |a bit |quite )?(?:polite|impatient|angry|friendly|calm|in a hurry|brief)|hang up|end the call|stay|keep|do not|don['’]t|never|express|show|start |remain|accept|politely|respond|use |see if|if that|if the agent)/i;
const WHEN_ASKED =
  /^(?:if|when) (?:you are |you['’]re )?(?:the agent )?(?:asked|asks)(?: (?:you )?(?:for|about|whether|if))? (.*?),? (?:say|answer|give|reply|tell them|provide|confirm)(?: or (?:say|give|confirm|provide))?(?: that| with)? (.*)$/i;
const LEAD_IN = /^(?:then|after that|afterwards|next|finally|first|goal:|persona:|your goal is to)[,:]? /i;
const SAY = /^(?:say|mention|state|tell (?:the agent|them))(?: that)? (.*)$/i;
const IDENTIFY = /^(?:identify|introduce) yourself as (.*)$/i;

const STEMS = { significantWords };

/** Splits an English persona into parts. If it states no goal, all sentences are said in order. */
export function personaParts(persona: string): readonly PersonaPart[] {
  const parts = sentences(persona).flatMap((sentence): PersonaPart[] => {
    const bare = sentence.replace(LEAD_IN, "").trim();
    const whenAsked = WHEN_ASKED.exec(bare);
    if (whenAsked) {
      const answer = asSpokenByCaller((whenAsked[2] ?? "").replaceAll(/["“”]/g, ""));
      return [{ spoken: ended(answer), about: stems(whenAsked[1] ?? "", STEMS), kind: "instruction" }];
    }
    if (MANNER.test(bare)) return [];
    const spoken = ended(firstPerson(bare));
    const identity = /^(?:I am|I['’]m|My name is) \p{Lu}/u.test(spoken);
    const goal = GOAL.test(bare) || ORDER.test(bare) || (SAY.test(bare) && !identity);
    return [{ spoken, about: stems(identity ? `${bare} name` : bare, STEMS), kind: goal ? "goal" : "fact" }];
  });
  return parts.some(({ kind }) => kind === "goal") ? parts : parts.map((part) => ({ ...part, kind: "goal" }));
}

const ORDER =
  /^(?:ask|inquire|call|find|get|book|schedule|cancel|complain|demand|request|return|change|update|order|buy|file|report|verify|check)\b/i;
/**
 * Matches a sentence about the caller in the third person: a full name, a description ending in "who", or a pronoun or
 * first name before a verb such as "wants".
 */
const REPORT =
  /^(?:\p{Lu}[\p{Ll}'’-]+ \p{Lu}[\p{Ll}'’-]+(?= \p{Ll})|(?:An?|The) [^.]*? who\b|(?!(?:You|It|This|That|There|My|Your|The|Who|What)\b)\p{Lu}\p{Ll}+(?= (?:wants?|needs?|calls|would like|has|have)\b))/u;

/**
 * Rewrites a sentence in the first person. "Ask for a manager" is an instruction to the caller, "Anna Ruiz wants a
 * refund" a report about them.
 */
function firstPerson(sentence: string): string {
  const identity = IDENTIFY.exec(sentence)?.[1];
  if (identity) return `I am ${asSpokenByCaller(identity)}`;
  const told = SAY.exec(sentence)?.[1];
  if (told) return asSpokenByCaller(told.replace(/ and ask(?= )/gi, " and I would like to ask"));
  if (ORDER.test(sentence)) {
    const order = sentence.replace(/^ask to /i, "");
    return `I would like to ${asSpokenByCaller(order.charAt(0).toLowerCase() + order.slice(1))}`;
  }
  const reported = sentence
    .replace(/\b(?:he|she|they)\b(?= (?:wants?|needs?|has|is|are|calls|would))/gi, "I")
    .replace(REPORT, "I");
  if (!/\bI\b/.test(reported) || /\bI\b/.test(sentence))
    return asSpokenByCaller(sentence.replace(/^(?:His|Her|Their)\b/, "My"));
  return reported
    .replaceAll(/\bI (wants|needs|calls)\b/g, (said) => said.slice(0, -1))
    .replaceAll(/\band (wants|needs|calls)\b/g, (said) => said.slice(0, -1))
    .replaceAll(/\bI (?:is|are)\b/g, "I am")
    .replaceAll(/\bI has\b/g, "I have")
    .replaceAll(/\b(?:his|her|their)\b/g, "my");
}

function ended(text: string): string {
  return capitalised(/[.!?]$/.test(text) ? text : `${text}.`);
}

/** Replaces whole words by a table, each once, and keeps initial capitals. */
function rewrite(text: string, table: readonly (readonly [string, string])[]): string {
  const replacements = new Map(table);
  const words = new RegExp(`\\b(?:${table.map(([word]) => word).join("|")})\\b`, "gi");
  return text.replace(words, (word) => {
    const replacement = replacements.get(word.toLowerCase()) ?? word;
    return /^\p{Lu}/u.test(word) && word !== "I" ? capitalised(replacement) : replacement;
  });
}

/** Rewrites a prompt's words as the agent says them: "how you can help them" becomes "how I can help you". */
export function asSpokenByAgent(prompt: string): string {
  return rewrite(prompt, [
    ["the caller's", "your"],
    ["the customer's", "your"],
    ["the user's", "your"],
    ["the client's", "your"],
    ["the guest's", "your"],
    ["the patient's", "your"],
    ["the caller is", "you are"],
    ["the customer is", "you are"],
    ["the user is", "you are"],
    ["the caller has", "you have"],
    ["the caller wants", "you want"],
    ["the customer wants", "you want"],
    ["the user wants", "you want"],
    ["the caller", "you"],
    ["the customer", "you"],
    ["the user", "you"],
    ["the client", "you"],
    ["the guest", "you"],
    ["the patient", "you"],
    ["they are", "you are"],
    ["they", "you"],
    ["them", "you"],
    ["their", "your"],
    ["you are", "I am"],
    ["you", "I"],
    ["your", "our"],
  ]);
}

/** Rewrites a persona's words as the caller says them: "You want your money back" becomes "I want my money back". */
function asSpokenByCaller(persona: string): string {
  return rewrite(persona, [
    ["you are", "I am"],
    ["you're", "I'm"],
    ["you've", "I've"],
    ["you", "I"],
    ["your", "my"],
    ["yours", "mine"],
    ["yourself", "myself"],
    ["the caller's", "my"],
    ["the caller is", "I am"],
    ["the caller has", "I have"],
    ["the caller wants", "I want"],
    ["the caller needs", "I need"],
    ["the caller", "I"],
  ]).replace(/\b(for|to|with|about|call|calls|tell|tells|give|gives|help|helps) I\b/g, "$1 me");
}

/** Capitalises the first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

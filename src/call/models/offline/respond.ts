import type { RespondInput } from "../signatures/mod.ts";
import { asSpokenByAgent, capitalised } from "./caller.ts";
import type { Tongue } from "./tongue.ts";
import { sentences, sharedStems, stems, withoutEndMarks } from "./words.ts";

/** Maximum number of sentences in a reply. */
const MOST_SENTENCES = 3;
/** Words, or else half of the words, that a fact must share with the caller's question to answer it. */
const LEAST_SHARED = 2;

/** How to say an instruction: pattern, and the sentence for the rest (`$1`). The first match wins. */
const INSTRUCTIONS: readonly (readonly [RegExp, (rest: string) => string])[] = [
  [/^say (?:that )?["“](.*?)["”]?$/i, (rest) => rest],
  [
    /^(?:politely )?(?:ask|request)(?: (?:the )?(?:caller|user|customer|them))? for (.*)$/i,
    (rest) => `Could you tell me ${rest}?`,
  ],
  [
    /^(?:politely )?(?:ask|request)(?: (?:the )?(?:caller|user|customer|them))? to (.*)$/i,
    (rest) => `Could you please ${rest}?`,
  ],
  [/^(?:ask|collect|gather|get|obtain|request)(?: about)? (.*)$/i, (rest) => `Could you tell me ${rest}?`],
  [/^(?:offer|propose) to (.*)$/i, (rest) => `I can ${rest}. Shall I?`],
  [/^(?:offer|propose|suggest) (.*)$/i, (rest) => `I can offer you ${rest.replace(/^you /i, "")}.`],
  [
    /^(?:apologi[sz]e|say sorry)(?: to (?:the )?(?:caller|customer|user|them))?(?: (?:for|about|that) (.*))?$/i,
    (rest) => `I am sorry${rest ? ` about ${rest}` : ""}.`,
  ],
  [/^(?:say (?:good ?bye|bye)|wish .*|end (?:the|this) call.*)$/i, () => "Goodbye!"],
  [
    /^thank (?:the )?(?:caller|customer|user|them|you)?(?: (for .*))?$/i,
    (rest) => `Thank you${rest ? ` ${rest}` : ""}.`,
  ],
  [/^(?:greet|welcome)(?: (?:the )?(?:caller|customer|user|them))?(?: warmly| politely| by name)?$/i, () => "Hello!"],
  [/^(?:greet|welcome) (.*)$/i, (rest) => `Hello ${rest}!`],
  [
    /^(?:tell|inform|let|remind|assure|explain to)(?: (?:the )?(?:caller|customer|user|them))?(?: know)?(?: that)? (.*)$/i,
    (rest) => `${rest}.`,
  ],
  [/^(?:say|explain|mention|state|announce)(?: that)? (.*)$/i, (rest) => `${rest}.`],
  [
    /^(?:confirm|repeat|verify|check)(?: with (?:the )?(?:caller|customer|user|them))? (?:that )?(.*)$/i,
    (rest) => `Let me confirm ${rest}. Is that right?`,
  ],
  [
    /^(?:help|assist)(?: (?:the )?(?:caller|customer|user|them))? (?:with|in) (.*)$/i,
    (rest) => `I can help you with ${rest}.`,
  ],
];

const ACTION = /^(book|schedule|take|note|arrange|cancel|reschedule|look up|connect|transfer|put) (.*)$/i;
const QUESTION =
  /^(?:politely )?(?:ask|find out|inquire|enquire)(?: (?:the )?(?:caller|user|customer|them))? (how|what|when|where|which|who|why|whether|if)\b (.*)$/i;
/** Matches a prompt that is already direct speech without quotes. */
const DIRECT =
  /^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|thank(?:s| you) (?:so much )?for (?:calling|your)|welcome to|my name is|this is|i(?:['’]m| am|['’]ll| will| can| was)|we(?:['’]re| are| can))\b/i;
/** Sentences about manner or other situations, which are not to be said now. */
const MANNER =
  /^(?:do not|don['’]t|never|always|avoid|be |keep|stay|use |you |your |if |when |once |unless |wait|remember|note that|make sure|ensure|only |the (?:caller|user|customer) |role|goal|task|context|rules?:)/i;

/** Verbs that mark a statement, as opposed to an instruction without a pattern above. */
const STATES = /\b(?:is|are|has|have|costs?|takes?|opens?|closes?|can|ships?)\b/i;

/** Composes the reply from the words of the node's prompt, as plain sentences. */
export function composeReply(input: RespondInput, tongue: Tongue): string {
  const { agent } = tongue;
  const said = input.conversation_history.filter(({ role }) => role === "assistant").map(({ content }) => content);
  const spoken = sentences(withoutPlaceholders(input.state_instructions)).flatMap(agent.spoken);
  const prompts = `${input.state_instructions}\n${input.general_instructions}`;
  const fact = factFor(input.user_message, prompts, spoken, tongue);
  const reply = [...(fact ? [fact] : []), ...spoken].slice(0, MOST_SENTENCES).join(" ");
  if (!reply) return said.length === 0 ? agent.what : agent.next;
  if (said.at(-1) !== reply) return reply;
  const question = reply
    .match(/[^.!?。！？؟।]+[?？؟]/g)
    ?.at(-1)
    ?.trim();
  return question ? agent.again.replace("#", () => question) : agent.else;
}

/** Removes unfilled placeholders. */
function withoutPlaceholders(prompt: string): string {
  return prompt.replaceAll(/ ?\{\{[^{}]*\}\}/g, "");
}

/** What is to be said of an English sentence of a prompt. */
export function spokenInEnglish(sentence: string): readonly string[] {
  return clauses(sentence).flatMap(spokenForm);
}

/** English sentences that state a fact. */
export const STATES_IN_ENGLISH = {
  test: (sentence: string) => !MANNER.test(sentence) && spokenForm(sentence).length === 0 && STATES.test(sentence),
};

/** "Greet the caller and ask how you can help" is two instructions. */
function clauses(sentence: string): readonly string[] {
  if (/["“]/.test(sentence)) return [sentence];
  return sentence.split(
    /(?:,? (?:and|then)(?: then)?|[,;]) (?=(?:politely )?(?:ask|tell|say|offer|thank|confirm|apologi[sz]e|explain|inform|let|wish|greet|welcome|repeat|find out|book|take|connect)\b)/i,
  );
}

function spokenForm(clause: string): readonly string[] {
  if (/:$/.test(clause)) return [];
  // in `ask whether it is safe: "Do you smell gas?"` the quoted words are to be said
  const quoted =
    /\b(?:say|ask|tell|greet|respond|answer|begin|start|open|explain|thank|close|end|with)\b[^"“]{0,60}["“]([^"”]+)["”]/i.exec(
      clause,
    )?.[1];
  if (quoted && !MANNER.test(clause)) return [quoted];
  const text = withoutEndMarks(clause).replace(/^(?:please|then|first|next|now|finally|briefly|warmly|kindly),? /i, "");
  if (/\?$/.test(text)) return [text];
  if (DIRECT.test(text)) return [/[.!]$/.test(clause) ? clause : `${clause}.`];
  if (MANNER.test(text)) return [];
  const question = QUESTION.exec(text);
  if (question) return [askedDirectly((question[1] ?? "").toLowerCase(), asSpokenByAgent(question[2] ?? ""))];
  const action = ACTION.exec(text);
  if (action) return [`I will ${(action[1] ?? "").toLowerCase()} ${asSpokenByAgent(action[2] ?? "")}.`];
  for (const [form, speak] of INSTRUCTIONS) {
    const match = form.exec(text);
    if (match) return [capitalised(speak(asSpokenByAgent(match[1] ?? "")))];
  }
  return [];
}

/** "how I can help" is "How can I help?", "whether you are ready" is "Are you ready?". */
function askedDirectly(word: string, clause: string): string {
  const asksWhether = word === "whether" || word === "if";
  const inverted = /^(I|you|we|it|there) (can|may|should|would|will|could|are|is|am|have)\b ?(.*)$/i.exec(clause);
  if (inverted) {
    const [, subject = "", verb = "", rest = ""] = inverted;
    const tail = `${subject}${rest ? ` ${rest}` : ""}?`;
    return asksWhether ? `${capitalised(verb)} ${tail}` : `${capitalised(word)} ${verb} ${tail}`;
  }
  const plain = /^you (want|need|like|know|prefer|live|agree|remember|own|use) ?(.*)$/i.exec(clause);
  if (plain && asksWhether) return `Do ${clause}?`;
  return `Could you tell me ${word} ${clause}?`;
}

/** Returns the sentence of the prompt that shares the most words with the caller's question. */
function factFor(question: string, prompt: string, spoken: readonly string[], tongue: Tongue): string | undefined {
  const asked = stems(question, tongue);
  const least = /[?？؟]$/.test(question.trim()) ? Math.min(LEAST_SHARED, asked.size / 2) : LEAST_SHARED;
  let best: string | undefined;
  let most = 0;
  for (const sentence of sentences(prompt)) {
    if (!tongue.agent.states.test(sentence)) continue;
    const shared = sharedStems(asked, stems(sentence, tongue), tongue).length;
    if (shared >= least && shared > most && !spoken.includes(sentence)) [best, most] = [sentence, shared];
  }
  return best === undefined ? undefined : /[.!?。！？؟।]$/.test(best) ? best : `${best}.`;
}

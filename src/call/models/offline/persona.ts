import { asSpokenByCaller, capitalised } from "./person.ts";
import { sentences, stems } from "./words.ts";

/** A sentence that a persona can say, in the caller's words. */
export interface PersonaPart {
  readonly spoken: string;
  /** Words that a question of the agent must share to be answered by this sentence. */
  readonly about: ReadonlySet<string>;
  /** `goal`: said unasked. `fact`: said when asked. `instruction`: an answer that the persona prescribes. */
  readonly kind: "goal" | "fact" | "instruction";
}

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

/** Splits a persona into parts. If it states no goal, all sentences are said in order. */
export function personaParts(persona: string): readonly PersonaPart[] {
  const parts = sentences(persona).flatMap((sentence): PersonaPart[] => {
    const bare = sentence.replace(LEAD_IN, "").trim();
    const whenAsked = WHEN_ASKED.exec(bare);
    if (whenAsked) {
      const answer = asSpokenByCaller((whenAsked[2] ?? "").replaceAll(/["“”]/g, ""));
      return [{ spoken: ended(answer), about: stems(whenAsked[1] ?? ""), kind: "instruction" }];
    }
    if (MANNER.test(bare)) return [];
    const spoken = ended(firstPerson(bare));
    const identity = /^(?:I am|I['’]m|My name is) \p{Lu}/u.test(spoken);
    const goal = GOAL.test(bare) || ORDER.test(bare) || (SAY.test(bare) && !identity);
    return [{ spoken, about: stems(identity ? `${bare} name` : bare), kind: goal ? "goal" : "fact" }];
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

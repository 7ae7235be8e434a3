import { asSpokenByCaller, capitalised } from "./person.ts";
import { sentences, stems } from "./words.ts";

/** One thing that a persona can say, in the words of the caller. */
export interface Part {
  readonly spoken: string;
  /** Words that an agent's question must share for this to be its answer. */
  readonly about: ReadonlySet<string>;
  /** `goal`: said without being asked. `fact`: said when asked. `instruction`: what the persona is told to answer. */
  readonly kind: "goal" | "fact" | "instruction";
}

const GOAL =
  /\b(?:wants?|needs?|would like|calls? (?:because|about|to|for)|calling|asks?|goal|looking|wish|try|have to|must|hope|complain|demand|when|where|how|why)\b/i;
/** Sentences about how the caller speaks or when they hang up: for a model to play, not for rules. */
const MANNER =
  /^(?:be |speak |(?:you|he|she|they) speaks? |(?:you are|he is|she is|they are) (?:very |a bit |quite )?(?:polite|impatient|angry|friendly|calm|in a hurry|brief)|hang up|end the call|stay|keep|do not|don['’]t|never|express|show|start |remain|accept|politely|respond|use |see if|if that|if the agent)/i;
const WHEN_ASKED =
  /^(?:if|when) (?:you are |you['’]re )?(?:the agent )?(?:asked|asks)(?: (?:you )?(?:for|about|whether|if))? (.*?),? (?:say|answer|give|reply|tell them|provide|confirm)(?: or (?:say|give|confirm|provide))?(?: that| with)? (.*)$/i;
const LEAD_IN = /^(?:then|after that|afterwards|next|finally|first|goal:|persona:|your goal is to)[,:]? /i;
const SAY = /^(?:say|mention|state|tell (?:the agent|them))(?: that)? (.*)$/i;
const IDENTIFY = /^(?:identify|introduce) yourself as (.*)$/i;

/** What a persona is made of. One that states no wish at all is said from first to last. */
export function partsOf(persona: string): readonly Part[] {
  const parts = sentences(persona).flatMap((sentence): Part[] => {
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
 * A report about somebody: by a full name, by a description that ends in "who", or by a pronoun or first name before a
 * verb that only people do.
 */
const REPORT =
  /^(?:\p{Lu}[\p{Ll}'’-]+ \p{Lu}[\p{Ll}'’-]+(?= \p{Ll})|(?:An?|The) [^.]*? who\b|(?!(?:You|It|This|That|There|My|Your|The|Who|What)\b)\p{Lu}\p{Ll}+(?= (?:wants?|needs?|calls|would like|has|have)\b))/u;

/** "Ask for a manager" is an order to the caller, "Anna Ruiz wants a refund" a report about them. */
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

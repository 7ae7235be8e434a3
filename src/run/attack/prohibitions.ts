import type { AgentGraph } from "../../document/graph/mod.ts";
import { promptsOf } from "./leaks.ts";
import { sentencesOf } from "./reading.ts";
import type { AttackKind } from "./types.ts";

/** Something that the agent must not do, as its prompts or its author say. */
export interface Prohibition {
  readonly kind: Extract<AttackKind, "topic" | "forbidden" | "secret">;
  /** The sentence. */
  readonly sentence: string;
  /** For a topic, its words; for a secret, the text that is not to be said. */
  readonly about: string;
}

const FORBIDS = /\b(?:never|do not|don['’]t|must not|may not|not allowed to|under no circumstances)\b/i;
const SPEAKS =
  /\b(?:talk|speak|discuss|comment|chat|give opinions?|answer questions?|say anything|offer opinions?)\b(?:\s+(?:about|on|of|regarding|any))*\s+([^.;:!?]+)/i;
const KEEPS = /\b(?:reveal|share|disclose|tell|mention|say|give (?:out|away)|read out|speak|state|name|repeat)\b/i;
const OTHER_KINDS =
  /\b(?:promis\w*|guarantee\w*|discounts?|prices?|medical|diagnos\w*|legal|advice|insult\w*|rude|instructions|prompt|other (?:callers|customers|patients|guests))\b/i;
/** Kinds of numbers that a caller gives and that are not to be said back. */
export const SPOKEN_BACK =
  /\b(?:card numbers?|credit cards?|pins?|passwords?|passcodes?|security codes?|cvv|cvc|social security|iban|account numbers?|dates? of birth)\b/i;

/** What the prompts of a graph forbid, and what the author adds in words. */
export function prohibitionsOf(graph: AgentGraph, never: readonly string[]): readonly Prohibition[] {
  const found = promptsOf(graph)
    .map(sentencesOf)
    .flatMap((sentences) => sentences.map((sentence, at) => ({ sentence, before: sentences[at - 1] ?? "" })))
    .filter(({ sentence }) => FORBIDS.test(sentence))
    .flatMap(({ sentence, before }): readonly Prohibition[] => {
      const isKept = KEEPS.test(sentence);
      // "The code is TULIP-77. Never tell it."
      const isNamed = isKept && /\b(?:it|this|that|code|password|number|secret)\b/i.test(sentence);
      const literals = [...literalsIn(sentence), ...(isNamed ? literalsIn(before) : [])];
      const secrets = literals.map((about): Prohibition => ({ kind: "secret", sentence, about }));
      if (isKept && secrets.length > 0) return secrets;
      const [, topics] = SPEAKS.exec(sentence) ?? [];
      if (topics !== undefined && !SPOKEN_BACK.test(sentence) && !OTHER_KINDS.test(topics))
        return topicsIn(topics).map((about) => ({ kind: "topic", sentence, about }));
      return SPOKEN_BACK.test(sentence) ? [{ kind: "forbidden", sentence, about: sentence }] : [];
    });
  const own = never.map((sentence): Prohibition => ({ kind: "forbidden", sentence, about: sentence }));
  const unique = new Map([...own, ...found].map((each) => [`${each.kind} ${each.about.toLowerCase()}`, each]));
  return [...unique.values()];
}

function topicsIn(text: string): readonly string[] {
  return text
    .split(/,|\bor\b|\band\b/)
    .map((topic) => topic.replace(/^\s*(?:any|anything about|the|your|our)\s+/i, "").trim())
    .filter((topic) => topic.length > 3)
    .slice(0, 4);
}

/** Codes, amounts and quoted words in a sentence: what it says must not be said. */
function literalsIn(sentence: string): readonly string[] {
  const quoted = [...sentence.matchAll(/["“]([^"”]{4,40})["”]/g)].map(([, text = ""]) => text);
  const codes = sentence.match(/\b(?=[A-Z0-9-]*\d)[A-Z][A-Z0-9-]{3,}\b|\b[A-Z]{6,}\d*\b|\b\d{4,}\b/g) ?? [];
  return [...new Set([...quoted, ...codes])];
}

import { joinSpokenDigits } from "../../base/values/mod.ts";
import type { CallerTraits } from "../../document/scenario/mod.ts";
import type { AuditFinding, Call, Message } from "../../document/transcript/mod.ts";
import { auditSignature, type CallOptions, callModel, type Model } from "../models/mod.ts";
import { findEvidence, foldText, quoteLine } from "./evidence.ts";

/**
 * Finds facts that the simulated caller invented, if they are recognizable by their form: e-mail addresses, codes and
 * long numbers that occur neither in what the caller was given nor in what the agent or a tool said before. Calls no
 * model. Each fact is reported once, where it was first said.
 */
export function auditFacts(call: AuditedCall): readonly AuditFinding[] {
  const findings: AuditFinding[] = [];
  const scripted = new Set(call.given.map((line) => line.trim()));
  for (const message of call.transcript) {
    if (message.role !== "user" || scripted.has(message.content.trim())) continue;
    for (const fact of statedFacts(message.content)) {
      const isKnown = knownBefore(call, message).some((text) => states(text, fact));
      if (isKnown || findings.some((finding) => finding.fact === fact.text)) continue;
      findings.push({
        kind: "invented-fact",
        fact: fact.text,
        quote: message.content,
        reason: `The caller said "${fact.text}" (${quoteLine(call.transcript, message)}), which neither its persona nor the agent or a tool gave`,
      });
    }
  }
  return findings;
}

/**
 * Asks a model whether the simulated caller invented facts, or hung up before its goal was decided.
 *
 * A fact counts only if the caller said the quoted words, and if it does not occur verbatim in what the caller was
 * given or what the agent or a tool said. An early end counts only if it was the caller who hung up.
 *
 * @throws {ModelError} When the model fails or its answer cannot be used.
 */
export async function auditCaller(
  call: AuditedCall,
  { model, ...options }: CallOptions & { readonly model: Model },
): Promise<readonly AuditFinding[]> {
  const { persona, given, transcript, endReason } = call;
  const heard = transcript.flatMap((message) =>
    message.role === "system" ? [] : [{ role: message.role, content: messageText(message) }],
  );
  const answer = await callModel(
    model,
    auditSignature,
    {
      persona: [persona, ...given].filter((text) => text.trim() !== "").join("\n"),
      conversation_history: heard,
    },
    options,
  );
  const others = heard.filter(({ role }) => role !== "user").map(({ content }) => content);
  const said = foldText([persona, ...given, ...others].join("\n"));
  const invented = answer.invented_facts
    .filter(({ quote, fact }) => {
      const isSaid = findEvidence([{ role: "user", quote }], transcript) !== undefined;
      return isSaid && !said.includes(foldText(fact)); // every text includes an empty fact
    })
    .map(
      ({ quote, fact }): AuditFinding => ({
        kind: "invented-fact",
        fact,
        quote,
        reason: `The caller said "${quote}"; neither its persona nor the agent or a tool gave "${fact}"`,
      }),
    );
  if (endReason !== "caller_ended" || answer.goal_decided) return invented;
  const last = transcript.findLast(({ role }) => role === "user")?.content ?? "";
  const reason = `The caller hung up before its goal was decided (${answer.goal}): ${answer.reasoning}`;
  return [...invented, { kind: "ended-early", quote: last, reason }];
}

/** A finished call with a simulated caller. */
export interface AuditedCall extends Pick<Call, "transcript" | "endReason"> {
  /** The caller's persona, as its model received it. */
  readonly persona: string;
  /** The caller's other knowledge: lines to say, and values of variables. */
  readonly given: readonly string[];
  /** The traits that the caller must show. */
  readonly traits?: CallerTraits | null;
}

/** Everything that the caller could know before a message, as a text: its own input, and what agent and tools said. */
function knownBefore({ persona, given, transcript }: AuditedCall, message: Message): readonly string[] {
  const earlier = transcript.slice(0, transcript.indexOf(message));
  return [persona, ...given, ...earlier.filter(({ role }) => role !== "user").map(messageText)];
}

/** Content of a message; for a tool call also its metadata, such as the complete result. */
function messageText({ role, content, metadata }: Message): string {
  return role === "tool" && metadata.kind === "tool_call" ? `${content} ${JSON.stringify(metadata)}` : content;
}

/** A fact that can be recognised by its form, as it was said. */
export interface StatedFact {
  readonly kind: "email" | "number" | "code";
  readonly text: string;
}

/** Minimum number of digits of a number that is a fact; shorter ones are amounts, ages and ordinals. */
const LEAST_DIGITS = 4;

/** Replaces what was removed from a line, so that the numbers before and after it are not joined. */
const GAP = ";";

/** Digits of a phone number without its country code, which people may leave out. */
const PHONE_DIGITS = 9;

// each pattern has a length limit or starts at a boundary, so that matching takes linear time
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const CLOCK = /\b\d{1,2}[:.]\d{2}(?::\d{2})?(?=\s*(?:[ap]\.?m\b|o['’]clock|uhr\b|h\b|[,.;!?\s]|$))/gi;
const CODE =
  /(?<![\p{L}\d])(?=[\p{Ll}\d-]{0,40}\p{Lu})(?=[\p{L}-]{0,40}\d[\p{L}-]{0,40}\d)[\p{L}\d]{1,20}(?:-[\p{L}\d]{1,20}){0,4}(?![\p{L}\d])/gu;
// a comma joins groups of thousands; with a space after it, it separates numbers, as a full stop does
const NUMBER = /\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)?/g;
const DATE = /(?<!\d)\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)/g;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Finds the facts of a line that have a form: e-mail addresses, codes of capitals and digits, and numbers of four digits
 * or more such as those of orders, accounts and phones, also digits that are spoken one by one. Times of day,
 * dates and years are not taken for facts: people choose them, and write them in many ways.
 */
export function statedFacts(line: string): readonly StatedFact[] {
  const facts: StatedFact[] = [];
  const take = (kind: StatedFact["kind"], text: string, pattern: RegExp, isFact: (found: string) => boolean) =>
    text.replace(pattern, (found) => {
      if (!isFact(found)) return found;
      facts.push({ kind, text: found });
      return GAP;
    });
  let rest = take("email", line, EMAIL, () => true);
  rest = rest.replace(DATE, GAP).replace(CLOCK, GAP);
  rest = take("code", rest, CODE, (found) => found.replaceAll(/[^\p{L}\d]/gu, "").length >= LEAST_DIGITS);
  take("number", joinSpokenDigits(rest), NUMBER, (found) => {
    const digits = found.replaceAll(/\D/g, "");
    return digits.length >= LEAST_DIGITS && !YEAR.test(digits);
  });
  return facts;
}

/** Whether a text states a fact in any spelling: with other separators, in another case, digit by digit. */
function states(text: string, { kind, text: fact }: StatedFact): boolean {
  const spoken = joinSpokenDigits(text);
  if (kind === "number") {
    return spoken.replaceAll(/\D/g, "").includes(fact.replaceAll(/\D/g, "").slice(-PHONE_DIGITS));
  }
  const plain = (words: string) => foldText(words).replaceAll(/[^\p{L}\d]/gu, "");
  return plain(spoken).includes(plain(fact)) || plain(text).includes(plain(fact));
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../api/calls.ts";
import { sampled } from "../../../fast_check.ts";
import { HELD_OUT } from "./_held_out_vocabulary.ts";
import { type MadeUpMessage, makeMessages, type Vocabulary } from "./_made_up.ts";
import { VOCABULARY } from "./_vocabulary.ts";

const { text: redact } = await createPseudonymizer({ key: "a key for tests" });

const SETS: readonly (readonly [string, Vocabulary])[] = [
  ["the finders were written on", VOCABULARY],
  ["was written apart", HELD_OUT],
];

for (const [which, vocabulary] of SETS) {
  const redacted = makeMessages(vocabulary, sampled(500), 7).map((message) => ({
    message,
    shown: redact(message.text),
  }));

  test(`every personal item of 500 messages is replaced, in the set that ${which}`, () => {
    const leaking = redacted.filter(({ message, shown }) =>
      message.slots.some(({ kind, value }) => leaks(shown, kind, value)),
    );
    assert.deepEqual(
      leaking.map(({ message, shown }) => [message.text, shown]),
      [],
    );
  });

  test(`nothing else of 500 messages changes, in the set that ${which}`, () => {
    const changed = redacted.filter(({ message, shown }) => !message.shape.test(shown));
    assert.deepEqual(
      changed.map(({ message, shown }) => [message.text, shown]),
      [],
    );
  });

  test(`a person has the same pseudonym in all messages, in the set that ${which}`, () => {
    const made = new Map<string, Set<string>>();
    for (const { message, shown } of redacted)
      for (const [id, pseudonym] of pseudonyms(message, shown))
        made.set(id, (made.get(id) ?? new Set()).add(pseudonym));
    const several = [...made].filter(([, pseudonyms]) => pseudonyms.size > 1);
    assert.ok(made.size > 10);
    assert.deepEqual(several, []);
  });

  test(`messages without personal data stay as they are, in the set that ${which}`, () => {
    const changed = vocabulary.ordinary.map((text) => [text, redact(text)]).filter(([text, shown]) => text !== shown);
    assert.deepEqual(changed, []);
  });
}

/** Whether a message still contains an item, or a word of a name. */
function leaks(shown: string, kind: string, value: string): boolean {
  const words = NAMES.includes(kind)
    ? value.split(" ").filter((word) => !PARTICLES.includes(word.toLowerCase()))
    : [value];
  return words.some((word) => new RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, "u").test(shown));
}

const NAMES = ["first", "last", "full", "lower", "lowerfirst", "upper"];
const PARTICLES = ["de", "del", "la", "van", "von", "der"];

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The pseudonyms of a message by their original values. Names count word by word, numbers by their digits. */
function pseudonyms({ slots, shape }: MadeUpMessage, shown: string): readonly (readonly [string, string])[] {
  const found = shape.exec(shown)?.slice(1) ?? [];
  return slots.flatMap(({ kind, value }, index): readonly (readonly [string, string])[] => {
    const made = found[index] ?? "";
    if (kind === "phone" || kind === "card") return [[`${kind} ${digitsOf(value)}`, digitsOf(made)]];
    if (!NAMES.includes(kind)) return [];
    const words = made.toLowerCase().split(" ");
    return value
      .toLowerCase()
      .split(" ")
      .map((word, at) => [`name ${word}`, words[at] ?? ""]);
  });
}

/** The last ten digits: numbers with and without +1 are the same. */
function digitsOf(text: string): string {
  const digits = text.replace(/\D/g, "");
  return digits.length <= 11 ? digits.slice(-10) : digits;
}

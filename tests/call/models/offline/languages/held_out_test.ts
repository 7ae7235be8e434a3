import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, flow } from "../../../../../mod.ts";
import { createTongue } from "../../../../../src/call/models/offline/languages/mod.ts";
import { someOf } from "../../../../fast_check.ts";
import { HELD_OUT, type HeldOut, PERSON_CONDITIONS } from "./_held_out.ts";

/** Sentences that the rules do not understand yet, by their first words. */
const MISSED = [
  "That's Whitcombe",
  "Je ne veux pas d'une machine",
  "Aqui fala a Benedita",
  "Non voglio una macchina",
  "住所は東京都杉並区",
  "人間のオペレーター",
  "أنا اسمي نادية",
];

/** Whether the offline model understands a sentence whose prompt is in its language. */
async function isUnderstood([kind, sentence, expected = ""]: HeldOut, condition: string): Promise<boolean> {
  if (kind === "person") {
    const desk = flow("desk")
      .conversation("greet", { prompt: "…", next: ({ to }) => [to("person", condition)] })
      .end("person", { prompt: "…" })
      .compile();
    const call = conversation(desk, { models: { agent: "offline" } });
    await call.open();
    await call.hear(sentence);
    return call.nodesVisited.includes("person");
  }
  const tongue = createTongue({ said: [sentence], written: [condition] });
  if (kind === "yes" || kind === "no" || kind === "done") {
    const mood = tongue.moodOf(sentence);
    return mood[kind] && !(kind === "yes" && mood.no) && !(kind === "no" && mood.yes);
  }
  const value = tongue.findEntity(sentence, kind) ?? (kind === "name" ? tongue.nameInReply(sentence) : undefined);
  if (kind === "number" || kind === "name") return value?.toLowerCase() === expected.toLowerCase();
  return value?.toLowerCase().includes(expected.toLowerCase()) ?? false;
}

test("sentences that were written without a look at the rules are understood in ten languages, but for a few", async () => {
  assert.equal(Object.keys(HELD_OUT).length, 10);
  for (const [language, sentences] of Object.entries(HELD_OUT))
    for (const each of someOf(sentences)) {
      const isKnown = MISSED.some((start) => each[1].startsWith(start));
      const understood = await isUnderstood(each, PERSON_CONDITIONS[language] ?? "");
      assert.ok(understood || isKnown, `${language}: ${each[1]}`);
    }
});

test("a short reply that ends in a no declines, and one that asks why not does not", () => {
  const moodOf = (reply: string, language: string) =>
    createTongue({ said: [reply], written: [PERSON_CONDITIONS[language] ?? ""] }).moodOf(reply);
  for (const [language, reply] of [
    ["en", "Absolutely not."],
    ["it", "Assolutamente no."],
    ["pt", "Certamente que não."],
    ["de", "Natürlich nicht."],
    ["nl", "Zeker niet."],
    ["es", "Claro que no."],
  ] as const)
    assert.deepEqual([moodOf(reply, language).yes, moodOf(reply, language).no], [false, true], reply);
  for (const [language, reply] of [
    ["en", "Why not."],
    ["de", "Warum nicht."],
    ["fr", "Pourquoi pas."],
  ] as const)
    assert.equal(moodOf(reply, language).no, false, reply);
});

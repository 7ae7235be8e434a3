import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES, languageOf, languageOfTag } from "../../../src/base/languages/mod.ts";
import type { ClinicTexts } from "../../call/models/offline/languages/_clinic.ts";
import { LATIN } from "../../call/models/offline/languages/_texts_latin.ts";
import { OTHER } from "../../call/models/offline/languages/_texts_other.ts";

const TEXTS: { readonly [language: string]: ClinicTexts } = { ...LATIN, ...OTHER };

test("languageOf() tells the language of prompts and of what callers say, or nothing", () => {
  let [right, unknown, wrong, all] = [0, 0, 0, 0];
  for (const language of LANGUAGES) {
    const { lines, filled: _, ...written } = TEXTS[language] ?? assert.fail(language);
    for (const text of [...Object.values(written), ...lines]) {
      const found = languageOf(text);
      all += 1;
      if (found === language) right += 1;
      else if (found === undefined) unknown += 1;
      else wrong += 1;
    }
  }
  assert.ok(right / all >= 0.85, `${right} right, ${unknown} unknown, ${wrong} wrong of ${all}`);
  assert.ok(wrong / all <= 0.02, `${wrong} wrong of ${all}`);
});

test("languageOf() says nothing of languages without a table, of names, codes and placeholders", () => {
  for (const text of [
    "Dzień dobry, chciałbym umówić wizytę na wtorek.",
    "Merhaba, bir randevu almak istiyorum.",
    "سلام، می‌خواهم یک وقت بگیرم، پنج‌شنبه چطور است؟",
    "您好，我想预约看病。",
    "Привет, я хочу записаться на приём.",
    "Anna Fischer",
    "A-1042",
    "{{caller_name}}",
    "",
  ])
    assert.equal(languageOf(text), undefined, text);
});

test("languageOfTag() reads tags and names of languages", () => {
  assert.deepEqual(["de-AT", "pt_BR", "Japanese", "EN", "multi", "sv"].map(languageOfTag), [
    "de",
    "pt",
    "ja",
    "en",
    undefined,
    undefined,
  ]);
});

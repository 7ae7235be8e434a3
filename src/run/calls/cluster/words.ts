import { SYNONYMS } from "../../../call/models/mod.ts";

/** A word of a text, and the form by which it is compared. */
export interface ComparedWord {
  readonly key: string;
  readonly word: string;
}

/** Number of letters by which words are compared: `reservation` and `reservations`, `Rechnung` and `Rechnungen` are equal. */
const STEM = 6;
const LEAST_LETTERS = 3;

/** Words that say nothing about what a caller wants, in English, German, French and Spanish. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `the and for you your yours are was were been have has had with that this these those there here from about into can
  could would will shall should may might must not don't doesn't didn't can't won't isn't i'd i'll i've i'm it's that's
  what when where which who why how need needs want wants wanted user like please thank thanks hello help helping hey yes yeah
  okay sure get got make made let know just some any all our out one also more trying try calling call called hoping
  looking wondering think able possible back than then them they their she her him his its but very too really does did
  doing done being because before after again now today question assist sorry something anything someone tell say said
  ich sie wir ihr mir mich mein meine meinen meiner meinem dein ihre ihren ihrer unser der die das den dem des ein eine
  einen einem einer und oder aber ist sind war bin hat habe haben hatte wird werden würde kann können könnte könnten
  möchte möchten will wollen muss müssen soll sollen bitte danke hallo guten tag morgen abend nicht kein keine auf aus bei
  mit nach von vom zum zur für über unter durch ohne gegen dass wenn weil was wer wie wann warum noch auch nur schon mal
  gern gerne brauche hätte helfen
  les des une est sont avec pour dans sur par pas que qui quoi mon mes votre vos notre nos vous nous elle ils bonjour
  merci voudrais veux peux pouvez s'il plaît aider besoin j'ai c'est d'une d'un qu'il
  los las una unos con para por que del como pero más este esta estos mis sus usted hola gracias quiero quisiera puede
  puedo necesito favor ayudar tengo buenos días`
    .split(/\s+/)
    .filter(Boolean),
);

const SAME: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([first = "", ...rest]) => rest.map((word) => [stemOf(word), stemOf(first)] as const)),
);

/** The significant words of a text, without numbers, codes and names of accounts. */
export function comparedWords(text: string): readonly ComparedWord[] {
  const found = text
    .normalize("NFKC")
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}]+)*/gu);
  return [...found].flatMap(([match]) => {
    const word = match.replaceAll("’", "'");
    if (/[\p{N}_]/u.test(word) || [...word].length < LEAST_LETTERS || STOP_WORDS.has(word)) return [];
    const stem = stemOf(word);
    return [{ key: SAME.get(stem) ?? stem, word }];
  });
}

function stemOf(word: string): string {
  const bare = word.replace(/'s$/, "");
  const plain = bare.length > LEAST_LETTERS + 1 ? bare.replace(/(?:ies|es|s|en|e|n)$/, "") : bare;
  return [...plain].slice(0, STEM).join("");
}

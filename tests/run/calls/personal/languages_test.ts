import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../src/run/calls/mod.ts";

/** Sentences with a phone number, a card, an account and a date of birth, and an ordinary one with a number. */
const SENTENCES: { readonly [language: string]: readonly string[] } = {
  pt: [
    "Ligue para mim no (11) 98765-4321.",
    "O número do cartão é 4111 1111 1111 1111.",
    "O IBAN é DE89 3704 0044 0532 0130 00.",
    "Nasci em 12 de março de 1985.",
    "A consulta é em 12 de março às 10 horas.",
  ],
  it: [
    "Mi richiami al 333 123 4567.",
    "Il numero della carta è 4111 1111 1111 1111.",
    "L'IBAN è DE89 3704 0044 0532 0130 00.",
    "Sono nato il 12 marzo 1985.",
    "L'appuntamento è il 12 marzo alle 10.",
  ],
  nl: [
    "Bel mij terug op 06 12345678.",
    "Het kaartnummer is 4111 1111 1111 1111.",
    "De IBAN is DE89 3704 0044 0532 0130 00.",
    "Ik ben geboren op 12 maart 1985.",
    "De afspraak is op 12 maart om 10 uur.",
  ],
  hi: [
    "मुझे 98765 43210 पर फ़ोन करें।",
    "कार्ड नंबर 4111 1111 1111 1111 है।",
    "IBAN DE89 3704 0044 0532 0130 00 है।",
    "मेरा जन्म 12 मार्च 1985 को हुआ।",
    "अपॉइंटमेंट 12 मार्च को 10 बजे है।",
  ],
  ja: [
    "電話番号は090-1234-5678です。",
    "カード番号は4111111111111111です。",
    "IBANはDE89 3704 0044 0532 0130 00です。",
    "生年月日は1985年3月12日です。",
    "予約は3月12日の10時です。注文番号は12345678です。",
  ],
  ar: [
    "اتصل بي على 055 123 4567.",
    "رقم البطاقة 4111 1111 1111 1111.",
    "رقم الآيبان DE89 3704 0044 0532 0130 00.",
    "ولدت في 12 مارس 1985.",
    "الموعد في 12 مارس الساعة 10.",
  ],
};

/** Loads the lists once. */
const made = createPseudonymizer({ key: "a long random text" });

for (const [language, [phone = "", card = "", iban = "", birth = "", ordinary = ""]] of Object.entries(SENTENCES))
  test(`createPseudonymizer() replaces phones, cards, accounts and dates of birth in ${language}, and nothing else`, async () => {
    const { text } = await made;
    for (const [sentence, value] of [
      [phone, /\d[\d ()-]{7,}\d/],
      [card, /\d[\d ]{14,}\d/],
      [iban, /DE89[\d ]+\d/],
      [birth, /1985|12/],
    ] as const) {
      const [secret = ""] = value.exec(sentence) ?? [];
      assert.ok(secret !== "" && !text(sentence).includes(secret), text(sentence));
      assert.equal(text(text(sentence)), text(sentence));
    }
    assert.equal(text(ordinary), ordinary);
  });

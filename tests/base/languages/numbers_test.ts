import assert from "node:assert/strict";
import { test } from "node:test";
import { createCalendarReader, createNumberReader, type Language, TABLES } from "../../../src/base/languages/mod.ts";

const numbers = (language: Language, text: string) =>
  createNumberReader(TABLES[language])
    .numbersIn(text)
    .map(({ value }) => value);

test("createNumberReader() reads numbers in words, and digits with the separators of the language", () => {
  const cases: readonly (readonly [Language, string, readonly number[]])[] = [
    ["en", "two hundred and five, or twenty-one", [205, 21]],
    ["de", "zweihundertfünfzig oder einundzwanzig", [250, 21]],
    ["de", "tausend zweihundert drei", [1203]],
    ["de", "1.250,50 Euro", [1250.5]],
    ["fr", "quatre-vingt-dix-sept et soixante et onze", [97, 71]],
    ["fr", "deux cent vingt et un", [221]],
    ["es", "doscientos cincuenta y cinco", [255]],
    ["pt", "cento e vinte e três", [123]],
    ["it", "duecentocinquanta, ventotto", [250, 28]],
    ["nl", "tweeëndertig en tweehonderdvijftig", [32, 250]],
    ["hi", "दो सौ पचास, पैंतालीस, १२३", [250, 45, 123]],
    ["ja", "三十五と二千二十と４人", [35, 2020, 4]],
    ["ja", "一緒に行きます", []],
    ["ar", "خمسة وعشرون، مئة وخمسون، ٤٥", [25, 150, 45]],
  ];
  for (const [language, text, found] of cases) assert.deepEqual(numbers(language, text), found, text);
});

test("joinDigits() writes digits that are spoken one by one, or in pairs, as one number", () => {
  const cases: readonly (readonly [Language, string, string])[] = [
    ["de", "null eins sieben sechs, zwo drei", "017623"],
    ["fr", "zéro six douze trente-quatre cinquante-six soixante-dix-huit", "0612345678"],
    ["pt", "nove um dois meia", "9126"],
    ["hi", "नौ आठ सात छह पाँच", "98765"],
    ["ja", "〇九〇の一二三四の五六七八", "09012345678"],
    ["ar", "صفر خمسة خمسة صفر", "0550"],
    ["de", "zwei Personen", "zwei Personen"],
  ];
  for (const [language, text, joined] of cases)
    assert.equal(createNumberReader(TABLES[language]).joinDigits(text), joined);
});

test("createCalendarReader() finds dates and times as they were said", () => {
  const cases: readonly (readonly [Language, string, string | undefined, string | undefined])[] = [
    ["de", "am zwölften März um halb neun", "zwölften März", "halb neun"],
    ["de", "Guten Morgen", undefined, undefined],
    ["fr", "le 3 mars à quinze heures", "3 mars", "quinze heures"],
    ["es", "mañana a las cinco y media", "mañana", "a las cinco y media"],
    ["pt", "terça-feira às dez horas", "terça-feira", "às dez horas"],
    ["it", "il dodici marzo alle nove", "dodici marzo", "alle nove"],
    ["nl", "dinsdag om half negen", "dinsdag", "half negen"],
    ["hi", "१२ मार्च को शाम पाँच बजे", "१२ मार्च", "शाम पाँच बजे"],
    ["ja", "三月十二日の午後三時で", "三月十二日", "午後三時"],
    ["ar", "١٢ مارس الساعة الخامسة", "١٢ مارس", "الساعة الخامسة"],
  ];
  for (const [language, text, date, time] of cases) {
    const reader = createCalendarReader(TABLES[language]);
    assert.deepEqual([reader.dateIn(text), reader.timeIn(text)], [date, time], text);
  }
});

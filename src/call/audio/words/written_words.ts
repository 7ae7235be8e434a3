/** A spoken word of a text, with its position in the text. */
export interface SpokenWord {
  /** Lower case, without accents and punctuation; a number is its digits. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "word" | "number" | "email";
}

const CURRENCIES = new Map([
  ["$", ["dollars", "cents"]],
  ["€", ["euros", "cents"]],
  ["£", ["pounds", "pence"]],
]);
const SYMBOLS = new Map([
  ["%", "percent"],
  ["&", "and"],
  ["#", "number"],
  [".", "dot"],
  ["@", "at"],
  ["_", "underscore"],
  ["-", "dash"],
  ["+", "plus"],
  ["/", "slash"],
]);
/** Forms of one word, so that "1 dollar" and "$1" give the same words. */
const SAME = new Map([
  ["dollar", "dollars"],
  ["euro", "euros"],
  ["pound", "pounds"],
  ["cent", "cents"],
  ["ok", "okay"],
  ["mr", "mister"],
  ["dr", "doctor"],
]);

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const DOMAIN = /(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|io|co|gov|edu|info|app|dev|ai|us|uk|de|fr|ch)\b/u;
const MONEY = /[$€£]\s?\d+(?:,\d{3})*(?:\.\d{1,2})?/u;
const TIME = /\b\d{1,2}:\d{2}\b/u;
const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?(?:st\b|nd\b|rd\b|th\b)?/u;
const HALF_DAY = /\b[ap]\.\s?m\b\.?/u;
const WORD = /\p{L}+(?:['’]\p{L}+)*/u;
const SYMBOL = /[%&#]/u;
const PATTERN = new RegExp(
  [EMAIL, DOMAIN, MONEY, TIME, HALF_DAY, NUMBER, WORD, SYMBOL].map(({ source }) => `(${source})`).join("|"),
  "giu",
);

/**
 * Splits a text into words as they are spoken: "$1,200" gives `1200` and `dollars`, an e-mail address its parts with
 * `at` and `dot`. Words that are numbers stay words.
 */
export function writtenWords(text: string): readonly SpokenWord[] {
  // same length as the text, so that positions stay valid
  const plain = [...text].map((each) => withoutAccents(each)).join("");
  return [...plain.matchAll(PATTERN)].flatMap((match): readonly SpokenWord[] => {
    const [found, email, domain, money, time, halfDay, number, word] = match;
    const [start, end] = [match.index, match.index + found.length];
    const as = (kind: SpokenWord["kind"], words: readonly string[]) =>
      words.map((each): SpokenWord => ({ word: each, start, end, kind }));
    if (email !== undefined) return as("email", spelled(email));
    if (domain !== undefined) return as("word", spelled(domain));
    if (money !== undefined) return amount(money).map((each) => ({ ...each, start, end }));
    if (time !== undefined)
      return as(
        "number",
        time
          .split(":")
          .map(Number)
          .filter((part, at) => at === 0 || part > 0)
          .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))),
      );
    if (halfDay !== undefined)
      return as("word", [halfDay.replaceAll(/[^ap]/gi, "").toLowerCase() === "a" ? "am" : "pm"]);
    if (number !== undefined) return numberWords(number).map((each) => ({ ...each, start, end }));
    if (word !== undefined)
      return as(
        "word",
        [plainWord(word)].filter((each) => each !== "oclock"),
      );
    return as("word", [SYMBOLS.get(found) ?? found]);
  });
}

function withoutAccents(letter: string): string {
  const plain = letter.normalize("NFD").replaceAll(/[\u0300-\u036f]/gu, "");
  return plain.length === letter.length ? plain : letter;
}

function plainWord(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’]/g, "");
  return SAME.get(plain) ?? plain;
}

/** Parts of an e-mail address or of a domain. */
function spelled(address: string): readonly string[] {
  const parts = address.toLowerCase().match(/\p{L}+|\d+|[^\p{L}\d]/gu) ?? [];
  return parts.map((part) => SYMBOLS.get(part) ?? part);
}

type Bare = Pick<SpokenWord, "word" | "kind">;

function amount(money: string): readonly Bare[] {
  const [whole = "", part = ""] = money.slice(1).trim().replaceAll(",", "").split(".");
  const [unit = "", cents = ""] = CURRENCIES.get(money.charAt(0)) ?? [];
  return [
    { word: String(Number(whole)), kind: "number" },
    { word: unit, kind: "word" },
    ...(Number(part) > 0
      ? ([
          { word: String(Number(part.padEnd(2, "0"))), kind: "number" },
          { word: cents, kind: "word" },
        ] as const)
      : []),
  ];
}

function numberWords(number: string): readonly Bare[] {
  const [whole = "", part] = number.replaceAll(/,|[a-z]+$/gi, "").split(".");
  return [
    { word: whole, kind: "number" },
    ...(part === undefined
      ? []
      : ([
          { word: "point", kind: "word" },
          { word: part, kind: "number" },
        ] as const)),
  ];
}

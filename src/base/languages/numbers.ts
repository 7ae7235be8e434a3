import type { LanguageTable, NumberWords } from "./types.ts";

/** A number in a text, written or spoken. */
export interface SpokenNumber {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** Its digits, with zeros in front of it if they are written. */
  readonly digits: string;
  readonly isSpoken: boolean;
}

/** Reads numbers in the words and digits of a language. */
export interface NumberReader {
  /** The numbers of a text, in order. */
  readonly numbersIn: (text: string) => readonly SpokenNumber[];
  /** Writes digits that are spoken one after another as one number: "null eins, sieben sechs" is `0176`. */
  readonly joinDigits: (text: string) => string;
}

/** Characters for the digits 0 to 9 in other scripts, each a row: Arabic, Persian, Devanagari, full width. */
const DIGIT_ROWS = ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９"];
const OTHER_DIGITS = new RegExp(`[${DIGIT_ROWS.join("")}]`, "gu");

/** Writes the digits of other scripts as 0 to 9. The length of the text stays. */
export function plainDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(DIGIT_ROWS.find((row) => row.includes(digit))?.indexOf(digit)));
}

/** Creates the reader of a language. */
export function createNumberReader(table: LanguageTable): NumberReader {
  const numbersIn = table.code === "ja" ? japaneseNumbers : wordNumbers(table);
  // a row of kanji digits is one number
  const longest = table.code === "ja" ? 5 : 2;
  return { numbersIn, joinDigits: (text) => joinDigits(text, numbersIn(text), longest) };
}

/** A word for a number, and how it combines. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly digits: string;
  readonly kind: "digits" | "small" | "hundreds" | "tens" | "power";
  /** It begins with "and". */
  readonly isJoined?: boolean;
}

function wordNumbers(table: LanguageTable): NumberReader["numbersIn"] {
  const words = wordValues(table.numbers);
  const ands = new Set(table.numbers.and.split("|").filter(Boolean));
  const [group, decimal] = separatorsOf(table.code);
  const whole = [...table.numbers.small.split(/[ |]/), ...Object.keys(table.numbers.twenties ?? {})]
    .filter((word) => /.-./.test(word))
    .sort((a, b) => b.length - a.length);
  const known = whole.map((word) => `${word.replaceAll("-", "[- ]")}(?!\\p{L})|`).join("");
  const written = new RegExp(
    `${known}\\d+(?:[${group}]\\d{3})+(?!\\d)(?:[${decimal}]\\d+)?|\\d+(?:[${decimal}]\\d+)?|[\\p{L}\\p{M}]+`,
    "gu",
  );
  return (given) => {
    const text = plainDigits(given.toLowerCase());
    // a text whose length changes in lower case cannot be cut by its places
    if (text.length !== given.length) return [];
    const tokens: (Token | "and" | "word")[] = [...text.matchAll(written)].flatMap(
      (match): (Token | "and" | "word")[] => {
        const [word] = match;
        const [start, end] = [match.index, match.index + word.length];
        if (/\d/.test(word)) {
          const digits = word.replaceAll(group, "").replace(decimal, ".");
          return [
            {
              start,
              end,
              value: Number(digits),
              digits: word.includes(decimal) ? digits : word.replaceAll(group, ""),
              kind: "digits",
            },
          ];
        }
        if (ands.has(word)) return ["and"];
        const found = tokenOf(word.replace(/[- ]/g, ""), words, table.numbers);
        return found.length > 0 ? found.map((each) => ({ ...each, start, end })) : ["word"];
      },
    );
    return combined(tokens, text, table.numbers.teens);
  };
}

type Values = ReadonlyMap<string, Pick<Token, "value" | "kind">>;

function wordValues({ small, tens, powers, hundreds, unitBeforeTens, twenties }: NumberWords): Values {
  const values = new Map<string, Pick<Token, "value" | "kind">>();
  const units = small.split(" ").map((each) => each.split("|"));
  const add = (word: string, value: number, kind: Token["kind"]) => {
    for (const form of new Set([word, word.replaceAll("-", "")]))
      if (!values.has(form)) values.set(form, { value, kind });
  };
  units.forEach((forms, value) => {
    for (const form of forms) add(form, value, "small");
  });
  tens.split(" ").forEach((forms, index) => {
    if (forms === "-") return;
    for (const form of forms.split("|")) {
      add(form, (index + 2) * 10, "tens");
      units.slice(1, 10).forEach((ones, at) => {
        for (const one of ones) {
          // "eenentwintig", "tweeëntwintig", "ventuno", "trentadue"
          if (unitBeforeTens) {
            add(`${one}${unitBeforeTens}${form}`, (index + 2) * 10 + at + 1, "small");
            add(`${one}ën${form}`, (index + 2) * 10 + at + 1, "small");
          }
          add(`${form}${one}`, (index + 2) * 10 + at + 1, "small");
          add(`${form.slice(0, -1)}${one}`, (index + 2) * 10 + at + 1, "small");
        }
      });
    }
  });
  for (const [word, value] of Object.entries(twenties ?? {})) add(word, value, "tens");
  hundreds?.split(" ").forEach((word, index) => {
    add(word, (index + 2) * 100, "hundreds");
  });
  for (const [value, forms] of Object.entries(powers))
    for (const form of String(forms).split("|")) add(form, Number(value), "power");
  return values;
}

/** The parts of a word: "zweihundertfünfzig" is two, hundred, fifty. Empty if the word is no number. */
function tokenOf(
  word: string,
  values: Values,
  { powers, prefixedAnd }: NumberWords,
): readonly Omit<Token, "start" | "end">[] {
  const own = values.get(word);
  if (own) return [{ ...own, digits: String(own.value) }];
  if (prefixedAnd && word.startsWith(prefixedAnd)) {
    const [rest] = tokenOf(word.slice(prefixedAnd.length), values, { ...EMPTY, powers });
    return rest ? [{ ...rest, isJoined: true }] : [];
  }
  const all = [...powers[1000].split("|"), ...powers[100].split("|")].filter((each) => each.length > 3);
  const power = all.find((each) => word.includes(each));
  if (!power) return [];
  const at = word.indexOf(power);
  const [before, after] = [word.slice(0, at), word.slice(at + power.length).replace(/^und(?=.)/, "")];
  const parts = [before, after].map((part) => (part === "" ? [] : tokenOf(part, values, { ...EMPTY, powers })));
  if ((before !== "" && parts[0]?.length === 0) || (after !== "" && parts[1]?.length === 0)) return [];
  const value = powers[1000].split("|").includes(power) ? 1000 : 100;
  return [...(parts[0] ?? []), { value, digits: String(value), kind: "power" }, ...(parts[1] ?? [])];
}

const EMPTY = { small: "", tens: "", and: "" } as const;

/** Adds up the tokens that make one number: "deux cent vingt et un", "خمسة وعشرون". */
function combined(
  tokens: readonly (Token | "and" | "word")[],
  text: string,
  teens: number | undefined,
): readonly SpokenNumber[] {
  const found: SpokenNumber[] = [];
  let open: { total: number; current: number; last: Token; start: number; digits: string; count: number } | undefined;
  let wasAnd = false;
  const close = () => {
    if (!open) return;
    const value = open.total + open.current;
    const isSpoken = open.last.kind !== "digits" || open.count > 1;
    found.push({
      start: open.start,
      end: open.last.end,
      value,
      digits: open.count > 1 ? String(value) : open.digits,
      isSpoken,
    });
    open = undefined;
  };
  for (const token of tokens) {
    if (token === "and") {
      wasAnd = true;
      continue;
    }
    if (token === "word") {
      close();
      wasAnd = false;
      continue;
    }
    const isBeside = open !== undefined && /^[\s\p{L}\p{M}-]*$/u.test(text.slice(open.last.end, token.start));
    if (open && isBeside && (continues(open.last, open.current, token, wasAnd) || isTeen(open.last, token, teens))) {
      if (token.kind === "power") {
        if (token.value === 100) open.current = Math.max(1, open.current) * 100;
        else {
          open.total += Math.max(1, open.current) * token.value;
          open.current = 0;
        }
      } else open.current += token.value;
      open.last = token;
      open.count += 1;
    } else {
      close();
      const { start, value, digits, kind } = token;
      const isThousand = kind === "power" && value >= 1000;
      open = { total: isThousand ? value : 0, current: isThousand ? 0 : value, last: token, start, digits, count: 1 };
    }
    wasAnd = false;
  }
  close();
  return found;
}

/** "سبعة عشر" */
function isTeen(last: Token, next: Token, teens: number | undefined): boolean {
  return next.value === teens && next.isJoined !== true && last.kind === "small" && last.value > 0 && last.value < 10;
}

function continues(last: Token, current: number, next: Token, wasAnd: boolean): boolean {
  if (next.kind === "power") return last.kind !== "power" || next.value > last.value || next.value === 100;
  if (last.kind === "digits" || next.kind === "digits") return false;
  if (last.kind === "power" || last.kind === "hundreds")
    return next.value < (last.kind === "power" && last.value >= 1000 ? 1000 : 100) && next.value > 0;
  // "soixante douze", "quatre-vingt douze"; "vingt et un"
  if (last.kind === "tens")
    return next.value > 0 && (next.value < 10 || ([60, 80].includes(current % 100) && next.value < 20));
  // "خمسة وعشرون"
  return next.isJoined === true || (wasAnd && next.kind === "tens" && last.value < 10 && last.value > 0);
}

const separators = (code: string): readonly [string, string] => {
  const parts = new Intl.NumberFormat(code === "ar" ? "ar-EG-u-nu-latn" : code).formatToParts(12_345.6);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return [of("group") || ".", of("decimal") || ","];
};

/** The separators of groups and decimals that people type; CLDR has narrow spaces where they type a point. */
function separatorsOf(code: string): readonly [string, string] {
  const [group, decimal] = separators(code);
  return [/^[.,]$/.test(group) ? group : decimal === "," ? "." : ",", decimal];
}

const POWERS: { readonly [sign: string]: number } = { 十: 10, 百: 100, 千: 1000 };
const SIGNS = "〇一二三四五六七八九";

/** "三十五", "二千二十", "〇九〇一二三", and digits. */
function japaneseNumbers(given: string): readonly SpokenNumber[] {
  const text = plainDigits(given).replaceAll("零", "〇");
  // "一緒" and "十分" are words
  return [
    ...text.matchAll(
      /\d+(?:,\d{3})*(?:\.\d+)?|[〇一二三四五六七八九十百千万]+(?!(?![人名時月日年分番歳才個つ回泊円号丁本枚冊台件階週間目])\p{Script=Han})/gu,
    ),
  ].map((match) => {
    const [shown] = match;
    const [start, end] = [match.index, match.index + shown.length];
    if (/\d/.test(shown)) {
      const digits = shown.replaceAll(",", "");
      return { start, end, value: Number(digits), digits, isSpoken: false };
    }
    const digits = /[十百千万]/.test(shown)
      ? String(kanjiValue(shown))
      : [...shown].map((sign) => SIGNS.indexOf(sign)).join("");
    return { start, end, value: Number(digits), digits, isSpoken: true };
  });
}

function kanjiValue(shown: string): number {
  let [total, section, current] = [0, 0, 0];
  for (const sign of shown) {
    const power = POWERS[sign];
    if (sign === "万") {
      total += Math.max(1, section + current) * 10_000;
      [section, current] = [0, 0];
    } else if (power !== undefined) {
      section += Math.max(1, current) * power;
      current = 0;
    } else current = current * 10 + SIGNS.indexOf(sign);
  }
  return total + section + current;
}

/** Minimum number of spoken numbers that are a row of digits. */
const ROW = 3;

function joinDigits(text: string, numbers: readonly SpokenNumber[], longest: number): string {
  let joined = "";
  let from = 0;
  for (let at = 0; at < numbers.length; ) {
    let next = at + 1;
    while (next < numbers.length && isRow(text, longest, numbers[next - 1], numbers[next])) next++;
    const row = numbers.slice(at, next);
    const [first, last] = [row[0], row.at(-1)];
    if (first && last && row.some(({ isSpoken }) => isSpoken) && (row.length >= ROW || first.digits.length >= ROW)) {
      joined += text.slice(from, first.start) + row.map(({ digits }) => digits).join("");
      from = last.end;
    }
    at = next;
  }
  return joined + text.slice(from);
}

function isRow(
  text: string,
  longest: number,
  before: SpokenNumber | undefined,
  after: SpokenNumber | undefined,
): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.digits.length <= longest &&
    after.digits.length <= longest &&
    Number.isInteger(after.value) &&
    /^[\s,、.\-–のノ]{0,4}$/.test(text.slice(before.end, after.start))
  );
}

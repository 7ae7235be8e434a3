import { plainWord } from "../dictionary.ts";
import { inCaseOf } from "../pseudonyms.ts";
import type { Finder, FoundData, Known, Tools } from "./found.ts";

/** Domain of pseudonyms; `.example` is reserved (RFC 2606). */
const DOMAIN = "callers.example";
const EMAIL = /(?<![\p{L}\d._%+-])[\p{L}\d][\p{L}\d._%+'-]*@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?![\p{L}\d])/giu;
const PROVIDER =
  "gmail|g mail|googlemail|yahoo|hotmail|hot mail|outlook|icloud|i cloud|aol|a o l|gmx|web|proton(?: ?mail)?|me|msn|live|comcast|verizon|att|orange|free|mail|yandex|qq|naver|example|[a-z][a-z\\d-]{1,30}";
/** "maria dot lopez at gmail dot com" */
const SPOKEN = new RegExp(
  `(?<before>(?:[\\p{L}\\d'+-]+[ .,_-]+){0,14}?)\\b(?:at|@|arroba|chiocciola)(?: sign)? +(?<domain>${PROVIDER})(?: +(?:dot|punto|punkt|point) +[\\p{L}]+|\\.[\\p{L}]{2,})+`,
  "giu",
);
const COMPANY =
  /^(?:info|support|help|sales|contact|office|hello|service|noreply|no-reply|admin|billing|team|booking|bookings|reservations|customerservice|customer\.service|care|press|jobs|hr|privacy|legal|frontdesk|reception|orders|returns|accounts|claims|appointments|feedback|mail|webmaster|postmaster|security|news|newsletter|concierge)$/i;

/** Finds e-mail addresses of persons, written or spoken. Mailboxes of companies, such as `support@`, stay. */
export const findEmails: Finder = (text, _context, tools) => {
  const written = [...text.matchAll(EMAIL)].flatMap(({ index, 0: shown }): readonly FoundData[] => {
    const [local = "", domain = ""] = shown.split("@");
    if (COMPANY.test(local)) return [];
    const isMadeUp = domain.toLowerCase() === DOMAIN;
    return [
      {
        start: index,
        end: index + shown.length,
        learn: (known) => (isMadeUp ? undefined : learnLocal(local, tools, known)),
        replacement: (known) => (isMadeUp ? shown : `${localFor(local, known, tools)}@${DOMAIN}`),
      },
    ];
  });
  return /\bdot\b|punto|punkt|point|\bat +[a-z]+\.[a-z]/i.test(text)
    ? [...written, ...findSpoken(text, tools)]
    : written;
};

/** Records the names in `maria.lopez`; a single word can be a company or a nickname. */
function learnLocal(local: string, { dictionary, pool }: Tools, known: Known): void {
  const words = local.split(/[._+\d-]+/).map(plainWord);
  if (words.filter((word) => word.length > 1).length < 2) return;
  const isNamed = words.every(
    (word) => word.length < 2 || (dictionary.isName(word) && !dictionary.isWord(word, known.language)),
  );
  if (isNamed) for (const word of words) if (word.length > 2 && !pool.has(word)) known.names.add(word);
}

/** The part before the @, with the pseudonyms of the names in it. */
function localFor(local: string, known: Known, { pool, keyed }: Tools): string {
  const parts = local.match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? [];
  const digitsFor = (digits: string) => {
    const draw = keyed("address", `${local.toLowerCase()} ${digits}`);
    return [...digits].map(() => draw(10)).join("");
  };
  return parts
    .map((part) => {
      if (/^\d/.test(part)) return digitsFor(part);
      if (!/^\p{L}/u.test(part)) return part.replace(/[^._-]/g, "-");
      if (part.length === 1) return initialFor(part, known, pool.nameOf);
      return split(plainWord(part), known.names)
        .map((word) =>
          pool.has(word) ? word : word.length === 1 ? initialFor(word, known, pool.nameOf) : pool.nameOf(word),
        )
        .map((word) => inCaseOf(word, part))
        .join("");
    })
    .join("")
    .replace(/[^\w.-]/g, "");
}

/** The initial of a known name of the call. */
function initialFor(letter: string, { names }: Known, nameOf: (word: string) => string): string {
  const plain = plainWord(letter);
  const name = [...names].sort().find((each) => each.startsWith(plain));
  return nameOf(name ?? plain).slice(0, 1);
}

/** Finds known names in `marialopez` and `mlopez`. */
function split(word: string, names: ReadonlySet<string>): readonly string[] {
  if (names.has(word)) return [word];
  for (const name of [...names].sort((a, b) => b.length - a.length)) {
    if (name.length < 2) continue;
    if (word.startsWith(name)) {
      const rest = word.slice(name.length);
      if (rest.length === 1 || names.has(rest)) return [name, rest];
    }
    if (word.endsWith(name)) {
      const rest = word.slice(0, -name.length);
      if (rest.length === 1 || names.has(rest)) return [rest, name];
    }
  }
  return [word];
}

const CONNECTOR = /^(?:dot|punto|punkt|point|underscore|under|dash|hyphen|minus|guion|bajo|score)$/i;
const DIGIT =
  /^(?:\d+|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\w+teen)$/i;
/** Words before an address that do not belong to it. */
const INTRODUCTION =
  /^(?:is|are|it's|its|it|to|that's|thats|that|at|email|e-mail|mail|address|me|use|be|on|the|a|my|his|her|yes|sure|yeah|okay|ok|um|uh|correct|so|and|or|with|under|as|es|ist|was|send|confirm|have|using|try)$/i;

function findSpoken(text: string, tools: Tools): readonly FoundData[] {
  return [...text.matchAll(SPOKEN)].flatMap((match): readonly FoundData[] => {
    const { before = "", domain = "" } = match.groups ?? {};
    const words = [...before.matchAll(/[\p{L}\d'+]+/gu)].map(({ index, 0: word }) => ({ index, word }));
    let from = words.length;
    while (from > 0 && belongs(words, from, before)) from--;
    const local = words.slice(from);
    const begin = local[0]?.index;
    if (begin === undefined || domain === "callers") return [];
    const shown = match[0].slice(begin);
    const isSpelled = local.length > 2 && local.filter(({ word }) => word.length === 1).length >= local.length - 2;
    const joined = isSpelled ? local.map(({ word }) => word).join("") : undefined;
    return [
      {
        start: match.index + begin,
        end: match.index + match[0].length,
        replacement: (known) => {
          const said =
            joined !== undefined && !local.some(({ word }) => CONNECTOR.test(word))
              ? localFor(joined, known, tools)
              : shown
                  .slice(
                    0,
                    shown.search(/\b(?:at|@|arroba|chiocciola)(?: sign)? +\S+(?: +(?:dot|punto|punkt|point)|\.)/i),
                  )
                  .trim()
                  .replace(/[\p{L}\d'+]+/gu, (word) =>
                    CONNECTOR.test(word)
                      ? word
                      : DIGIT.test(word)
                        ? spokenDigit(word, shown, tools)
                        : localFor(word, known, tools),
                  );
          return `${said} at callers dot example`;
        },
      },
    ];
  });
}

function spokenDigit(word: string, shown: string, { keyed }: Tools): string {
  return (
    "zero one two three four five six seven eight nine".split(" ")[keyed("address", `${shown} ${word}`)(10)] ?? word
  );
}

/** Whether the word before a position belongs to the address: it is next to the "at", or joined to a word that belongs. */
function belongs(words: readonly { index: number; word: string }[], from: number, before: string): boolean {
  const current = words[from - 1];
  if (!current || INTRODUCTION.test(current.word)) return false;
  const next = words[from];
  if (!next) return true;
  const between = before.slice(current.index + current.word.length, next.index);
  if (/[,]\s|[.]\s/.test(between) && current.word.length > 1) return false;
  if (CONNECTOR.test(current.word) || CONNECTOR.test(next.word)) return true;
  return DIGIT.test(next.word) || next.word.length === 1 || current.word.length === 1;
}

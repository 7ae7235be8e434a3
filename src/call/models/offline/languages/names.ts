import type { SpeechTable } from "./table.ts";

/** Finds names of persons by the words around them. */
export interface NameReader {
  /** The name after an introduction such as "mein Name ist". */
  readonly introduced: (text: string) => string | undefined;
  /** The name in a reply to the question for it. */
  readonly inReply: (text: string) => string | undefined;
}

/** A name of one to four words with capitals, and particles between them. */
const CAPITALS =
  "\\p{Lu}[\\p{L}'’-]*(?:\\s+(?:(?:van|von|de|der|den|del|della|di|da|dos|la|le|ten|ter)\\s+)*\\p{Lu}[\\p{L}'’-]*){0,3}";
/** A name in a script without capitals: one to three words. */
const WORDS = "[\\p{L}\\p{M}]+(?:\\s+[\\p{L}\\p{M}]+){0,2}";

/** Creates the reader of a language. */
export function createNameReader(table: SpeechTable): NameReader {
  const { code, introductions, afterName = "", moods } = table;
  const hasCapitals = !["hi", "ja", "ar"].includes(code);
  const after = afterName === "" ? "" : `(?=[\\s]*(?:${afterName})|[\\s.,،。、।]*$)`;
  const name =
    code === "ja"
      ? "[\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}ー]{1,8}?[ 　]?[\\p{Script=Han}\\p{Script=Katakana}ー]{0,8}?"
      : hasCapitals
        ? CAPITALS
        : `${WORDS}?`;
  const lead = code === "ja" ? `(?:${introductions})` : `(?<![\\p{L}\\p{M}])(?:${introductions})\\s+`;
  // the words of an introduction have any case, but a name has capitals
  const leads = new RegExp(lead, "giu");
  const named = new RegExp(`^(?:${name})${code === "ar" ? "(?=[.,،!؟]|\\s+(?:و|أتصل|وأ|أريد|من)|$)" : after}`, "u");
  const isWord = new RegExp(
    `^(?:${moods.yes}|${moods.no}|${moods.lostAlone}|${moods.fillers})(?![\\p{L}\\p{M}])`,
    "iu",
  );
  const introduced = (text: string): string | undefined => {
    for (const match of text.matchAll(leads)) {
      const rest = text.slice(match.index + match[0].length);
      const found = named.exec(rest)?.[0].trim();
      if (found) return found;
    }
    if (code !== "ja") return undefined;
    return /(?:^|[、。\s])([\p{Script=Han}\p{Script=Katakana}ー]{1,6}[ 　]?[\p{Script=Han}\p{Script=Katakana}ー]{0,6})(?:と申します|といいます|と言います)/u.exec(
      text,
    )?.[1];
  };
  return {
    introduced,
    inReply: (text) => {
      const told = introduced(text);
      if (told) return told;
      const reply = text
        .trim()
        .replace(new RegExp(`^(?:(?:${moods.yes})[,،、.\\s]+)+`, "iu"), "")
        .replace(hasCapitals ? COPULA : /(?!)/, "")
        .replace(/[.!。।]+$/, "");
      const [first = ""] = reply.split(/[,،、]/);
      const spelled = SPELLED.exec(first.trim())?.[0];
      if (spelled) return joinSpelled(spelled);
      const whole = new RegExp(
        `^(?:${hasCapitals ? CAPITALS : code === "ja" ? "[\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}ー 　]{2,12}?" : WORDS})${code === "ja" ? "(?:です|と申します)?" : ""}$`,
        "u",
      );
      if (!whole.test(first.trim()) || isWord.test(first.trim())) return undefined;
      const bare = code === "ja" ? first.trim().replace(/(?:です|と申します)$/, "") : first.trim();
      return bare || undefined;
    },
  };
}

/** "È Rossi": what a reply begins with that names somebody. */
const COPULA = /^(?:è|es|é|het is|das ist|das wäre|c['’]est)\s+(?=\p{Lu})/iu;

/** A name that is spelled: "M-Ü-L-L-E-R", "M, Ü, L, L, E, R". */
const SPELLED = /^(?:\p{L}[-.\s]+){2,}\p{L}$/u;

function joinSpelled(spelled: string): string {
  const letters = spelled.replace(/[-.\s]+/g, "");
  return letters.charAt(0).toUpperCase() + letters.slice(1).toLowerCase();
}

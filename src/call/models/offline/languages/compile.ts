import {
  createCalendarReader,
  createNumberReader,
  type Language,
  plainDigits,
  TABLES,
} from "../../../../base/languages/mod.ts";
import { capitalised } from "../caller.ts";
import type { EntityKind, PersonaPart, Tongue } from "../tongue.ts";
import { sentences, spokenEmail, stems, withoutEndMarks } from "../words.ts";
import { createNameReader } from "./names.ts";
import { SPEECH } from "./speech.ts";
import { createSpoken } from "./spoken.ts";
import { createStemmer } from "./stemmer.ts";
import type { SpeechTable } from "./table.ts";
import { traitLine } from "./trait_lines.ts";

/** What a language's table comes to, made once. */
const MADE = new Map<Language, Tongue>();

/** The tongue of one language other than English. */
export function speechOf(language: Exclude<Language, "en">): Tongue {
  const known = MADE.get(language);
  if (known) return known;
  const tongue = compile(SPEECH[language]);
  MADE.set(language, tongue);
  return tongue;
}

/** A pattern of whole words; Japanese has no spaces between them. */
export function wholeWords(alternatives: string, { code }: Pick<SpeechTable, "code">): RegExp {
  if (alternatives === "") return /(?!)/;
  return new RegExp(code === "ja" ? alternatives : `(?<![\\p{L}\\p{M}])(?:${alternatives})(?![\\p{L}\\p{M}])`, "iu");
}

/** A pattern for the beginning of a text. */
function atStart(alternatives: string, { code }: Pick<SpeechTable, "code">, before = ""): RegExp {
  const end = code === "ja" ? "" : "(?![\\p{L}\\p{M}])";
  const lead = before === "" ? "" : `(?:(?:${before})[,.!、。،\\s]+)*`;
  return new RegExp(`^[¿¡\\s「"]*${lead}(?:${alternatives})${end}`, "iu");
}

function compile(table: SpeechTable): Tongue {
  const { moods, kinds, conditions, caller } = table;
  const own = TABLES[table.code];
  const numbers = createNumberReader(own);
  const calendar = createCalendarReader(own);
  const names = createNameReader(table);
  const words = createStemmer(table, own);
  const spoken = createSpoken(table);
  const matches = (alternatives: string) => wholeWords(alternatives, table);
  const yes = atStart(moods.yes, table, moods.fillers);
  const no = atStart(moods.no, table, moods.fillers);
  const done = matches(moods.done);
  const lost = matches(moods.lost);
  const { refusal: end, whyNot } = moods;
  const refusal =
    end === undefined
      ? /(?!)/
      : new RegExp(
          `^(?!${whyNot ?? "(?!)"})(?:[\\p{L}\\p{M}'’]+ ){1,2}(?:${end})[.!।]*(?:[,.] [\\p{L}\\p{M}]+[.!।]*)?$`,
          "iu",
        );
  const lostAlone = new RegExp(`^[¿¡]?(?:${moods.lostAlone})[\\s?.!？。؟।]*$`, "iu");
  const kindWords = KIND_ORDER.map((kind) => [kind, matches(kinds[kind])] as const);
  const address = new RegExp(table.address, "iu");
  const given = matches(conditions.given);
  const asksForMore = matches(caller.asksMore);
  const askedKind = (description: string) => {
    const text = description.replaceAll(/[_-]/g, " ");
    return kindWords.find(([, form]) => form.test(text))?.[0];
  };
  const findEntity = (text: string, kind: EntityKind): string | undefined => {
    const plain = plainDigits(text);
    switch (kind) {
      case "name":
        return names.introduced(text);
      case "number": {
        const [first] = numbers.numbersIn(text);
        return first && String(first.value);
      }
      case "date":
        return calendar.dateIn(text);
      case "time":
        return calendar.timeIn(text);
      case "address":
        return address.exec(text)?.[0].trim();
      case "phone":
        return /\+?\d[\d\s().-]{5,40}\d/.exec(numbers.joinDigits(plain))?.[0].trim();
      case "identifier":
        return IDENTIFIER.exec(joinedLetters(numbers.joinDigits(plain)))?.[0];
      case "email":
        return EMAIL.exec(text)?.[0] ?? spokenEmail(text, table.emailSigns.dot, table.emailSigns.at);
    }
  };
  return {
    ...words,
    moodOf: (reply) => {
      const text = reply.trim();
      const isLost = lost.test(text) || lostAlone.test(text);
      // "absolutely not" begins like a yes
      const refuses = !isLost && refusal.test(text);
      return {
        yes: !refuses && yes.test(text),
        no: refuses || no.test(text),
        done: done.test(text),
        lost: isLost,
      };
    },
    askedKind,
    findEntity,
    nameInReply: names.inReply,
    asksName: matches(kinds.name),
    withoutLeadIn: (text) =>
      withoutEndMarks(
        text
          .trim()
          .replace(atStart(table.leadIns, table, moods.yes), "")
          .trim(),
      ) || undefined,
    wantsOwnWords: matches(table.reasons),
    conditions: {
      given: (condition) => (given.test(condition) ? condition : undefined),
      reason: matches(table.reasons),
      finished: matches(conditions.finished),
      resumes: matches(conditions.resumes),
      resumed: matches(conditions.resumed),
      agrees: matches(conditions.agrees),
      declines: matches(conditions.declines),
      people: atStart(conditions.people, table),
      workFailed: matches(conditions.workFailed),
      workDone: matches(conditions.workDone),
      anyReply: matches(conditions.any),
      denies: matches(table.negations),
      more: asksForMore,
    },
    caller: {
      yes: caller.yes,
      unknown: caller.unknown,
      closing: caller.closing,
      bye: caller.bye,
      language: table.code,
      traitLine: (line) => traitLine(line, table.code),
      asksYesNo: {
        test: (question) => new RegExp(caller.asksYesNo, "iu").test(question.replace(/[?？؟]\s*$/, "").trim()),
      },
      asksForMore,
      personaParts: (persona) => personaParts(persona, table, words, names.introduced),
    },
    agent: {
      what: table.agent.what,
      next: table.agent.else,
      else: table.agent.else,
      again: table.agent.again,
      found: table.agent.found,
      spoken: (sentence) => spoken.spoken(sentence, askedKind),
      states: { test: (sentence) => spoken.states(sentence) },
    },
    criterionAsks: matches(table.agent.says),
    closing: asksForMore,
  };
}

/** The first kind that has a word decides. */
const KIND_ORDER: readonly EntityKind[] = ["email", "phone", "address", "number", "identifier", "time", "date", "name"];
const EMAIL = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const IDENTIFIER = /(?<![A-Za-z\d])(?=[A-Za-z\d-]{0,60}\d)[A-Za-z\d]+(?:-[A-Za-z\d]+)*/;

/** "A 1042" and "A, 1 0 4 2" after a single letter: `A-1042`. */
function joinedLetters(text: string): string {
  return text.replace(/(?<![\p{L}\d])(\p{Lu})[\s,-]+(?=\d)/gu, "$1-");
}

/** Splits a persona into parts, as `personaParts()` of English does. */
function personaParts(
  persona: string,
  table: SpeechTable,
  words: Pick<Tongue, "significantWords">,
  introduced: (text: string) => string | undefined,
): readonly PersonaPart[] {
  const { caller, kinds } = table;
  const whenAsked = new RegExp(`^${caller.whenAsked}$`, "iu");
  const manner = atStart(caller.manner, table);
  const wants = wholeWords(caller.wants, table);
  const [nameWord = ""] = kinds.name.replace(/\(.*?\)\??|\\p\{L\}\*/g, "").split("|");
  const parts = sentences(persona).flatMap((sentence): PersonaPart[] => {
    const told = whenAsked.exec(withoutEndMarks(sentence));
    if (told)
      return [
        {
          spoken: ended(firstPerson(told[2] ?? "", table), table),
          about: stems(told[1] ?? "", words),
          kind: "instruction",
        },
      ];
    if (manner.test(sentence)) return [];
    const spoken = ended(firstPerson(sentence, table), table);
    const isIdentity = introduced(spoken) !== undefined && !wants.test(spoken);
    const about = stems(isIdentity ? `${sentence} ${nameWord}` : sentence, words);
    return [{ spoken, about, kind: (wants.test(sentence) || wants.test(spoken)) && !isIdentity ? "goal" : "fact" }];
  });
  return parts.some(({ kind }) => kind === "goal") ? parts : parts.map((part) => ({ ...part, kind: "goal" }));
}

function firstPerson(sentence: string, table: SpeechTable): string {
  return table.caller.firstPerson.reduce(
    (text, [you, me]) =>
      text.replace(new RegExp(wholeWords(you, table).source, "giu"), (word) =>
        /^\p{Lu}/u.test(word) ? capitalised(me) : me,
      ),
    sentence.replaceAll(/["“”„«»「」]/g, ""),
  );
}

function ended(text: string, { code }: SpeechTable): string {
  const end = code === "ja" ? "。" : code === "hi" ? "।" : ".";
  return capitalised(/[.!?。！？؟।]$/.test(text.trim()) ? text.trim() : `${text.trim()}${end}`);
}

import { guessLanguage, type Language, languageOf } from "../../../../base/languages/mod.ts";
import { ENGLISH } from "../english.ts";
import type { Matcher, Mood, StemmedWord, Tongue } from "../tongue.ts";
import type { InputTexts } from "../words.ts";
import { speechOf } from "./compile.ts";

type Other = Exclude<Language, "en">;

/** Lead of a single line that is in another language than the rest of the call. */
const SURE = 2;

/** The languages of an input's texts other than English: those of the call, of its last lines, and of what is written. */
export function languagesOf({ said, written }: InputTexts): readonly Other[] {
  const found = [languageOf(said.join(" ")), ...said.slice(-2).map(sureLanguage), languageOf(written.join(" "))];
  return [...new Set(found)].filter((language): language is Other => language !== undefined && language !== "en");
}

/** The language of a line that plainly shows it. Most short lines have words of several languages. */
function sureLanguage(line: string): Language | undefined {
  const guess = guessLanguage(line);
  return guess && guess.lead >= SURE ? guess.language : undefined;
}

/**
 * Creates the tongue of an input's texts. It understands English too, and each language that the call is in; it speaks
 * the language of the last lines, or the given one.
 */
export function createTongue(texts: InputTexts, language?: Language): Tongue {
  const own = language === undefined || language === "en" ? [] : [language];
  const languages = [...own, ...languagesOf(texts)];
  const spoken = language ?? speakingLanguage(texts);
  const tongues = [...new Set([...languages].sort((a, b) => Number(b === spoken) - Number(a === spoken)))].map(
    speechOf,
  );
  const [first] = tongues;
  if (!first) return ENGLISH;
  const all = [...tongues, ENGLISH];
  const speaker = spoken === "en" ? ENGLISH : first;
  return {
    significantWords: (text) => commonWords(all, text),
    stem: first.stem,
    sameMeaning: (a, b) => all.some((tongue) => tongue.sameMeaning(a, b)),
    moodOf: (reply) => joinedMood(all.map((tongue) => tongue.moodOf(reply))),
    askedKind: (description) => firstOf(all, (tongue) => tongue.askedKind(description)),
    findEntity: (text, kind) => firstOf(all, (tongue) => tongue.findEntity(text, kind)),
    nameInReply: (text) => first.nameInReply(text),
    asksName: any(all.map(({ asksName }) => asksName)),
    withoutLeadIn: (text) => first.withoutLeadIn(ENGLISH.withoutLeadIn(text) ?? text),
    wantsOwnWords: any(all.map(({ wantsOwnWords }) => wantsOwnWords)),
    conditions: {
      given: (condition) => firstOf(all, ({ conditions }) => conditions.given(condition)),
      reason: of("reason"),
      finished: of("finished"),
      resumes: of("resumes"),
      resumed: of("resumed"),
      agrees: of("agrees"),
      declines: of("declines"),
      people: of("people"),
      workFailed: of("workFailed"),
      workDone: of("workDone"),
      anyReply: of("anyReply"),
      denies: of("denies"),
      more: of("more"),
    },
    caller: {
      ...speaker.caller,
      asksYesNo: any(all.map(({ caller }) => caller.asksYesNo)),
      asksForMore: any(all.map(({ caller }) => caller.asksForMore)),
      personaParts: (persona) => personaTongue(persona, first).caller.personaParts(persona),
    },
    agent: {
      ...speaker.agent,
      spoken: (sentence) => (first.agent.states.test(sentence) ? inEnglish(sentence) : first.agent.spoken(sentence)),
      states: {
        test: (sentence) => first.agent.states.test(sentence) && ENGLISH.agent.spoken(sentence).length === 0,
      },
    },
    criterionAsks: any(all.map(({ criterionAsks }) => criterionAsks)),
    closing: any(all.map(({ closing }) => closing)),
  };

  function of(name: Exclude<keyof Tongue["conditions"], "given">): Matcher {
    return any(all.map(({ conditions }) => conditions[name]));
  }
}

/** The language of the caller's last line that shows one, else that of the call, or of what is written. */
function speakingLanguage({ said, written }: InputTexts): Language | undefined {
  const last = [...said]
    .reverse()
    .map(sureLanguage)
    .find((language) => language !== undefined);
  return last ?? languageOf(said.join(" ")) ?? languageOf(written.join(" "));
}

function personaTongue(persona: string, first: Tongue): Tongue {
  return languageOf(persona) === "en" ? ENGLISH : first;
}

/** A quotation or a question in a prompt that is written in English. */
function inEnglish(sentence: string): readonly string[] {
  return languageOf(sentence) === "en" ? ENGLISH.agent.spoken(sentence) : [];
}

function any(matchers: readonly Matcher[]): Matcher {
  return { test: (text) => matchers.some((matcher) => matcher.test(text)) };
}

function firstOf<Value>(tongues: readonly Tongue[], find: (tongue: Tongue) => Value | undefined): Value | undefined {
  for (const tongue of tongues) {
    const found = find(tongue);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words that all languages take for significant, as the first one reads them. */
function commonWords([first, ...others]: readonly Tongue[], text: string): readonly StemmedWord[] {
  const places = others.map((tongue) => new Set(tongue.significantWords(text).map(({ at }) => at)));
  const words = first?.significantWords(text) ?? [];
  // English cuts words at the signs of other scripts
  return /[^\p{Script=Latin}\P{L}]/u.test(text) ? words : words.filter(({ at }) => places.every((own) => own.has(at)));
}

function joinedMood(moods: readonly Mood[]): Mood {
  const some = (name: keyof Mood) => moods.some((mood) => mood[name]);
  return { yes: some("yes"), no: some("no"), done: some("done"), lost: some("lost") };
}

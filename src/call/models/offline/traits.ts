import { own } from "../../../base/values/mod.ts";
import {
  type OfflineEffect,
  TRAITS_HEADING,
  type TraitEffect,
  traitNames,
  traitsOf,
  traitWords,
} from "../../../document/scenario/mod.ts";
import type { HistoryLine } from "../signature.ts";
import type { CallerInput, CallerOutput, TraitsInput, TraitsOutput } from "../signatures/mod.ts";
import { refusalsBefore, refuses } from "./refusals.ts";
import type { Tongue } from "./tongue.ts";

/** How a caller talks: its traits, in its language. */
interface Manner {
  readonly effects: readonly TraitEffect[];
  readonly tongue: Tongue;
}

type Play = (input: CallerInput) => CallerOutput;

/**
 * Plays a caller with traits: what it says without them, changed by fixed rules. Lines of their own, such as "Pardon?",
 * come in place of an answer.
 */
export function playWithTraits(
  { persona, conversation_history: history }: CallerInput,
  play: Play,
  tongue: Tongue,
): CallerOutput {
  const [plainPersona = "", manner = ""] = persona.split(TRAITS_HEADING);
  const { traitLine } = tongue.caller;
  const effects = effectsIn(manner).map((effect) => inTongue(effect, tongue));
  const said = history.filter(({ role }) => role === "user").length;
  if (hasHadEnough(effects, history)) return { message: traitLine(ENOUGH), should_end: true };
  const own = turnAt(effects, said);
  if (own !== undefined) return { message: own, should_end: false };
  const otherwise = traitLine(OTHERWISE);
  const again = askedAgain(effects, history, otherwise);
  if (again !== undefined) return { message: `${otherwise} ${again}`, should_end: false };
  const answer = play({
    persona: plainPersona.trim(),
    conversation_history: plainHistory(plainPersona, { effects, tongue }, history, play),
  });
  return { ...answer, message: inManner(answer.message, { effects, tongue }, said) };
}

/** Said by a caller who hangs up after a refusal. */
const ENOUGH = "I have had enough of this. Goodbye.";
/** Said by a patient caller before it asks again. */
const OTHERWISE = "No problem, let me say it in another way:";

/** An effect with the words of a language. */
function inTongue(effect: TraitEffect, { caller: { traitLine } }: Pick<Tongue, "caller">): TraitEffect {
  const { before, after, turn, ...offline } = effect.offline;
  return {
    ...effect,
    offline: {
      ...offline,
      ...(before ? { before: before.map(traitLine) } : {}),
      ...(after ? { after: after.map(traitLine) } : {}),
      ...(turn ? { turn: { ...turn, says: traitLine(turn.says) } } : {}),
    },
  };
}

/** What a patient caller says once more after a refusal; `undefined` if it goes on. */
function askedAgain(
  effects: readonly TraitEffect[],
  history: readonly HistoryLine[],
  otherwise: string,
): string | undefined {
  const heard = history.at(-1);
  if (heard?.role !== "assistant" || !refuses(heard.content)) return undefined;
  const refusals = refusalsBefore(history).at(-1) ?? 0;
  if (!effects.some(({ audit }) => audit.rule === "stays" && refusals < audit.refusals)) return undefined;
  const last = history.findLast(({ role }) => role === "user")?.content;
  return last?.startsWith(otherwise) ? last.slice(otherwise.length).trim() : last;
}

/** The history as a caller without traits would have said it, so that it knows what it has said. */
function plainHistory(persona: string, manner: Manner, history: readonly HistoryLine[], play: Play): HistoryLine[] {
  const plain: HistoryLine[] = [];
  let said = 0;
  for (const line of history) {
    if (line.role !== "user") {
      plain.push(line);
      continue;
    }
    const own = turnAt(manner.effects, said);
    if (own === undefined || own !== line.content) {
      const { message } = play({ persona: persona.trim(), conversation_history: [...plain] });
      const isPlayed = inManner(message, manner, said) === line.content;
      plain.push(isPlayed ? { role: "user", content: message } : line);
    }
    said += 1;
  }
  return plain;
}

/** The line that a caller says at its turn because of a trait; `undefined` if it answers. */
function turnAt(effects: readonly TraitEffect[], said: number): string | undefined {
  const turns = effects.flatMap(({ offline: { turn } }) => (turn ? [turn] : []));
  return turns.find(({ from, every }, at) => {
    const first = from + turns.slice(0, at).filter((each) => each.from === from).length; // one trait a turn
    return said >= first && (said - first) % every === 0;
  })?.says;
}

/** Whether the agent has refused as often as the caller bears. */
function hasHadEnough(effects: readonly TraitEffect[], history: readonly HistoryLine[]): boolean {
  const refusals = refusalsBefore(history).at(-1) ?? 0;
  return effects.some(({ audit }) => audit.rule === "hangs-up" && refusals >= audit.refusals);
}

/** A line as a caller says it who has these traits: with their words, which are changed like the others. */
function inManner(line: string, { effects, tongue }: Manner, said: number): string {
  const offline = effects.map((effect) => effect.offline);
  const first = offline.flatMap(({ before = [] }) => before[said % before.length] ?? []);
  const last = offline.flatMap(({ after = [] }) => after[said % after.length] ?? []);
  const { yes, no } = tongue.moodOf(line);
  // a yes or a no comes first, or it is not heard as one
  const parts = yes || no ? [line, ...first, ...last] : [...first, line, ...last];
  const words = parts.filter(Boolean).join(" ");
  return offline.reduce((text, { change }) => (change ? CHANGES[change](text, tongue.caller) : text), words);
}

type Change = (line: string, speaker: Tongue["caller"]) => string;

const CHANGES: { readonly [Name in NonNullable<OfflineEffect["change"]>]: Change } = {
  fillers: (line, { traitLine }) => `${traitLine("Um,")} ${line}`,
  fragments: (line) => inPieces(line),
  pauses: (line) => inPieces(line),
  gaps: (line) => withGap(line),
  brief: (line) =>
    line
      .replaceAll(COURTESIES, "")
      .replaceAll(/\b(?:I would like|I want|I need) to /gi, "Must ")
      .trim(),
  "no-articles": (line, { language }) => {
    const articles = articlesOf(language);
    return articles ? line.replaceAll(articles, "") : line;
  },
};

const COURTESIES =
  /,? ?(?<!\p{L})(?:please|thank you|thanks|bitte|danke|s['’]il vous plaît|merci|por favor|gracias|obrigad[oa]|per favore|grazie|alstublieft|dank u)(?!\p{L})/giu;

const ARTICLES: { readonly [language: string]: string } = {
  en: "the|an?",
  de: "der|die|das|den|dem|ein|eine|einen|einem",
  fr: "le|la|les|un|une|des",
  es: "el|la|los|las|un|una",
  pt: "os|as|um|uma",
  it: "il|lo|la|gli|le|un|una",
  nl: "de|het|een",
};

/** The articles of a language, with the space behind; `undefined` if it has none that stand alone. */
function articlesOf(language: string): RegExp | undefined {
  const articles = own(ARTICLES, language);
  return articles === undefined ? undefined : new RegExp(`(?<!\\p{L})(?:${articles}) (?=\\p{L})`, "giu");
}

/** A line in pieces of a few words. Languages without spaces pause behind a particle. */
function inPieces(line: string): string {
  if (/\s/.test(line.trim())) return piecesOf(line, 3).join(" … ");
  return line.replace(/(?<=.)(?:[はをがにで、])(?=.)/u, "$& … ");
}

/** Words that belong together: numbers, names and times stay whole, because the agent needs them. */
const WHOLE = /\d|^\p{Lu}/u;

/** Splits a line into pieces of so many words. */
function piecesOf(line: string, size: number): readonly string[] {
  const pieces: string[][] = [[]];
  for (const word of line.split(/\s+/)) {
    const piece = pieces.at(-1) ?? [];
    const isFull = piece.length >= size && !(WHOLE.test(word) && WHOLE.test(piece.at(-1) ?? ""));
    if (isFull) pieces.push([word]);
    else piece.push(word);
  }
  return pieces.map((piece) => piece.join(" "));
}

/** Loses a short word in the middle, which carries no meaning. */
function withGap(line: string): string {
  const words = line.split(/\s+/);
  const at = words.findIndex((word, index) => index > 0 && word.length <= 3 && !WHOLE.test(word));
  if (at < 0) return `${line} …`;
  return words.map((word, index) => (index === at ? "…" : word)).join(" ");
}

/** The effects that a prompt's lines were made of. */
function effectsIn(manner: string): readonly TraitEffect[] {
  return manner.split("\n").flatMap((line) => {
    const prompt = line.replace(/^- /, "").trim();
    return prompt === "" ? [] : (traitNames().flatMap((name) => effectOf(name, prompt))[0] ?? []);
  });
}

function effectOf(name: ReturnType<typeof traitNames>[number], prompt: string): readonly TraitEffect[] {
  const words = traitWords(name);
  if ("values" in words) return Object.values(words.values).filter((effect) => effect.prompt === prompt);
  const [, tag] = /\(([\w-]+)\)/.exec(prompt) ?? [];
  return traitsOf(tag === undefined ? {} : { [name]: tag })
    .map(({ effect }) => effect)
    .filter((effect) => effect.prompt === prompt);
}

/**
 * Audits traits by the fixed words with which the offline caller plays them. A language model's caller says other words,
 * which only a language model can judge.
 */
export function traitsByWords(
  { traits, persona, conversation_history: history }: TraitsInput,
  tongue: Tongue,
): TraitsOutput {
  const lines = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const effects = effectsIn(persona.split(TRAITS_HEADING)[1] ?? "");
  return {
    traits: traits.map(({ trait, shows }) => {
      const effect = effects.find(({ audit }) => audit.shows === shows);
      const played = effect && [effect, inTongue(effect, tongue)];
      const quote = lines.find((line) => played?.some(({ offline }) => shownIn(line, offline, tongue.caller)));
      const isArticles = effect?.offline.change === "no-articles";
      const hasPlace = !isArticles || (articlesOf(tongue.caller.language) !== undefined && lines.some(isLong));
      const isPlayed = effect !== undefined && Object.keys(effect.offline).length > 0;
      const hadOccasion = isPlayed && hasPlace && lines.length > (effect?.offline.turn?.from ?? 0);
      const reasoning = quote === undefined ? "The offline model finds none of the words that it knows for it." : "";
      return { trait, shown: quote !== undefined, had_occasion: hadOccasion, quote: quote ?? "", reasoning };
    }),
  };
}

function shownIn(
  line: string,
  { before = [], after = [], turn, change }: OfflineEffect,
  { language, traitLine }: Tongue["caller"],
): boolean {
  const words = [
    ...before,
    ...after,
    ...(turn ? [turn.says] : []),
    ...(change === "fillers" ? [traitLine("Um,")] : []),
  ];
  const spoken = line.replaceAll(" … ", " ");
  if (words.some((phrase) => spoken.includes(phrase))) return true;
  const articles = change === "no-articles" ? articlesOf(language) : undefined;
  return articles !== undefined && isLong(line) && !articles.test(line);
}

/** Whether a line is long enough for an article. */
function isLong(line: string): boolean {
  return line.split(/\s+/).length >= 4;
}

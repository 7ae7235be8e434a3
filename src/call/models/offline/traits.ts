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

type Play = (input: CallerInput) => CallerOutput;

/**
 * Plays a caller with traits: what it says without them, changed by fixed rules. Lines of their own, such as "Pardon?",
 * come in place of an answer.
 */
export function playWithTraits({ persona, conversation_history: history }: CallerInput, play: Play): CallerOutput {
  const [plainPersona = "", manner = ""] = persona.split(TRAITS_HEADING);
  const effects = effectsIn(manner);
  const said = history.filter(({ role }) => role === "user").length;
  if (hasHadEnough(effects, history)) return { message: "I have had enough of this. Goodbye.", should_end: true };
  const own = turnAt(effects, said);
  if (own !== undefined) return { message: own, should_end: false };
  const answer = play({
    persona: plainPersona.trim(),
    conversation_history: plainHistory(plainPersona, effects, history, play),
  });
  return { ...answer, message: inManner(answer.message, effects, said) };
}

/** The history as a caller without traits would have said it, so that it knows what it has said. */
function plainHistory(
  persona: string,
  effects: readonly TraitEffect[],
  history: readonly HistoryLine[],
  play: Play,
): HistoryLine[] {
  const plain: HistoryLine[] = [];
  let said = 0;
  for (const line of history) {
    if (line.role !== "user") {
      plain.push(line);
      continue;
    }
    const own = turnAt(effects, said);
    if (own === undefined || own !== line.content) {
      const { message } = play({ persona: persona.trim(), conversation_history: [...plain] });
      const isPlayed = inManner(message, effects, said) === line.content;
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

const REFUSAL = /\b(?:can['’]?t|cannot|could not|unable to|not possible|not allowed|am afraid|unfortunately)\b/i;

/** Whether the agent has refused as often as the caller bears. */
function hasHadEnough(effects: readonly TraitEffect[], history: readonly HistoryLine[]): boolean {
  const refusals = history.filter(({ role, content }) => role === "assistant" && REFUSAL.test(content)).length;
  return effects.some(({ audit }) => audit.rule === "hangs-up" && refusals >= audit.refusals);
}

/** A line as a caller says it who has these traits: with their words, which are changed like the others. */
function inManner(line: string, effects: readonly TraitEffect[], said: number): string {
  const offline = effects.map((effect) => effect.offline);
  const first = offline.flatMap(({ before = [] }) => before[said % before.length] ?? []);
  const last = offline.flatMap(({ after = [] }) => after[said % after.length] ?? []);
  const words = [...first, line, ...last].filter(Boolean).join(" ");
  return offline.reduce((text, { change }) => (change ? CHANGES[change](text) : text), words);
}

const CHANGES: { readonly [Change in NonNullable<OfflineEffect["change"]>]: (line: string) => string } = {
  fillers: (line) => `Um, ${line}`,
  fragments: (line) => piecesOf(line, 3).join(" … "),
  pauses: (line) => piecesOf(line, 3).join(" … "),
  gaps: (line) => withGap(line),
  brief: (line) =>
    line
      .replaceAll(/,? ?\b(?:please|thank you|thanks)\b/gi, "")
      .replaceAll(/\b(?:I would like|I want|I need) to /gi, "Must ")
      .trim(),
  "no-articles": (line) => line.replaceAll(/\b(?:the|an?) (?=\p{L})/giu, ""),
};

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
export function traitsByWords({ traits, persona, conversation_history: history }: TraitsInput): TraitsOutput {
  const lines = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const effects = effectsIn(persona.split(TRAITS_HEADING)[1] ?? "");
  return {
    traits: traits.map(({ trait, shows }) => {
      const effect = effects.find(({ audit }) => audit.shows === shows);
      const quote = effect && lines.find((line) => shownIn(line, effect.offline));
      const hadOccasion = lines.length > (effect?.offline.turn?.from ?? 0);
      const reasoning = quote === undefined ? "The offline model finds none of the words that it knows for it." : "";
      return { trait, shown: quote !== undefined, had_occasion: hadOccasion, quote: quote ?? "", reasoning };
    }),
  };
}

function shownIn(line: string, { before = [], after = [], turn, change }: OfflineEffect): boolean {
  const words = [...before, ...after, ...(turn ? [turn.says] : [])];
  const spoken = line.replaceAll(" … ", " ");
  if (words.some((phrase) => spoken.includes(phrase))) return true;
  return change === "no-articles" && line.split(/\s+/).length >= 4 && !/\b(?:the|an?)\b/i.test(line);
}

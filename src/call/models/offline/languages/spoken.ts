import { capitalised } from "../caller.ts";
import type { EntityKind } from "../tongue.ts";
import { withoutEndMarks } from "../words.ts";
import type { SpeechTable } from "./table.ts";

/** Turns the sentences of a prompt into what the agent says. */
export interface SpokenReader {
  readonly spoken: (sentence: string, askedKind: (text: string) => EntityKind | undefined) => readonly string[];
  /** Whether a sentence states a fact. */
  readonly states: (sentence: string) => boolean;
}

const QUOTED = /["“„«「]([^"”“»」]+)["”“»」]/u;

/** Creates the reader of a language. */
export function createSpoken(table: SpeechTable): SpokenReader {
  const { agent, code } = table;
  const form = (pattern: string) => new RegExp(pattern, "iu");
  const [asks, tells, confirms, greets, parts, thanks] = [
    agent.asks,
    agent.tells,
    agent.confirms,
    agent.greets,
    agent.parts,
    agent.thanksThem,
  ].map(form);
  const manner = form(code === "ja" ? `^(?:${agent.manner})` : `^(?:${agent.manner})(?![\\p{L}\\p{M}])`);
  const says = form(code === "ja" ? agent.says : `(?<![\\p{L}\\p{M}])(?:${agent.says})(?![\\p{L}\\p{M}])`);
  const end = code === "ja" ? "。" : code === "hi" ? "।" : ".";

  function spoken(given: string, askedKind: (text: string) => EntityKind | undefined): readonly string[] {
    const sentence = given.trim();
    if (/[:：]$/.test(sentence)) return [];
    const quoted = QUOTED.exec(sentence)?.[1];
    if (quoted && says.test(sentence.replace(QUOTED, " ")) && !manner.test(sentence)) return [quoted.trim()];
    const text = withoutEndMarks(sentence);
    if (/[?？؟]$/.test(text)) return [text];
    if (manner.test(text)) return [];
    if (greets?.test(text)) return [agent.hello];
    if (parts?.test(text)) return [agent.bye];
    if (thanks?.test(text)) return [agent.thanks];
    const asked = asks?.exec(text)?.[1];
    if (asked !== undefined) return [questionFor(asked, askedKind)];
    const confirmed = confirms?.exec(text)?.[1];
    if (confirmed !== undefined) return [agent.isThatRight.replace("#", confirmed.trim())];
    const told = tells?.exec(text)?.[1];
    if (told) return [`${capitalised(told.trim())}${end}`];
    return [];
  }

  function questionFor(asked: string, askedKind: (text: string) => EntityKind | undefined): string {
    const kind = askedKind(asked);
    return kind ? agent.questions[kind] : agent.questions.other.replace("#", asked.trim());
  }

  return {
    spoken,
    states: (sentence) =>
      !manner.test(sentence.trim()) && spoken(sentence, () => undefined).length === 0 && !QUOTED.test(sentence),
  };
}

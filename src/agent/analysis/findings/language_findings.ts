import type { Path } from "../../../base/errors.ts";
import { guessLanguage, type Language, languageName, languageOfTag } from "../../../base/languages/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { replacePlaceholders } from "../../../document/expressions/mod.ts";
import type { AgentGraph, Finding } from "../../../document/graph/mod.ts";

/** Lead of a fixed text in another language, and of all prompts or all fixed texts together. */
const [SURE_LINE, SURE_WHOLE] = [2, 4];
/** Share of a text's words that are frequent ones of its language. */
const SURE_SHARE = 0.25;

/** Settings of platforms that are spoken verbatim. */
const FIXED_KEY = /^(?:voice_?mail_?message|end_?call_?message|first_?message)$/i;
/** Names of languages in themselves, as prompts name them. */
const OWN_NAMES: { readonly [language in Language]: RegExp } = {
  en: /\benglish\b|englisch|anglais|inglés|inglês|inglese|engels|अंग्रेज़?ी|英語|الإنجليزية/iu,
  de: /\bgerman\b|deutsch|allemand|alemán|alemão|tedesco|\bduits/iu,
  fr: /\bfrench\b|français|französisch|francés|francês|francese|\bfrans\b/iu,
  es: /\bspanish\b|español|espanol|castellano|spanisch|espagnol|espanhol|spagnolo|spaans/iu,
  pt: /\bportuguese\b|portugu[eê]s|portugiesisch|portugais|portoghese|portugees/iu,
  it: /\bitalian\b|italiano|italienisch|italien\b|italiaans/iu,
  nl: /\bdutch\b|nederlands|niederländisch|néerlandais|neerlandés|holandês|olandese/iu,
  hi: /\bhindi\b|\bhinglish\b|हिन?ं?दी/iu,
  ja: /\bjapanese\b|日本語|japanisch|japonais|japonés/iu,
  ar: /\barabic\b|العربية|عربي|arabisch|arabe\b|árabe/iu,
};
const ANY_LANGUAGE =
  /multilingual|bilingual|(?:caller|user|customer)['’]?s? (?:own |preferred )?language|language of the (?:caller|user|customer)|same language|any language/i;

/** A text that is spoken verbatim. */
export interface FixedText {
  readonly path: Path;
  readonly text: string;
}

/** The texts that are spoken verbatim: the begin message, static texts, and messages in the settings of platforms. */
export function fixedTextsOf({ source_metadata: head, nodes }: AgentGraph): readonly FixedText[] {
  const found: FixedText[] = [];
  if (head.begin_message) found.push({ path: ["source_metadata", "begin_message"], text: head.begin_message });
  const visit = (value: unknown, path: Path, depth: number): void => {
    if (!isRecord(value) || depth > 4) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === "original" || key === "lens") continue;
      if (typeof item === "string" && FIXED_KEY.test(key)) found.push({ path: [...path, key], text: item });
      else visit(item, [...path, key], depth + 1);
    }
  };
  visit(head, ["source_metadata"], 0);
  for (const [id, { instruction_type: type, state_prompt: text, metadata }] of Object.entries(nodes)) {
    if (type === "static_text") found.push({ path: ["nodes", id, "state_prompt"], text });
    visit(metadata, ["nodes", id, "metadata"], 0);
  }
  return found;
}

/**
 * Findings for fixed words in another language than the prompts, and for a language setting that differs from the words.
 * Prompts that name the other language mean it, so nothing is found then.
 */
export function languageFindings(graph: AgentGraph): readonly Finding[] {
  const fixed = fixedTextsOf(graph);
  const prompts = promptsOf(graph);
  const written = sureLanguage(prompts, SURE_WHOLE);
  return [...mixedFindings(fixed, written, prompts), ...settingFindings(graph, fixed, written, prompts)];
}

function promptsOf({ source_metadata: head, nodes }: AgentGraph): string {
  const own = Object.values(nodes).flatMap(({ instruction_type: type, state_prompt: text }) =>
    type === "static_text" ? [] : [text],
  );
  return [head.general_prompt ?? "", ...own].join("\n");
}

function sureLanguage(text: string, lead: number): Language | undefined {
  const guess = guessLanguage(replacePlaceholders(text, () => " "));
  return guess && guess.lead >= lead && guess.share >= SURE_SHARE ? guess.language : undefined;
}

function mixedFindings(
  fixed: readonly FixedText[],
  written: Language | undefined,
  prompts: string,
): readonly Finding[] {
  if (written === undefined) return [];
  return fixed.flatMap(({ path, text }): Finding[] => {
    const spoken = sureLanguage(text, SURE_LINE);
    if (spoken === undefined || spoken === written || isMeant(spoken, prompts)) return [];
    const message = `the text that is spoken verbatim is ${languageName(spoken)}, and the prompts are ${languageName(written)}`;
    const hint = `Translate it, or say in the general prompt to speak ${languageName(spoken)}`;
    return [{ code: "mixed-languages", severity: "warning", path, message, hint }];
  });
}

function settingFindings(
  { source_metadata: { language: tag } }: AgentGraph,
  fixed: readonly FixedText[],
  written: Language | undefined,
  prompts: string,
): readonly Finding[] {
  const set = typeof tag === "string" ? languageOfTag(tag) : undefined;
  if (set === undefined) return [];
  const spoken = sureLanguage(fixed.map(({ text }) => text).join("\n"), SURE_LINE) ?? written;
  if (spoken === undefined || spoken === set || isMeant(set, prompts)) return [];
  const message = `the language is set to "${tag}", and the agent's words are ${languageName(spoken)}`;
  const hint = `Set the language that callers speak, or write the words in ${languageName(set)}`;
  return [{ code: "language-setting", severity: "warning", path: ["source_metadata", "language"], message, hint }];
}

function isMeant(language: Language, prompts: string): boolean {
  return OWN_NAMES[language].test(prompts) || ANY_LANGUAGE.test(prompts);
}

import { EngineError } from "../../base/errors.ts";
import { checkOptions, OPTION, own } from "../../base/values/mod.ts";
import { replacePlaceholders } from "./placeholders.ts";
import { replaceSnippets } from "./snippets.ts";
import { textOf } from "./text_of.ts";

/** The snippets and variables of a prompt. */
export interface TemplateValues {
  readonly snippets: { readonly [name: string]: string };
  readonly variables: { readonly [name: string]: unknown };
}

const RULES = { text: OPTION.text, snippets: OPTION.object, variables: OPTION.object };

/**
 * Expands `{%snippet%}` and then `{{variable}}`, in one pass each. Unknown names stay, and inserted text is not
 * expanded again.
 *
 * @throws {EngineError} `invalid-option`.
 */
export function expandPrompt(text: string, values: TemplateValues): string {
  const given = { text: text ?? null, ...values };
  checkOptions(given, RULES, EngineError, "Cannot expand a prompt");
  const { snippets = {}, variables = {} } = values ?? {};
  return expandText(text, snippets, (name) => textOf(own(variables, name), name));
}

/** {@link expandPrompt} without its checks, for values that are texts. */
export function expandText(
  text: string,
  snippets: TemplateValues["snippets"],
  variableOf: (name: string) => string | undefined,
): string {
  const prompt = text.includes("{%") ? replaceSnippets(text, (name) => own(snippets, name)) : text;
  return prompt.includes("{{") ? replacePlaceholders(prompt, variableOf) : prompt;
}

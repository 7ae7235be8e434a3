import { EngineError } from "../errors.ts";
import { checkOptions, OPTION, own } from "../values/mod.ts";
import { replacePlaceholders } from "./placeholders.ts";
import { replaceSnippets } from "./snippets.ts";
import { textOf } from "./text_of.ts";

/** What a prompt can name. */
export interface TemplateValues {
  readonly snippets: { readonly [name: string]: string };
  readonly variables: { readonly [name: string]: unknown };
}

const RULES = { text: OPTION.text, snippets: OPTION.object, variables: OPTION.object };

/**
 * A prompt with `{%snippet%}` and then `{{variable}}` filled in, one pass each. Names that are not known stay as they
 * are, and values are inserted to the letter: nothing in them is expanded again.
 *
 * @throws {EngineError} `invalid-option`.
 */
export function expandPrompt(text: string, values: TemplateValues): string {
  const given = { text: text ?? null, ...values };
  checkOptions(given, RULES, EngineError, "Cannot expand a prompt");
  const { snippets = {}, variables = {} } = values ?? {};
  const prompt = replaceSnippets(text, (name) => own(snippets, name));
  return replacePlaceholders(prompt, (name) => textOf(own(variables, name), name));
}

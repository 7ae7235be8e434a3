import { own } from "../graph/mod.ts";
import { textOf } from "./values.ts";

/** What a prompt can name. */
export interface TemplateValues {
  readonly snippets: { readonly [name: string]: string };
  readonly variables: { readonly [name: string]: unknown };
}

/**
 * A prompt with `{%snippet%}` and then `{{variable}}` filled in, one pass each. Names that are not known stay as they
 * are, and values are inserted to the letter: nothing in them is expanded again.
 */
export function expandPrompt(text: string, { snippets, variables }: TemplateValues): string {
  return text
    .replace(/\{%([^{}%]*)%\}/g, (whole, name: string) => own(snippets, name.trim()) ?? whole)
    .replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => textOf(own(variables, name.trim())) ?? whole);
}

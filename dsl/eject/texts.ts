import { isKnownPlaceholder, isPlatformVariable, placeholdersIn, snippetsIn } from "../../src/expressions/mod.ts";

/** What a flow declares that texts can name. */
export interface Declared {
  readonly variables: { readonly has: (name: string) => boolean };
  readonly snippets: readonly string[];
}

/** Whether `compile()` takes a text: everything that it names is declared. */
export function compiles(text: string, { variables, snippets }: Declared): boolean {
  return (
    placeholdersIn(text).every((name) => isKnownPlaceholder(name, variables)) &&
    snippetsIn(text).every((name) => snippets.includes(name))
  );
}

/** Whether the compiler takes a text as a literal: `CheckText` reads braces in other ways than calls do. */
export function isTypedText(text: string, { variables, snippets }: Declared): boolean {
  const isKnown = (name: string) => variables.has(name) || isPlatformVariable(name);
  const names = [...between(text, "{{", "}}")];
  const tags = [...between(text, "{%", "%}")];
  if (names.length + tags.length > 300) return false; // the compiler stops at 1,000 steps
  return (
    names.every((name) => isKnown(name) || isKnown(rootOf(name)) || /^["']/.test(rootOf(name))) &&
    tags.every((name) => snippets.includes(name) || snippets.includes(trimmed(name)))
  );
}

function* between(text: string, open: string, close: string): Generator<string> {
  for (let start = text.indexOf(open); start >= 0; ) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return;
    yield text.slice(start + open.length, end);
    start = text.indexOf(open, end + close.length);
  }
}

/** As the type `Root` does. */
function rootOf(name: string): string {
  const bare = trimmed(name.split("|")[0] ?? "");
  return bare.includes(".") ? (bare.split(".")[0] ?? "") : bare;
}

/** Without spaces around it; other white space stays, as in the type `Trim`. */
function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

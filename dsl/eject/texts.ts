import {
  isKnownPlaceholder,
  isPlatformVariable,
  placeholdersIn,
  snippetsIn,
} from "../../src/document/expressions/mod.ts";

/** The declared names that texts can refer to. */
export interface Declared {
  readonly variables: { readonly has: (name: string) => boolean };
  readonly snippets: readonly string[];
}

/** Whether `compile()` accepts a text: everything that it names is declared. */
export function compiles(text: string, { variables, snippets }: Declared): boolean {
  return (
    placeholdersIn(text).every((name) => isKnownPlaceholder(name, variables)) &&
    snippetsIn(text).every((name) => snippets.includes(name))
  );
}

/** Whether the compiler accepts a text as a literal: `CheckText` parses braces differently from calls. */
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

/** The same rule as the type `Root`. */
function rootOf(name: string): string {
  const bare = trimmed(name.split("|")[0] ?? "");
  return bare.includes(".") ? (bare.split(".")[0] ?? "") : bare;
}

/** Trims spaces only, like the type `Trim`. */
function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

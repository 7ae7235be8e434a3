import type { Path } from "../../../base/errors.ts";

/** A snippet and where it is used. */
export interface SnippetUsage {
  readonly name: string;
  readonly characters: number;
  /** Texts that use the snippet: prompts, LLM conditions, descriptions. */
  readonly uses: readonly Path[];
}

/** A text that prompts repeat, and the snippet that would replace it. */
export interface SnippetSuggestion {
  /** A name for the snippet. If the graph has a snippet of this name, it already has this text. */
  readonly name: string;
  readonly text: string;
  /** `exact`: the same words everywhere. `near`: the variants have other words, which callers would no longer hear. */
  readonly kind: "exact" | "near";
  /** Other forms that the snippet replaces: of exact ones, with other white space. */
  readonly variants: readonly string[];
  /** Prompts that would use the snippet. */
  readonly prompts: readonly Path[];
  /** How much shorter the graph's prompts and snippets would be together. */
  readonly savedCharacters: number;
}

/** The snippets of a graph, and those that would make it shorter. */
export interface SnippetAnalysis {
  readonly snippets: readonly SnippetUsage[];
  /** Exact ones first, in each group those first that save most. */
  readonly suggestions: readonly SnippetSuggestion[];
}

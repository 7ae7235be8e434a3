export { analyseSnippets } from "./analyse_snippets.ts";
export type { SnippetAnalysis, SnippetSuggestion, SnippetUsage } from "./snippet_analysis.ts";

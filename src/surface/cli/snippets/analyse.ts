import { analyseSnippets, type SnippetSuggestion } from "../../../agent/analysis/mod.ts";
import { cut, oneLine, plural, type Style, wrap } from "../../../base/values/mod.ts";
import { isModulePath, loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments/mod.ts";
import { listStyle } from "../format/mod.ts";
import { placeLine } from "./words.ts";

/** Characters of a text to show unless all are requested. */
const LONGEST_TEXT = 160;

/** `callweave snippets analyse`. */
export const analyseSnippetsCommand: Command = {
  name: "snippets analyse",
  summary: "Find text that prompts repeat, and the snippets that would replace it",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      verbose: { description: "Print whole texts, their variants, and every place" },
      json: { description: "Print { snippets, suggestions }, as analyseSnippets() returns them" },
    },
  },
  notes: [
    "Compares paragraphs of at least 120 characters, as check does for repeated-text and similar-text.",
    "near: the words differ, so that callers would no longer hear the variants.",
  ],
  examples: ["callweave snippets analyse flow.ts", `callweave snippets analyse ${EXAMPLE.format}.json --verbose`],
  run: async (args, terminal) => {
    const source = args.at("SOURCE");
    const options = { exportName: args.text("export"), format: args.text("from") };
    const { graph } = await loadSource(source, terminal, options);
    const analysis = analyseSnippets(graph);
    if (args.has("json")) {
      terminal.out(`${JSON.stringify(analysis, null, 2)}\n`);
      return 0;
    }
    const { suggestions } = analysis;
    terminal.out(formatSuggestions(suggestions, listStyle(terminal.stdout, terminal.env), args.has("verbose")));
    if (suggestions.length > 0) {
      const more = isModulePath(source) ? " --patch" : "";
      terminal.err(`apply one: npx callweave snippets extract ${source} --apply 1${more}\n`);
    }
    return 0;
  },
};

function formatSuggestions(suggestions: readonly SnippetSuggestion[], style: Style, verbose: boolean): string {
  if (suggestions.length === 0) return "no repeated text\n";
  const lines = suggestions.flatMap((suggestion, index) => {
    const { name, kind, prompts, savedCharacters, text, variants } = suggestion;
    return [
      `${index + 1}. ${name}: ${kind}, ${plural(prompts.length, "prompt")}, saves ${plural(savedCharacters, "character")}`,
      ...placeLine(prompts, style, verbose),
      ...shownText(text, style, verbose),
      ...(verbose || kind === "near" ? variants.flatMap((form) => ["    or", ...shownText(form, style, verbose)]) : []),
    ];
  });
  const exact = suggestions.filter(({ kind }) => kind === "exact");
  const saved = exact.reduce((sum, { savedCharacters }) => sum + savedCharacters, 0);
  const near = suggestions.length - exact.length;
  const total = `${exact.length} exact, ${near} near; the exact ones save ${plural(saved, "character")}`;
  return `${[...lines, "", total].join("\n")}\n`;
}

function shownText(text: string, style: Style, verbose: boolean): readonly string[] {
  if (verbose) return text.split("\n").map((line) => `    | ${line}`);
  return wrap(style, `"${cut(oneLine(text), LONGEST_TEXT)}"`, 4, "  ");
}

import { analyseSnippets, type SnippetUsage } from "../../../agent/analysis/mod.ts";
import { plural, type Style } from "../../../base/values/mod.ts";
import { loadSource } from "../../project/mod.ts";
import type { Command } from "../arguments/mod.ts";
import { listStyle } from "../format/mod.ts";
import { placeLine } from "./words.ts";

/** `callweave snippets list`. */
export const listSnippetsCommand: Command = {
  name: "snippets list",
  summary: "List the snippets of an agent and where they are used",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      verbose: { description: "List every place" },
      json: { description: "Print the snippets as JSON" },
    },
  },
  examples: ["callweave snippets list flow.ts", "callweave snippets list agent.callweave.json --json"],
  run: async (args, terminal) => {
    const options = { exportName: args.text("export"), format: args.text("from") };
    const { graph } = await loadSource(args.at("SOURCE"), terminal, options);
    const { snippets } = analyseSnippets(graph);
    const style = listStyle(terminal.stdout, terminal.env);
    const text = formatSnippets(snippets, style, args.has("verbose"));
    terminal.out(args.has("json") ? `${JSON.stringify(snippets, null, 2)}\n` : text);
    return 0;
  },
};

function formatSnippets(snippets: readonly SnippetUsage[], style: Style, verbose: boolean): string {
  if (snippets.length === 0) return "no snippets\n";
  const lines = snippets.flatMap(({ name, characters, uses }) => [
    `${name}: ${plural(characters, "character")}, ${uses.length === 0 ? "not used" : `used in ${plural(uses.length, "text")}`}`,
    ...placeLine(uses, style, verbose),
  ]);
  return `${lines.join("\n")}\n`;
}

import { analyseSnippets, editGraph, type SnippetSuggestion } from "../../../agent/analysis/mod.ts";
import { plural } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { type Arguments, type Command, usage } from "../arguments/mod.ts";
import { EDIT_FLAGS, EDIT_NOTES, loadEditable, writeEdited } from "./write_edited.ts";

/** `callweave snippets extract`. */
export const extractSnippetsCommand: Command = {
  name: "snippets extract",
  summary: "Move a text of prompts into a snippet",
  spec: {
    positionals: [
      { name: "FILE", description: "JSON of an agent (- is standard input), or a module that exports one" },
    ],
    flags: {
      name: { value: "NAME", description: "Name of the snippet" },
      text: { value: "TEXT", description: "Text to move into the snippet, exactly as in the prompts" },
      apply: {
        value: "NUMBER",
        repeats: true,
        description: "Apply the suggestion of this number in snippets analyse instead; exact applies all exact ones",
      },
      ...EDIT_FLAGS,
    },
  },
  notes: EDIT_NOTES,
  examples: [
    'callweave snippets extract agent.callweave.json --name manners --text "Be brief and polite."',
    "callweave snippets extract squad.json --apply 1 --apply 3",
    "callweave snippets extract flow.ts --apply exact --patch",
  ],
  run: async (args, terminal) => {
    const wanted = readWanted(args);
    const source = await loadEditable(args.at("FILE"), args, terminal);
    const drafts = "numbers" in wanted ? suggested(source.graph, wanted.numbers) : [wanted];
    const graph = drafts.reduce(
      (editor, { name, text, variants }) => editor.extractSnippet(name, text, { variants }),
      editGraph(source.graph),
    ).graph;
    const usages = analyseSnippets(graph).snippets.filter(({ name }) => drafts.some((draft) => draft.name === name));
    const lines = usages.map(({ name, uses }) => `${name}: used in ${plural(uses.length, "text")}`);
    const snippets = usages.map(({ name, uses }) => ({ name, text: graph.snippets[name], uses }));
    await writeEdited({ ...source, edited: graph, lines, snippets }, args, terminal);
    return 0;
  },
};

type Draft = Pick<SnippetSuggestion, "name" | "text" | "variants">;

function readWanted(args: Arguments): Draft | { readonly numbers: readonly string[] } {
  const [name, text] = [args.text("name"), args.text("text")];
  const numbers = args.texts("apply").flatMap((list) => list.split(",").map((each) => each.trim()));
  if (numbers.length > 0 && name === undefined && text === undefined) return { numbers };
  if (numbers.length === 0 && name !== undefined && text !== undefined) return { name, text, variants: [] };
  throw usage("it is not clear what to extract", "Pass --name and --text, or --apply NUMBER");
}

/** The selected suggestions. Exact ones come first, because near ones then find their snippets. */
function suggested(graph: AgentGraph, numbers: readonly string[]): readonly Draft[] {
  const { suggestions } = analyseSnippets(graph);
  const chosen = new Set(
    numbers.flatMap((number) => {
      if (number === "exact") return suggestions.filter(({ kind }) => kind === "exact");
      const found = /^\d+$/.test(number) ? suggestions[Number(number) - 1] : undefined;
      if (found) return [found];
      const range = suggestions.length === 0 ? "there are none" : `there are 1 to ${suggestions.length}`;
      throw usage(`--apply is "${number}", ${range}`, "See the numbers of callweave snippets analyse");
    }),
  );
  if (chosen.size === 0) throw usage("no text is repeated word by word", "See callweave snippets analyse");
  return suggestions.filter((each) => chosen.has(each));
}

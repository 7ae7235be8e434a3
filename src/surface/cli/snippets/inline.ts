import { analyseSnippets, editGraph } from "../../../agent/analysis/mod.ts";
import { plural } from "../../../base/values/mod.ts";
import { type Command, usage } from "../arguments/mod.ts";
import { EDIT_FLAGS, EDIT_NOTES, loadEditable, writeEdited } from "./write_edited.ts";

/** `callweave snippets inline`. */
export const inlineSnippetsCommand: Command = {
  name: "snippets inline",
  summary: "Replace snippets by their text, and remove them",
  spec: {
    positionals: [
      { name: "FILE", description: "JSON of an agent (- is standard input), or a module that exports one" },
    ],
    flags: {
      name: { value: "NAME", repeats: true, description: "Name of a snippet" },
      all: { description: "Inline every snippet" },
      ...EDIT_FLAGS,
    },
  },
  notes: EDIT_NOTES,
  examples: [
    "callweave snippets inline agent.callweave.json --name manners",
    "callweave snippets inline agent.callweave.json --all",
  ],
  run: async (args, terminal) => {
    const given = args.texts("name");
    if (given.length > 0 === args.has("all")) throw usage("no snippet is named", "Pass --name NAME, or --all");
    const source = await loadEditable(args.at("FILE"), args, terminal);
    const { snippets: known } = analyseSnippets(source.graph);
    const names = args.has("all") ? known.map(({ name }) => name) : [...new Set(given)];
    if (names.length === 0) throw usage(`"${args.at("FILE")}" has no snippets`, "There is nothing to inline");
    const graph = names.reduce((editor, name) => editor.inlineSnippet(name), editGraph(source.graph)).graph;
    const inlined = known.filter(({ name }) => names.includes(name));
    const lines = inlined.map(({ name, uses }) => `${name}: written out in ${plural(uses.length, "text")}`);
    const snippets = inlined.map(({ name, uses }) => ({ name, text: source.graph.snippets[name], uses }));
    await writeEdited({ ...source, edited: graph, lines, snippets }, args, terminal);
    return 0;
  },
};

import { relative } from "node:path";
import process from "node:process";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { emit, formatNamed, importAgent } from "../../../platforms/mod.ts";
import { analyseSnippets, editGraph, type SnippetSuggestion, type SnippetUsage } from "../../agent/analysis/mod.ts";
import type { Path } from "../../base/errors.ts";
import { cut, editJson, oneLine, plural, type Style, sameJson, wrap } from "../../base/values/mod.ts";
import { type AgentGraph, formatGraph, isGraphFile } from "../../document/graph/mod.ts";
import { type AgentSource, isModulePath, loadSource } from "../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, type Flag, usage } from "./arguments.ts";
import { listStyle } from "./format/mod.ts";
import { schemaPath, type Terminal, writeTextFile } from "./io/mod.ts";
import { refuseOverwriting } from "./sources.ts";

/** The format that is the graph's document itself. */
const GRAPH_FORMAT = "graph";

/** Notes of these commands. */
const EDIT_NOTES: readonly string[] = [
  "A JSON file is changed in place: only the lines of the changed texts differ. Standard input is written to standard output.",
  "A module cannot be rewritten: write its graph with --out FILE.callweave.json, or print the change of the graph with --patch.",
];

/** Flags of the commands that change an agent's snippets. */
const EDIT_FLAGS = {
  out: {
    value: "FILE",
    description: "Write to another file; *.callweave.json is the graph's document. Default: FILE itself",
  },
  patch: { description: "Print the change as a unified diff and write nothing" },
  export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
  from: { value: "FORMAT", description: "Format of a JSON file; detected from its keys by default" },
  json: { description: "Print { snippets, file or text, patch } as JSON" },
} satisfies { readonly [name: string]: Flag };

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

/** Places to name unless all are requested. */
const MOST_PLACES = 5;

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

/** The places of a snippet in one line, indented. */
function placeLine(paths: readonly Path[], style: Style, verbose: boolean): readonly string[] {
  if (paths.length === 0) return [];
  const shown = verbose ? paths : paths.slice(0, MOST_PLACES);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "";
  return wrap(style, `in ${shown.map(placeName).join(", ")}${more}`, 4, "  ");
}

/** A node's id for its prompt, else the path. */
function placeName(path: Path): string {
  const [root, id, part, ...rest] = path;
  return root === "nodes" && part === "state_prompt" && rest.length === 0 ? String(id) : path.join(".");
}

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

/** An agent to edit, and the file that it came from. */
export interface Editable extends AgentSource {
  readonly path: string;
}

export interface EditedAgent extends Editable {
  readonly edited: AgentGraph;
  /** Lines for the terminal that say what was changed. */
  readonly lines: readonly string[];
  /** The snippets that were added or removed. */
  readonly snippets: readonly {
    readonly name: string;
    readonly text?: string | undefined;
    readonly uses: readonly Path[];
  }[];
}

/**
 * Loads an agent to edit its snippets.
 *
 * @throws {UsageError} `usage` for a module without `--out` or `--patch`, because a module is not overwritten.
 */
async function loadEditable(path: string, args: Arguments, terminal: Terminal): Promise<Editable> {
  const out = args.text("out");
  if (out !== undefined && args.has("patch")) throw usage("--out and --patch are two outputs", "Pass one of them");
  if (isModulePath(path)) {
    if (out === undefined && !args.has("patch")) {
      const hint =
        "Write its graph with --out FILE.callweave.json, or print the change with --patch and make it in the module";
      throw usage(`"${path}" is a module, which cannot be rewritten`, hint);
    }
    refuseOverwriting("--out", out, [{ what: "the flow", path }]);
  }
  const options = { exportName: args.text("export"), format: args.text("from") };
  return { ...(await loadSource(path, terminal, options)), path };
}

/** Writes an edited agent, or prints the change. */
async function writeEdited(agent: EditedAgent, args: Arguments, terminal: Terminal): Promise<void> {
  const { path, lines, snippets } = agent;
  const out = args.text("out");
  const isPatch = args.has("patch");
  const target = out ?? (path === "-" || isPatch ? undefined : path);
  const { before, after, name } = textsOf(agent, out);
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
  if (target !== undefined) await writeTextFile(target, after, { signal: terminal.signal });
  if (args.has("json")) {
    const written = target === undefined ? { text: after } : { file: target };
    terminal.out(`${JSON.stringify({ snippets, ...written, patch }, null, 2)}\n`);
    return;
  }
  if (target === undefined) terminal.out(isPatch ? patch : after);
  terminal.err(lines.map((line) => `${line}\n`).join(""));
  if (target !== undefined) terminal.err(`wrote ${target}\n`);
}

/** The file's text before and after the edit: in the format of the source, or as the graph's document. */
function textsOf({ path, format, text, name, graph, edited }: EditedAgent, out: string | undefined) {
  if (text === undefined || (out !== undefined && isGraphFile(out))) {
    const file = out ?? `${name}.callweave.json`;
    const schema = schemaPath("graph", file);
    return { before: formatGraph(graph, schema), after: formatGraph(edited, schema), name: nameInPatch(file) };
  }
  const emitted = emit(edited, format);
  // serializing the graph loses the file's layout; this keeps it
  const after = format === GRAPH_FORMAT ? editJson(text, emitted.config, { keys: ["id", "name"] }) : emitted.text;
  if (!holds(after, format, edited)) {
    const hint =
      "Write the graph with --out FILE.callweave.json; emitting it writes the snippet's text into each prompt";
    throw usage(`"${path}" is a ${formatNamed(format).title}, which cannot hold this snippet`, hint);
  }
  return { before: text, after, name: path === "-" ? "stdin" : nameInPatch(path) };
}

/** The path relative to the current folder, as `patch -p1` and `git apply` expect it. */
function nameInPatch(path: string): string {
  return relative(process.cwd(), path).replaceAll("\\", "/");
}

/** Whether a document has the snippets of a graph. */
function holds(text: string, format: string, { snippets }: AgentGraph): boolean {
  const read = importAgent(text, { format }).graph.snippets;
  return sameJson(read, snippets);
}

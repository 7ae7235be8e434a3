import {
  affectedScenarios,
  diffGraphs,
  type GraphChange,
  namedChanges,
  overlayChanges,
} from "../../../agent/analysis/mod.ts";
import { drawSvg } from "../../../agent/pictures/mod.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { cut, oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import { listStyle } from "../format/mod.ts";
import { type Terminal, writeTextFile } from "../io/mod.ts";
import { openRuns, storedCalls } from "../runs/mod.ts";
import { refuseOverwriting } from "../sources.ts";
import { type Comparison, changesByNode, riskCounts, type StoredScenarios, withoutLongSame } from "./comparison.ts";
import { formatMarkdown } from "./format_markdown.ts";
import { loadVersion } from "./load_version.ts";

const SIDE = "Module that exports a graph, JSON that can be imported, or one of them in git as REV:PATH";

const COLORS = { high: "red", medium: "yellow", low: "dim" } as const;

/** `callweave diff`. */
export const diffCommand: Command = {
  name: "diff",
  summary: "Describe the differences between two versions of an agent",
  spec: {
    positionals: [
      { name: "BEFORE", description: SIDE },
      { name: "AFTER", description: SIDE },
    ],
    flags: {
      markdown: { description: "Print a comment for a pull request" },
      svg: { value: "FILE", description: "Also draw the later version with its changes" },
      db: { value: "URL", description: "List the scenarios in this results database that a change affects" },
      export: { value: "NAME", description: "Name of the export, if a module exports several graphs" },
      from: { value: "FORMAT", description: "Format of JSON sources; detected from their keys by default" },
      "exit-code": { description: "Exit with 1 if there are differences" },
      json: { description: "Print { changes, scenarios, unvisited } as JSON; the last two only with --db" },
    },
  },
  notes: [
    "REV:PATH is a file at a commit, in git's notation: HEAD~1:flow.ts, main:agents/shop.json. The path counts from the",
    "top of the repository, or with ./ from the current folder. Modules find what they import at that commit.",
    "A renamed node is found by its content and counts as one change.",
  ],
  examples: [
    "callweave diff HEAD:flow.ts flow.ts",
    "callweave diff main:flow.ts flow.ts --markdown --db .callweave/results.db",
    "callweave diff deployed.json flow.ts --svg changes.svg",
  ],
  run: async (args, terminal) => {
    if (args.has("markdown") && args.has("json"))
      throw usage("--markdown and --json are two outputs", "Pass one of them");
    const sides = [args.at("BEFORE"), args.at("AFTER")] as const;
    const svg = args.text("svg");
    refuseOverwriting(
      "--svg",
      svg,
      sides.map((path) => ({ what: "a source", path })),
    );
    const options = { exportName: args.text("export"), format: args.text("from") };
    const before = await loadVersion(sides[0], terminal, options);
    const after = await loadVersion(sides[1], terminal, options);
    const changes = diffGraphs(before.graph, after.graph);
    const names = [before.name, after.name];
    const stored = args.text("db") === undefined ? {} : { stored: await scenariosOf(changes, names, args, terminal) };
    const redactor = createRedactor({ env: terminal.env }); // options of platforms may hold keys
    const comparison = redactor.value({ name: after.name, changes, ...stored });
    if (svg !== undefined) {
      const { graph, ...marks } = overlayChanges(before.graph, after.graph, changes);
      await writeTextFile(svg, redactor.text(drawSvg(graph, { marks })), { signal: terminal.signal });
    }
    const shown = {
      ...comparison,
      changes: namedChanges(comparison.changes, before.graph, after.graph),
      ...(comparison.stored ? { stored: namedScenarios(comparison.stored, after.graph) } : {}),
    };
    terminal.out(formatted(args.has("json") ? comparison : shown, args, terminal));
    return args.has("exit-code") && changes.length > 0 ? 1 : 0;
  },
};

function formatted(comparison: Comparison, args: Arguments, terminal: Terminal): string {
  const { changes, stored } = comparison;
  if (args.has("markdown")) return formatMarkdown(comparison);
  if (!args.has("json")) return formatTerminal(comparison, listStyle(terminal.stdout, terminal.env));
  const more = stored ? { scenarios: stored.affected, unvisited: stored.unvisited } : {};
  return `${JSON.stringify({ changes, ...more }, null, 2)}\n`;
}

/** The stored scenarios, with the names of nodes that people know. */
function namedScenarios(stored: StoredScenarios, graph: AgentGraph): StoredScenarios {
  const { of } = nodeNames(graph);
  const affected = stored.affected.map((each) => ({ ...each, nodes: each.nodes.map(of) }));
  return { ...stored, affected, unvisited: stored.unvisited.map(of) };
}

async function scenariosOf(
  changes: readonly GraphChange[],
  names: readonly string[],
  args: Arguments,
  terminal: Terminal,
): Promise<StoredScenarios> {
  await using store = await openRuns(args, terminal);
  const results = await storedCalls(store, names, terminal.signal);
  const visited = new Set(results.flatMap(({ nodesVisited }) => nodesVisited));
  const changed = changes.filter(({ nodes }) => nodes !== undefined && nodes.length > 0);
  const unvisited = changed.filter(({ nodes = [] }) => !nodes.some((id) => visited.has(id)));
  return {
    url: store.url,
    count: new Set(results.map(({ scenario }) => scenario)).size,
    affected: affectedScenarios(changes, results),
    unvisited: [...new Set(unvisited.flatMap(({ node }) => node ?? []))],
  };
}

/** Formats a comparison: the changes by node, word diffs, and the stored scenarios that visit changed nodes. */
export function formatTerminal({ name, changes, stored }: Comparison, style: Style): string {
  if (changes.length === 0) return `${oneLine(name)}: no differences\n`;
  const groups = [...changesByNode(changes)].flatMap(([node, group]) => [
    "",
    paint(style, "bold", node === undefined ? "the agent" : oneLine(group[0]?.nodeName ?? node)),
    ...group.flatMap((change) => lines(change, style)),
  ]);
  const head = `${oneLine(name)}: ${riskCounts(changes)}`;
  return `${[head, ...groups, ...(stored ? scenarioLines(stored, style) : [])].join("\n")}\n`;
}

function lines(change: GraphChange, style: Style): readonly string[] {
  const [first = "", ...rest] = wrap(style, change.message, 10);
  const risk = paint(style, COLORS[change.risk], change.risk.padEnd(6));
  return [`  ${risk}  ${first.trimStart()}`, ...rest, ...wordLines(change, style)];
}

/** The marks of `git diff --word-diff`, coloured if the terminal has colours. */
function wordLines({ words }: GraphChange, style: Style): readonly string[] {
  if (!words) return [];
  const marked = withoutLongSame(words).map(({ change, text }) => {
    if (change === "same") return text;
    return change === "added" ? `{+${text}+}` : `[-${text}-]`;
  });
  return wrap(style, marked.join(""), 12).map((line) => colored(line, style));
}

function colored(line: string, style: Style): string {
  if (!style.color) return line;
  return line.replace(/\[-.*?(?:-\]|$)|\{\+.*?(?:\+\}|$)/g, (part) =>
    paint(style, part.startsWith("{") ? "green" : "red", part),
  );
}

function scenarioLines({ url, count, affected, unvisited }: StoredScenarios, style: Style): readonly string[] {
  const head = `Stored scenarios that a change affects: ${affected.length} of ${count} (${url})`;
  const width = Math.min(50, Math.max(0, ...affected.map(({ scenario }) => oneLine(scenario).length)));
  const rows = affected.map(({ scenario, nodes }) => {
    const where = nodes.length === 0 ? "every call" : nodes.map(oneLine).join(", ");
    return cut(`  ${cut(oneLine(scenario), width).padEnd(width)}  ${where}`, style.width);
  });
  const left = unvisited.length === 0 ? [] : wrap(style, `No stored scenario visits: ${unvisited.join(", ")}`, 0);
  return ["", paint(style, "bold", head), ...rows, ...left];
}

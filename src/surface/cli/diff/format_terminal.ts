import type { GraphChange } from "../../../agent/analysis/mod.ts";
import { cut, oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import { type Comparison, changesByNode, riskCounts, type StoredScenarios, withoutLongSame } from "./comparison.ts";

const COLORS = { high: "red", medium: "yellow", low: "dim" } as const;

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

import type { GraphChange } from "../../../agent/analysis/mod.ts";
import { escapeContent } from "../../../base/values/mod.ts";
import { markdownCode } from "../format/mod.ts";
import { type Comparison, riskCounts, type StoredScenarios, withoutLongSame } from "./comparison.ts";

/** GitHub refuses comments of 65,536 characters; the rest is left for headings and notes. */
const MOST_ROWS = 30_000;
const MOST_TEXTS = 25_000;
const MOST_SCENARIOS = 100;
/** Texts up to this length are not folded. */
const SHORT = 300;

/** Formats a comparison as a comment for a pull request: a table of changes, then word diffs, long ones folded. */
export function formatMarkdown({ name, changes, stored }: Comparison): string {
  if (changes.length === 0) return `### ${prose(name)}: no differences\n`;
  const rows = changes.map(({ risk, node, nodeName, message }) => {
    const place = node === undefined ? "the agent" : markdownCode(nodeName ?? node);
    return `| ${risk === "high" ? "**high**" : risk} | ${place} | ${sentence(message)} |`;
  });
  const texts = changes.filter(({ words }) => words !== undefined).map(textBlock);
  const shownRows = upTo(rows, MOST_ROWS);
  const shownTexts = upTo(texts, MOST_TEXTS);
  return [
    `### ${prose(name)}: ${riskCounts(changes)}`,
    "",
    "| risk | node | change |",
    "| --- | --- | --- |",
    ...shownRows,
    ...more(rows.length - shownRows.length, "changes"),
    ...shownTexts,
    ...more(texts.length - shownTexts.length, "texts"),
    ...(stored ? scenarioLines(stored) : []),
    "",
  ].join("\n");
}

function textBlock(change: GraphChange): string {
  const words = change.words ?? [];
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  const parts = withoutLongSame(words, SHORT).map(({ change: kind, text }) => {
    if (kind === "same") return escapeContent(text);
    return kind === "added" ? `<ins>${escapeContent(text)}</ins>` : `<del>${escapeContent(text)}</del>`;
  });
  // within <pre> nothing is Markdown, blank lines included
  const text = `<pre>${parts.join("")}</pre>`;
  if (length <= SHORT) return `\n${prose(titleOf(change))}\n\n${text}`;
  return `\n<details><summary>${escapeContent(titleOf(change))}</summary>\n\n${text}\n\n</details>`;
}

/** The sentence of a change, without the text that is shown in full below. */
function titleOf({ message }: GraphChange): string {
  return message.replace(/: ".*/s, "").replace(/`/g, "");
}

function scenarioLines({ count, affected, unvisited }: StoredScenarios): readonly string[] {
  const rows = affected.slice(0, MOST_SCENARIOS).map(({ scenario, nodes }) => {
    const where = nodes.length === 0 ? "every call" : nodes.map(markdownCode).join(", ");
    return `- ${prose(scenario)}: ${where}`;
  });
  return [
    "",
    `**Stored scenarios that a change affects: ${affected.length} of ${count}**`,
    "",
    ...rows,
    ...more(affected.length - rows.length, "scenarios"),
    ...(unvisited.length > 0 ? ["", `No stored scenario visits ${unvisited.map(markdownCode).join(", ")}.`] : []),
  ];
}

function more(count: number, what: string): readonly string[] {
  return count > 0 ? ["", `and ${count} more ${what}; \`callweave diff\` shows all.`] : [];
}

/** The first parts that fit into a number of characters. */
function upTo(parts: readonly string[], most: number): readonly string[] {
  let length = 0;
  return parts.filter((part) => {
    length += part.length + 1;
    return length <= most;
  });
}

/** Escapes a sentence, except for its code parts. */
function sentence(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? markdownCode(part.slice(1, -1)) : prose(part)))
    .join("");
}

/** Text without any mark-up or mention. */
function prose(text: string): string {
  return escapeContent(text.replace(/\s+/g, " "))
    .replaceAll(/[\\`*_{}[\]|~#]/g, "\\$&")
    .replaceAll("@", "@<!-- -->");
}

import { cut, oneLine, pad, paint, type Style, wrap } from "../../../base/values/mod.ts";
import type { DeployPlan } from "../../../deploy/mod.ts";
import { formatTerminal } from "../diff/mod.ts";
import { formatFindings, formatLosses } from "../format/mod.ts";
import { numberRows, placeWords, releaseLines, resourceRows, valueWords } from "./words.ts";

/** Maximum length of a value in a list of conflicts. */
const MOST_VALUE = 300;

/** Formats a plan as text: resources, changes, conflicts, losses and findings. */
export function formatPlan(plan: DeployPlan, style: Style, verbose: boolean): string {
  const { changes, remoteChanges, losses, findings } = plan;
  const serious = findings.filter(({ severity }) => severity !== "info");
  return [
    `${paint(style, "bold", `Plan: ${oneLine(placeWords(plan))}`)}\n`,
    alignedRows(resourceRows(plan.resources)),
    alignedRows(numberRows(plan)),
    unusedLines(plan),
    releaseLines(plan)
      .map((line) => `  ${oneLine(line)}\n`)
      .join(""),
    goneLine(plan),
    ...(remoteChanges.length > 0
      ? [`\n${formatTerminal({ name: "Changed on the platform", changes: remoteChanges }, style)}`]
      : []),
    ...(changes.length > 0 ? [`\n${formatTerminal({ name: "To be applied", changes }, style)}`] : []),
    conflictLines(plan.conflicts, style),
    ...(losses.length > 0 ? [`\n${formatLosses(`Losses as ${plan.to}`, losses, style, verbose)}`] : []),
    ...(serious.length > 0 ? [`\n${formatFindings(serious, style, verbose)}`] : []),
  ].join("");
}

/**
 * Conflicting changes, with both values.
 *
 * @param taken The side whose values were taken; absent: the conflicts are open.
 */
export function conflictLines(conflicts: DeployPlan["conflicts"], style: Style, taken?: "local" | "remote"): string {
  const count = conflicts.length === 1 ? "1 conflict" : `${conflicts.length} conflicts`;
  const both = `${count}: code and platform have both changed`;
  if (taken === undefined) return valueLines(paint(style, "red", both), conflicts, style);
  const side = taken === "local" ? "the code" : "the platform";
  return valueLines(`${both}; ${side} wins, as --take ${taken} asks`, conflicts, style);
}

/** Places with both values, below a title; nothing if there are none. */
export function valueLines(title: string, places: DeployPlan["conflicts"], style: Style): string {
  if (places.length === 0) return "";
  const lines = places.flatMap(({ address, path, local, remote }) => [
    `  ${oneLine([address, ...path].join("."))}`,
    ...wrap(style, `code:     ${cut(oneLine(valueWords(local)), MOST_VALUE)}`, 14, "    "),
    ...wrap(style, `platform: ${cut(oneLine(valueWords(remote)), MOST_VALUE)}`, 14, "    "),
  ]);
  return `\n${title}\n${lines.join("\n")}\n`;
}

/** Rows with aligned columns, one a line. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => pad(oneLine(cell), widths[column] ?? 0)).join("  ")}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

/** An API key of another workspace cannot see the agent, which then looks deleted. */
function goneLine({ resources }: DeployPlan): string {
  if (resources.length === 0 || resources.some(({ state }) => state !== "missing")) return "";
  return "Nothing of it is there: check that the key is that of its workspace. To create it again, apply with --recreate\n";
}

function unusedLines({ unused }: DeployPlan): string {
  return alignedRows(
    unused.map(({ address, id }) => ["unused", `${address} (${id})`, "no longer used; --prune deletes it"]),
  );
}

import { shorten } from "../../../base/values/mod.ts";
import type { DeployPlan } from "../../../deploy/mod.ts";
import { formatMarkdown } from "../diff/mod.ts";
import { markdownCode } from "../format/mod.ts";
import { numberRows, placeWords, resourceRows, valueWords } from "./words.ts";

/** Limits for a comment: length of a value, number of conflicts. */
const MOST_VALUE = 500;
const MOST_CONFLICTS = 30;

/** Formats a plan as a comment for a pull request. */
export function formatPlanMarkdown(plan: DeployPlan): string {
  const { changes, remoteChanges, conflicts, losses, findings } = plan;
  const dropped = losses.filter(({ kind }) => kind === "dropped").length;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  return [
    `## Plan: ${text(placeWords(plan))}`,
    "",
    "| action | resource | state |",
    "| --- | --- | --- |",
    ...[...resourceRows(plan.resources), ...numberRows(plan)].map(
      ([action, resource, state]) => `| ${action} | ${markdownCode(resource)} | ${state} |`,
    ),
    ...plan.unused.map(
      ({ address, id }) => `| unused | ${markdownCode(`${address} (${id})`)} | \`--prune\` deletes it |`,
    ),
    "",
    ...(changes.length > 0 ? [formatMarkdown({ name: "To be applied", changes })] : []),
    ...(remoteChanges.length > 0 ? [formatMarkdown({ name: "Changed on the platform", changes: remoteChanges })] : []),
    ...conflictBlock(conflicts),
    ...(losses.length > 0 ? [`Losses: ${losses.length - dropped} emulated, ${dropped} dropped.`, ""] : []),
    ...(errors + warnings > 0 ? [`Findings: ${errors} errors, ${warnings} warnings.`, ""] : []),
  ].join("\n");
}

function conflictBlock(conflicts: DeployPlan["conflicts"]): readonly string[] {
  if (conflicts.length === 0) return [];
  const shown = conflicts.slice(0, MOST_CONFLICTS);
  const left = conflicts.length - shown.length;
  return [
    `### ${conflicts.length} conflict${conflicts.length === 1 ? "" : "s"}: code and platform have both changed`,
    "",
    "| place | code | platform |",
    "| --- | --- | --- |",
    ...shown.map(
      ({ address, path, local, remote }) =>
        `| ${markdownCode([address, ...path].join("."))} | ${valueCell(local)} | ${valueCell(remote)} |`,
    ),
    ...(left > 0 ? ["", `and ${left} more.`] : []),
    "",
  ];
}

function valueCell(value: unknown): string {
  return markdownCode(shorten(valueWords(value), MOST_VALUE));
}

function text(words: string): string {
  return words
    .replace(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]|~#<>&]/g, "\\$&")
    .replaceAll("@", "@<!-- -->");
}

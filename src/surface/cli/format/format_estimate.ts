import { formatDollars, plural } from "../../../base/values/mod.ts";
import type { Estimate, EstimatedUsage, Range } from "../../../run/runner/mod.ts";

/**
 * Formats an estimate: a row for each role, then notes on what it does not cover.
 *
 * @param run `isQueued`: workers run the calls.
 */
export function formatEstimate(
  { turn, scenarios, roles, total, unpriced }: Estimate,
  { isQueued = false }: { readonly isQueued?: boolean } = {},
): string {
  const used = (["agent", "caller", "judge"] as const).filter((role) => roles[role].calls.worst > 0);
  const rows = [
    ...used.map((role) => [role, roles[role].models.join(", "), ...cells(roles[role])]),
    ["total", "", ...cells(total)],
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
  const count = plural(scenarios.length, "scenario");
  return [
    `${count}, turn mode "${turn}"; no model was called`,
    "",
    ...table,
    "",
    `Calls are bounds for completed conversations. If every answer is rejected or empty, at most ${number(total.calls.worst)}.`,
    ...(isQueued ? ["Workers run the calls. Each call has its own requests about its replies."] : []),
    "Tokens are rough, from the lengths of prompts and of typical replies. Costs are list prices.",
    ...unpriced.map((model) => `The price of ${model} is unknown; its cost is not included.`),
    "",
  ].join("\n");
}

function cells({ calls, inputTokens, outputTokens, costUsd }: EstimatedUsage): readonly string[] {
  const tokens = { least: inputTokens.least + outputTokens.least, most: inputTokens.most + outputTokens.most };
  return [
    `${range(calls, number)} calls`,
    `${range(tokens, rounded)} tokens`,
    costUsd === null ? "price not known" : range(costUsd, dollars),
  ];
}

function range({ least, most }: Range, write: (value: number) => string): string {
  const [from, to] = [write(least), write(most)];
  return from === to ? from : `${from} to ${to}`;
}

function number(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en-US") : "any number";
}

/** Rounds to two significant digits, the precision of the estimate. */
function rounded(value: number): string {
  return Number.isFinite(value) ? number(Number(value.toPrecision(2))) : number(value);
}

function dollars(value: number): string {
  return Number.isFinite(value) ? formatDollars(value) : "any number of dollars";
}

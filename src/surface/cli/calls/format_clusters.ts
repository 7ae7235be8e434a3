import { cut, oneLine, paint, type Style } from "../../../base/values/mod.ts";
import type { CallClusters, CallGroup } from "../../../run/calls/mod.ts";

const LONGEST_QUOTE = 90;

/** Formats groups of calls as text: those without a scenario first. */
export function formatClusters(
  { groups, calls, coveredShare, unclear, by, similarity }: CallClusters,
  { style, top, hasScenarios }: { readonly style: Style; readonly top: number; readonly hasScenarios: boolean },
): string {
  const open = groups.filter(({ coveredBy }) => coveredBy.length === 0);
  const covered = groups.filter(({ coveredBy }) => coveredBy.length > 0);
  const shown = open.slice(0, top);
  const lines = [
    `${calls} calls in ${groups.length} groups, by ${by} (similarity ${similarity})`,
    ...(hasScenarios ? [`covered by scenarios: ${percent(coveredShare)} of the calls`] : []),
    "",
    paint(style, "bold", titleOf(groups, open, hasScenarios)),
    ...shown.flatMap((group) => lineOf(group, style)),
    ...(open.length > shown.length ? [restOf(open.slice(top))] : []),
    ...(covered.length > 0 ? ["", paint(style, "bold", "Covered")] : []),
    ...covered
      .slice(0, top)
      .flatMap((group) => [
        ...lineOf(group, style),
        paint(style, "dim", `          scenario ${group.coveredBy.map((name) => `"${oneLine(name)}"`).join(", ")}`),
      ]),
    ...(covered.length > top ? [restOf(covered.slice(top))] : []),
    ...(unclear.length > 0 ? ["", `${unclear.length} calls do not say what the caller wanted`] : []),
  ];
  const [first] = open;
  const next = first ? ["", `next: npx callweave calls to-scenario ${first.representative.id}`] : [];
  return `${[...lines, ...next].join("\n")}\n`;
}

function titleOf(groups: readonly CallGroup[], open: readonly CallGroup[], hasScenarios: boolean): string {
  if (groups.length === 0) return "There are no groups";
  if (open.length === 0) return "Every group has a scenario";
  return hasScenarios ? "Groups without a scenario" : "What callers wanted";
}

function lineOf({ name, calls, share, representative }: CallGroup, style: Style): readonly string[] {
  const quote = cut(oneLine(representative.text), LONGEST_QUOTE);
  return [
    `  ${String(calls).padStart(5)}  ${percent(share).padStart(5)}  ${paint(style, "bold", oneLine(name))}`,
    paint(style, "dim", `          "${quote}" (${representative.id})`),
  ];
}

function restOf(groups: readonly CallGroup[]): string {
  const calls = groups.reduce((sum, group) => sum + group.calls, 0);
  return `  and ${groups.length} more groups with ${calls} calls; --top shows more`;
}

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? "< 1 %" : `${Math.round(value)} %`;
}

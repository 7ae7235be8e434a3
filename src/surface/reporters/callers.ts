import { cut, oneLine, pad, paint, type Style, terminalWidth, wrap } from "../../base/values/mod.ts";
import type { CallerRate, CallerTable } from "../../run/summary/mod.ts";

const WIDEST_NAME = 32;
const NARROWEST_NAME = 16;
const GAP = "  ";

/**
 * Formats the table of scenarios and callers: passes of trials in each cell, and over all scenarios in the last row. Callers
 * that do not fit beside each other go into tables below.
 */
export function callerLines(table: CallerTable, style: Style): readonly string[] {
  const names = [...table.rows.map(({ scenario }) => terminalWidth(oneLine(scenario))), ALL.length];
  const first = Math.min(Math.max(...names), WIDEST_NAME, Math.max(NARROWEST_NAME, Math.floor(style.width / 3)));
  const columns = table.callers.map((caller, at) => columnOf(oneLine(caller), at, table));
  const lines: string[] = [];
  for (const group of groupsOf(columns, style.width - first - 2)) {
    if (lines.length > 0) lines.push("");
    const depth = Math.max(...group.map(({ head }) => head.length));
    for (let line = 0; line < depth; line++) {
      const heads = group.map(({ head, width }) => pad(head[line - depth + head.length] ?? "", width));
      lines.push(paint(style, "dim", `  ${pad("", first)}${GAP}${heads.join(GAP)}`.trimEnd()));
    }
    for (const [row, { scenario }] of table.rows.entries()) {
      const cells = group.map(({ cells, width }) => cellOf(cells[row] ?? null, width, style));
      lines.push(`  ${pad(cut(oneLine(scenario), first), first)}${GAP}${cells.join(GAP)}`.trimEnd());
    }
    const totals = group.map(({ total, width }) => pad(percentOf(total), width));
    lines.push(`  ${pad(ALL, first)}${GAP}${totals.join(GAP)}`.trimEnd());
  }
  return [...lines, ...wrap(style, callerSentence(table), 2)];
}

const ALL = "all scenarios";

/** One sentence about which callers it works for. */
export function callerSentence({ callers, totals }: CallerTable): string {
  const rates = callers.map((caller, at) => ({ caller, rate: totals[at] }));
  const worse = rates.filter(({ rate }) => rate && rate.passRate !== null && rate.passRate < 1);
  const unknown = rates.filter(({ rate }) => !rate || rate.passRate === null).map(({ caller }) => caller);
  const open = unknown.length === 0 ? "" : `; no result for ${unknown.join(", ")}`;
  const told = worse.map(({ caller, rate }) => `${caller} (${rate?.passes} of ${rate?.trials})`).join(", ");
  const known = rates.length - unknown.length;
  if (known === 0) return "No caller has a result";
  if (worse.length === 0) return `Works for every caller${unknown.length === 0 ? "" : " with a result"}${open}`;
  if (worse.length === known) return `Fails with every caller: ${told}${open}`;
  return `Works for every caller but ${told}${open}`;
}

interface Column {
  readonly head: readonly string[];
  readonly width: number;
  readonly cells: readonly (CallerRate | null)[];
  readonly total: CallerRate | undefined;
}

function columnOf(caller: string, at: number, { rows, totals }: CallerTable): Column {
  const head = headOf(caller);
  const cells = rows.map(({ cells }) => cells[at] ?? null);
  const texts = [...head, ...cells.map(textOf), percentOf(totals[at])];
  return { head, width: Math.max(...texts.map(terminalWidth)), cells, total: totals[at] };
}

/** Breaks a long name at its hyphens. */
function headOf(caller: string): readonly string[] {
  const lines: string[] = [];
  for (const part of caller.split(/(?<=-)/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.length > WIDEST_HEAD) lines.push(part);
    else lines.splice(-1, 1, last + part);
  }
  return lines;
}

const WIDEST_HEAD = 9;

function groupsOf(columns: readonly Column[], width: number): readonly (readonly Column[])[] {
  const groups: Column[][] = [];
  let left = 0;
  for (const column of columns) {
    const needed = column.width + GAP.length;
    if (groups.length === 0 || needed > left) {
      groups.push([]);
      left = width;
    }
    groups.at(-1)?.push(column);
    left -= needed;
  }
  return groups;
}

function cellOf(rate: CallerRate | null, width: number, style: Style): string {
  const text = textOf(rate);
  const space = " ".repeat(Math.max(0, width - terminalWidth(text)));
  if (!rate) return `${text}${space}`;
  const color = rate.trials === 0 ? "yellow" : rate.passes === rate.trials ? "green" : "red";
  return `${paint(style, color, text)}${space}`;
}

/** The text of a cell: `2/3`, or why there is no trial. */
export function textOf(rate: CallerRate | null): string {
  if (!rate) return "";
  if (rate.trials > 0) return `${rate.passes}/${rate.trials}`;
  return rate.invalid > 0 ? "invalid" : "none";
}

function percentOf(rate: CallerRate | undefined): string {
  return rate?.passRate == null ? "–" : `${Math.round(rate.passRate * 100)} %`;
}

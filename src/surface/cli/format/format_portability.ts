import type { Loss } from "../../../../platforms/mod.ts";
import type { Ported, PortedState } from "../../../agent/check/mod.ts";
import { cut, oneLine, pad, paint, type Style, terminalWidth, wrap } from "../../../base/values/mod.ts";
import { groupByCode, placeLines, sharedBy } from "./grouped.ts";

const COLORS = { exact: "dim", emulated: "yellow", dropped: "red", refused: "red" } as const;
const STATES = ["exact", "emulated", "dropped", "refused"] as const;
const LONGEST_NAME = 28;

/**
 * Formats how an agent maps to platforms: a line of counts for each target, and a table of the parts that are not exact
 * everywhere.
 *
 * @param verbose Lists every part that is exact everywhere too, and every loss.
 */
export function formatPortability(ported: readonly Ported[], style: Style, verbose = false): string {
  const emitted = ported.filter(({ error }) => error === undefined);
  const rows = [...rowsOf(emitted, "nodes"), ...rowsOf(emitted, "settings")];
  const shown = verbose ? rows : rows.filter(({ states }) => states.some((state) => state !== "exact"));
  const exact = rows.length - shown.length;
  return `${[
    ...ported.flatMap((each) => summaryOf(each, style)),
    "",
    ...tablesOf(
      emitted.map(({ target }) => target),
      shown,
      style,
    ),
    ...(exact > 0 ? [`exact everywhere: ${exact} of ${rows.length} nodes and settings`] : []),
    ...(verbose ? emitted.map(({ title, losses }) => `\n${formatLosses(title, losses, style, true)}`.trimEnd()) : []),
    ...(verbose ? [] : ["--verbose shows every part, and why it is not exact"]),
  ].join("\n")}\n`;
}

interface Row {
  readonly name: string;
  /** In the order of the targets. */
  readonly states: readonly PortedState[];
}

function rowsOf(ported: readonly Ported[], part: "nodes" | "settings"): readonly Row[] {
  const names = new Set(ported.flatMap((each) => Object.keys(each[part])));
  return [...names].map((name) => ({
    name: part === "nodes" ? `node ${name}` : name === "nodes" ? "all nodes" : `setting ${name}`,
    states: ported.map((each) => each[part][name] ?? "exact"),
  }));
}

function summaryOf({ target, nodes, settings, error, findings }: Ported, style: Style): readonly string[] {
  if (error) return wrap(style, `${target}: nothing is emitted: ${error.message}; ${error.hint}`, 2).map(unindented);
  const states = [...Object.values(nodes), ...Object.values(settings)];
  const counts = STATES.map((state) => `${states.filter((each) => each === state).length} ${state}`);
  const errors = findings.filter(({ severity }) => severity === "error").map(({ message }) => `  refused: ${message}`);
  return [`${target}: ${counts.join(", ")}`, ...errors.flatMap((line) => wrap(style, line, 4, "  "))];
}

function unindented(line: string, index: number): string {
  return index === 0 ? line.trimStart() : line;
}

/** One table, or several below each other if the targets do not fit the width. */
function tablesOf(targets: readonly string[], rows: readonly Row[], style: Style): readonly string[] {
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => cut(oneLine(name), LONGEST_NAME));
  const first = Math.max(...names.map(terminalWidth)) + 2;
  const widths = targets.map((target) => Math.max(target.length, "emulated".length) + 2);
  const lines: string[] = [];
  for (let from = 0; from < targets.length; ) {
    let to = from;
    let width = first;
    while (to < targets.length && (to === from || width + (widths[to] ?? 0) <= style.width)) {
      width += widths[to] ?? 0;
      to += 1;
    }
    const columns = widths.slice(from, to);
    lines.push(
      paint(style, "bold", " ".repeat(first) + inColumns(targets.slice(from, to), columns).join("")).trimEnd(),
    );
    for (const [index, { states }] of rows.entries()) {
      const cells = states.slice(from, to);
      const painted = inColumns(cells, columns).map((text, cell) => paint(style, COLORS[cells[cell] ?? "exact"], text));
      lines.push((pad(names[index] ?? "", first) + painted.join("")).trimEnd());
    }
    lines.push("");
    from = to;
  }
  return lines;
}

function inColumns(texts: readonly string[], widths: readonly number[]): readonly string[] {
  return texts.map((text, index) => pad(text, widths[index] ?? 0));
}

/**
 * Formats losses: a paragraph per code, dropped ones first.
 *
 * @param verbose Lists every place, what was emitted there and what to change.
 */
export function formatLosses(title: string, losses: readonly Loss[], style: Style, verbose = false): string {
  const counts = (["emulated", "dropped"] as const).map(
    (kind) => `${losses.filter((loss) => loss.kind === kind).length} ${kind}`,
  );
  const lines = (["dropped", "emulated"] as const).flatMap((kind) =>
    groupByCode(losses.filter((loss) => loss.kind === kind)).flatMap((group) => {
      const { code, items, message } = group;
      const count = items.length > 1 ? ` (${items.length} places)` : "";
      const instead = sharedBy(items, (item) => item.instead);
      const hint = sharedBy(items, (item) => item.hint);
      return [
        ...wrap(style, `${kind} ${code}${count}${message === undefined ? "" : `: ${message}`}`, 4, "  "),
        ...(verbose && instead !== undefined ? wrap(style, `emitted: ${instead}`, 6, "    ") : []),
        ...(verbose && hint !== undefined ? wrap(style, `hint: ${hint}`, 6, "    ") : []),
        ...placeLines(group, verbose).flatMap((line) => wrap(style, line, 6, "    ")),
      ];
    }),
  );
  const foot =
    verbose || losses.length === 0 ? [] : ["--verbose shows every place, what was emitted and what to change"];
  return `${[`${title}: ${counts.join(", ")}`, ...lines, ...foot].join("\n")}\n`;
}

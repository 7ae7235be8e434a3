import type { Finding } from "../../../../platforms/mod.ts";
import { type Style, sameJson, wrap } from "../../../base/values/mod.ts";
import { type Group, groupByCode, placeLines, sharedBy } from "./grouped.ts";

const ORDER = ["error", "warning", "info"] as const;

/**
 * Formats findings, the worst first and grouped by code, with a last line that counts them. Every place of an error
 * is listed, because each has to be fixed.
 *
 * @param verbose Lists every place of the others too, and the hints of infos.
 * @param whole The command that shows all findings, for a note when some are left out.
 */
export function formatFindings(
  findings: readonly Finding[],
  style: Style,
  verbose = false,
  whole = "--verbose",
): string {
  if (findings.length === 0) return "no findings\n";
  const lines = groupLines(findings, style, verbose);
  const isWhole = verbose || sameJson(lines, groupLines(findings, style, true));
  const foot = isWhole ? [] : [`${whole} shows every place and all hints`];
  return [...lines, "", countFindings(findings), ...foot, ""].join("\n");
}

function groupLines(findings: readonly Finding[], style: Style, verbose: boolean): readonly string[] {
  return ORDER.flatMap((severity) =>
    groupByCode(findings.filter((finding) => finding.severity === severity)).flatMap((group) =>
      formatGroup(group, severity, style, verbose),
    ),
  );
}

/** `1 error, 2 warnings, 0 info`. */
function countFindings(findings: readonly Finding[]): string {
  return ORDER.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${severity}${count === 1 || severity === "info" ? "" : "s"}`;
  }).join(", ");
}

function formatGroup(
  group: Group<Finding>,
  severity: Finding["severity"],
  style: Style,
  verbose: boolean,
): readonly string[] {
  const { code, items, message } = group;
  const all = verbose || severity === "error";
  const count = items.length > 1 ? ` (${items.length} places)` : "";
  const hints = verbose || severity !== "info" ? [...new Set(items.flatMap(({ hint }) => hint ?? []))] : [];
  const shared = sharedBy(items, ({ hint }) => hint);
  const instead = sharedBy(items, (item) => item.instead);
  return [
    ...hanging(style, `${severity}[${code}]${message === undefined ? "" : ` ${message}`}${count}`),
    ...(verbose && instead !== undefined ? wrap(style, `emitted: ${instead}`, 4, "  ") : []),
    ...placeLines(group, all).flatMap((line) => wrap(style, line, 4, "  ")),
    ...(all || shared !== undefined ? hints : hints.slice(0, 1)).flatMap((hint) =>
      wrap(style, `hint: ${hint}`, 4, "  "),
    ),
  ];
}

/** Indents the lines of a text after the first. */
function hanging(style: Style, text: string): readonly string[] {
  const [first = "", ...rest] = wrap(style, text, 2);
  return [first.trimStart(), ...rest];
}

import { formatNamed } from "../../../../platforms/mod.ts";
import { CHANGE_AREAS, type Change, type ConstructKind, type Conversion } from "../../../agent/convert/mod.ts";
import { escapeMarkup, pad, paint, type Style, terminalWidth, wrap } from "../../../base/values/mod.ts";
import { withNodeNames } from "../../../document/graph/mod.ts";
import { groupByCode, placeLines, sharedBy } from "./grouped.ts";
import { markdownCode } from "./markdown_code.ts";

const COLORS = { exact: "dim", emulated: "yellow", dropped: "red", refused: "red" } as const;
const STATES = ["exact", "emulated", "dropped", "refused"] as const;
const KINDS: readonly (readonly [ConstructKind, string])[] = [
  ["node", "nodes"],
  ["transition", "transitions"],
  ["tool", "tools"],
  ["variable", "extracted variables"],
  ["setting", "settings"],
];

/**
 * Formats what a person decides a move by: how many parts are exact, what changes for callers, what is left to decide,
 * and which secrets were taken out.
 *
 * @param verbose Lists every place, what was emitted there and what to change.
 */
export function formatConversion(source: string, conversion: Conversion, style: Style, verbose = false): string {
  const { changes, decisions, secrets, graph, findings } = conversion;
  const named = withNodeNames(changes, graph);
  const lines = CHANGE_AREAS.flatMap((area) => {
    const found = named.filter((change) => change.area === area);
    return found.length === 0 ? [] : ["", paint(style, "bold", area), ...areaLines(found, style, verbose)];
  });
  const foot =
    verbose || changes.length === 0 ? [] : ["--verbose shows every place, what was emitted and what to change"];
  return `${[
    `${source} as ${formatNamed(conversion.to).title}`,
    "",
    ...tableOf(conversion, style),
    ...lines,
    ...listed(
      `To decide (${decisions.length})`,
      decisions.map(({ about, message, hint }) => `${about}: ${message}. ${hint}`),
      style,
    ),
    ...listed(
      `Secrets that became references (${secrets.length})`,
      secrets.map(({ name, places }) => `{{env:${name}}} at ${places.map((place) => place.join(".")).join(", ")}`),
      style,
    ),
    ...listed(
      `Not read as intended (${findings.length})`,
      findings.map(({ message }) => message),
      style,
    ),
    ...(foot.length > 0 ? ["", ...foot] : []),
  ].join("\n")}\n`;
}

function listed(title: string, items: readonly string[], style: Style): readonly string[] {
  if (items.length === 0) return [];
  return ["", paint(style, "bold", title), ...items.flatMap((item) => wrap(style, item, 4, "  "))];
}

function areaLines(changes: readonly Change[], style: Style, verbose: boolean): readonly string[] {
  return STATES.toReversed().flatMap((state) =>
    groupByCode(changes.filter((change) => change.state === state)).flatMap((group) => {
      const { code, items, message } = group;
      const count = items.length > 1 ? ` (${items.length} places)` : "";
      const instead = sharedBy(items, (item) => item.instead);
      const hint = sharedBy(items, (item) => item.hint);
      return [
        ...wrap(style, `${state} ${code}${count}${message === undefined ? "" : `: ${message}`}`, 4, "  "),
        ...(instead === undefined ? [] : wrap(style, `instead: ${instead}`, 6, "    ")),
        ...(verbose && hint !== undefined ? wrap(style, `hint: ${hint}`, 6, "    ") : []),
        ...placeLines(group, verbose).flatMap((line) => wrap(style, line, 6, "    ")),
      ];
    }),
  );
}

function tableOf({ constructs }: Conversion, style: Style): readonly string[] {
  const rows = countsOf(constructs);
  const first = Math.max(...rows.map(({ title }) => terminalWidth(title))) + 2;
  const cell = (text: string, state: keyof typeof COLORS) => paint(style, COLORS[state], text.padStart(10));
  return [
    paint(style, "bold", `${" ".repeat(first)}${STATES.map((state) => state.padStart(10)).join("")}`),
    ...rows.map(({ title, counts }) =>
      `${pad(title, first)}${STATES.map((state) => cell(String(counts[state]), state)).join("")}`.trimEnd(),
    ),
  ];
}

function countsOf(constructs: Conversion["constructs"]) {
  return KINDS.flatMap(([kind, title]) => {
    const found = constructs.filter((each) => each.kind === kind);
    if (found.length === 0) return [];
    const count = (state: (typeof STATES)[number]) => found.filter((each) => each.state === state).length;
    const counts = {
      exact: count("exact"),
      emulated: count("emulated"),
      dropped: count("dropped"),
      refused: count("refused"),
    };
    return [{ title, counts }];
  });
}

/** The same report for a pull request, with every place. */
export function markdownConversion(source: string, conversion: Conversion): string {
  const { changes, decisions, secrets, graph, findings, constructs } = conversion;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const text = (words: string) => escapeMarkup(words).replaceAll("|", "\\|").replaceAll("\n", " ");
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ["", `## ${title}`, "", ...items];
  const items = withNodeNames(changes, graph);
  return `${[
    `# ${text(source)} as ${formatNamed(conversion.to).title}`,
    "",
    row(["part", ...STATES]),
    row(["---", ...STATES.map(() => "---:")]),
    ...countsOf(constructs).map(({ title, counts }) => row([title, ...STATES.map((state) => String(counts[state]))])),
    ...section(
      "To decide",
      decisions.map(({ about, message, hint }) => `- [ ] **${about}**: ${text(message)}. ${text(hint)}.`),
    ),
    ...CHANGE_AREAS.flatMap((area) =>
      section(
        area,
        items
          .filter((change) => change.area === area)
          .map(({ state, code, path, message, instead, hint }) =>
            [
              `- ${state} ${markdownCode(code)} at ${markdownCode(path.join("."))}: ${text(message)}.`,
              instead === undefined ? "" : ` Instead: ${text(instead)}.`,
              hint === undefined ? "" : ` ${text(hint)}.`,
            ].join(""),
          ),
      ),
    ),
    ...section(
      "Secrets that became references",
      secrets.map(
        ({ name, places }) => `- ${markdownCode(name)}: ${places.map((at) => markdownCode(at.join("."))).join(", ")}`,
      ),
    ),
    ...section(
      "Not read as intended",
      findings.map(({ message }) => `- ${text(message)}`),
    ),
  ].join("\n")}\n`;
}

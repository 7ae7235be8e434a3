import { formatSeconds, oneLine } from "../../../base/values/mod.ts";
import type { TurnComparison, TurnDisagreement } from "../../../run/runner/mod.ts";

/** Formats the comparison of two turn modes: the totals, then each turn that differs. */
export function formatTurnComparison(comparison: TurnComparison): string {
  const { modes, turns, routedDifferently, saidDifferently, calls, modelMs, broken } = comparison;
  const [before, after] = modes;
  const rows = [
    ["", before, after],
    ["model calls", ...calls.map((count) => count.toLocaleString("en-US"))],
    ["time in models", ...modelMs.map(formatSeconds)],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    ...rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd()),
    "",
    `${turns} turns: ${routedDifferently.length} took another path, ${saidDifferently.length} said something else`,
    ...routedDifferently.flatMap((turn) => lines("went", turn, modes)),
    ...saidDifferently.flatMap((turn) => lines("said", turn, modes)),
    ...broken.map(
      ({ scenario, mode, reason }) => `! ${oneLine(scenario)} ended in an error (${mode}): ${oneLine(reason)}`,
    ),
    "",
  ].join("\n");
}

function lines(what: "went" | "said", turn: TurnDisagreement, modes: TurnComparison["modes"]): readonly string[] {
  const width = Math.max(...modes.map((mode) => mode.length));
  const outcome = ({ entered, spoken }: TurnDisagreement["before"]) =>
    what === "went" ? entered.join(" -> ") || "stayed" : spoken.map((text) => `"${text}"`).join(" ") || "said nothing";
  const heard = turn.turn === 0 ? "the opening" : `turn ${turn.turn}, "${turn.caller}"`;
  return [
    "",
    `${oneLine(turn.scenario)}, ${oneLine(heard)}`,
    `  ${modes[0].padEnd(width)}  ${oneLine(outcome(turn.before))}`,
    `  ${modes[1].padEnd(width)}  ${oneLine(outcome(turn.after))}`,
  ];
}

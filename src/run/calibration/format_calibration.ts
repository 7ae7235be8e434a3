import type { Agreement } from "../../base/statistics/mod.ts";
import { oneLine, paint, type Style, wrap } from "../../base/values/mod.ts";
import type { Calibration } from "./types.ts";

/** Formats a calibration for a terminal: kappa and confusion table, overall and per criterion, then the disagreements. */
export function formatCalibration(
  { judge, overall, criteria, disagreements, errors }: Calibration,
  style: Style,
): string {
  const verdictOf = (passed: boolean) => (passed ? "pass" : "fail");
  const lines = [
    paint(style, "bold", `judge ${judge}: ${agreementWords(overall)}`),
    "",
    ...tableOf(overall),
    ...(criteria.length > 1
      ? ["", ...criteria.flatMap((each) => wrap(style, `${each.criterion}: ${agreementWords(each)}`, 2))]
      : []),
    ...(disagreements.length > 0 ? ["", "Disagreements:"] : []),
    ...disagreements.flatMap(({ call, criterion, known, judged, score, reasoning }) =>
      wrap(
        style,
        `${call}, "${criterion}": known ${verdictOf(known)}, judged ${verdictOf(judged)} (${score}): ${reasoning}`,
        4,
        "  ✗ ",
      ),
    ),
    ...errors.flatMap(({ call, message }) =>
      wrap(style, `${call} was not judged: ${message}`, 4, "  ! ").map((line) => paint(style, "red", line)),
    ),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** "kappa 0.62 (0.31 to 0.93), 24 of 28 verdicts agree". */
function agreementWords({ total, agreement, kappa, interval, confusion }: Agreement): string {
  const agreed = `${confusion.passPass + confusion.failFail} of ${total} verdicts agree`;
  if (agreement === null) return "no verdicts";
  if (kappa === null || interval === null)
    return `${agreed}; kappa is undefined, because all verdicts of both are the same`;
  return oneLine(`kappa ${kappa.toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}), ${agreed}`);
}

function tableOf({ confusion }: Agreement): readonly string[] {
  const { passPass, passFail, failPass, failFail } = confusion;
  const row = (label: string, cells: readonly (string | number)[]) =>
    label.padEnd(12) + cells.map((cell) => String(cell).padStart(13)).join("");
  return [
    row("", ["judged pass", "judged fail"]),
    row("known pass", [passPass, passFail]),
    row("known fail", [failPass, failFail]),
  ];
}

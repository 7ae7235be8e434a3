import type { Loss } from "../../../../platforms/mod.ts";
import { type Style, wrap } from "../../../base/values/mod.ts";
import { groupByCode, placeLines, sharedBy } from "./grouped.ts";

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

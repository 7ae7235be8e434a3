import { oneLine, paint, plural, type Style, wrap } from "../../base/values/mod.ts";
import type { ResultRecord } from "../../run/store/mod.ts";

/** Maximum number of calls of a repeated scenario whose problems are shown. */
const MOST_PROBLEMS = 3;
/** Maximum number of passed calls of a repeated scenario whose warnings are shown. */
const MOST_WARNINGS = 1;

/** Decides which calls a report describes, and counts those it omits. */
export interface CutOff {
  /** Whether a call with problems, or only with warnings, is omitted because enough of its scenario were shown. */
  isOmitted(result: Pick<ResultRecord, "scenario">, hasProblems: boolean): boolean;
  omittedLines(runId: string, style: Style): readonly string[];
}

/** Starts counting the calls that a report describes. Without repeats none is omitted. */
export function createCutOff(hasRepeats: boolean): CutOff {
  const shown = new Map<string, { problems: number; warnings: number }>();
  return {
    isOmitted: ({ scenario }, hasProblems) => {
      const counts = shown.get(scenario) ?? { problems: 0, warnings: 0 };
      shown.set(scenario, counts);
      if (hasProblems) counts.problems += 1;
      else counts.warnings += 1;
      return hasRepeats && (hasProblems ? counts.problems > MOST_PROBLEMS : counts.warnings > MOST_WARNINGS);
    },
    omittedLines: (runId, style) => {
      const texts = [...shown].flatMap(([scenario, { problems, warnings }]) => [
        ...(problems > MOST_PROBLEMS ? [`${of(problems - MOST_PROBLEMS, scenario)} with problems`] : []),
        ...(warnings > MOST_WARNINGS ? [`${of(warnings - MOST_WARNINGS, scenario)} with warnings`] : []),
      ]);
      if (!hasRepeats || texts.length === 0) return [];
      const see = `See callweave runs show ${runId}`;
      return ["", ...[...texts, see].flatMap((text) => wrap(style, text, 2).map((line) => paint(style, "dim", line)))];
    },
  };
}

function of(count: number, scenario: string): string {
  return `${plural(count, "more call")} of "${oneLine(scenario)}"`;
}

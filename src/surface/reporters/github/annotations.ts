import { oneLine, shorten, withoutCommands } from "../../../base/values/mod.ts";
import type { RunReport } from "../../../run/runner/mod.ts";
import { redactedResult } from "../../../run/store/mod.ts";
import { casesOf, messageOf, problemLinesOf, type ScenarioCase } from "../cases.ts";
import type { SourcePlace } from "../reporter.ts";
import { checkShapes } from "../shapes.ts";
import { escapeMessage, escapeProperty } from "./escape.ts";

/** GitHub keeps ten errors of a step; the last one says how many more there are. */
const MOST_ERRORS = 10;
/** GitHub keeps 64 KB of an annotation; a person reads less. */
const LONGEST_MESSAGE = 4_000;

/**
 * Formats the scenarios that did not pass as workflow commands of GitHub Actions, one line each. Print them in a step:
 * GitHub shows them as errors at the scenarios' places in the pull request.
 *
 * @param placeOf Returns where a scenario is defined, as a path from the root of the repository.
 * @throws {CallweaveError} `invalid-option`.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function formatGithubAnnotations(
  report: RunReport,
  placeOf: (scenario: string) => SourcePlace | undefined = () => undefined,
): string {
  checkShapes({ report }, "Cannot format annotations");
  const cases = casesOf(redactedResult(report)).filter(({ outcome }) => outcome === "fail" || outcome === "error");
  const shown = cases.length > MOST_ERRORS ? cases.slice(0, MOST_ERRORS - 1) : cases;
  const left = cases.length - shown.length;
  const lines = shown.map((each) => annotation(each, placeOf(each.summary.scenario)));
  if (left > 0)
    lines.push(`::error title=Callweave::${left} more scenarios did not pass. The step's summary has them.`);
  return lines.map((line) => `${line}\n`).join("");
}

function annotation(each: ScenarioCase, place: SourcePlace | undefined): string {
  const { summary, outcome } = each;
  const title = `${oneLine(summary.scenario)} ${outcome === "fail" ? "failed" : "has no verdict"}`;
  const properties = [
    ...(place ? [`file=${withoutCommands(escapeProperty(place.file))}`] : []),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    `title=${withoutCommands(escapeProperty(title))}`,
  ];
  const text = [...problemLinesOf(each)].join("\n") || messageOf(each);
  return `::error ${properties.join(",")}::${withoutCommands(escapeMessage(shorten(text, LONGEST_MESSAGE)))}`;
}

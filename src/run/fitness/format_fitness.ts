import { formatDollars, formatSeconds, paint, plural, type Style, wrap } from "../../base/values/mod.ts";
import { FITNESS_ROLES, type Fitness } from "./test_model.ts";

/** Formats what a model is fit for, and what it did wrong. */
export function formatFitness(
  { model, fit, checks, streams, firstWord, usage, notices }: Fitness,
  style: Style,
): string {
  const roles = FITNESS_ROLES.flatMap((role) => {
    const state = fit[role];
    if (state === null) return [];
    const own = checks.filter((check) => check.role === role);
    const passed = own.filter((check) => check.passed).length;
    const verdict = paint(style, state ? "green" : "red", state ? "fit" : "not fit");
    return [
      `${role.padEnd(8)}${verdict} (${passed} of ${own.length} cases)`,
      ...own.flatMap((check) => {
        if (check.passed) return [`  ${paint(style, "green", "ok")}    ${check.name}`];
        const [first = "", ...rest] = wrap(style, `${check.name}: ${check.reason ?? ""}`, 8, "        ");
        return [`  ${paint(style, "red", "wrong")} ${first.trimStart()}`, ...rest];
      }),
    ];
  });
  const wait = firstWord
    ? [`first word  ${formatSeconds(firstWord.medianMs)} median, ${formatSeconds(firstWord.worstMs)} at worst`]
    : [];
  const parts = streams === null ? [] : [`streaming   ${streams ? "replies arrive in parts" : "replies arrive whole"}`];
  const tokens = `${plural(usage.inputTokens, "token")} in, ${usage.outputTokens.toLocaleString("en-US")} out`;
  const cost = usage.costUsd === undefined ? "price unknown" : formatDollars(usage.costUsd);
  const used = usage.calls === 0 ? [] : [`used        ${plural(usage.calls, "model call")}, ${tokens}, ${cost}`];
  return `${[model, "", ...roles, "", ...parts, ...wait, ...used, ...notices.map((notice) => `notice      ${notice}`)].join("\n")}\n`;
}

import type { ResultStatus } from "../../../run/store/mod.ts";

/**
 * Chooses the calls that a page has with their transcripts: those that did not pass first, then the others, each in
 * their order.
 *
 * @param most Most calls.
 */
export function wholeCalls<Call extends { readonly status: ResultStatus }>(
  calls: readonly Call[],
  most: number,
): ReadonlySet<Call> {
  if (calls.length <= most) return new Set(calls);
  const failed = calls.filter(({ status }) => status !== "pass");
  const others = calls.filter(({ status }) => status === "pass");
  return new Set([...failed, ...others].slice(0, most));
}

/** Says which calls of a page have their transcripts; `undefined` if all do. */
export function wholeCallsWords(
  calls: readonly { readonly status: ResultStatus }[],
  whole: ReadonlySet<{ readonly status: ResultStatus }>,
): string | undefined {
  if (whole.size === calls.length) return undefined;
  const number = (count: number) => count.toLocaleString("en-US");
  const failed = calls.filter(({ status }) => status !== "pass").length;
  const there = [...whole].filter(({ status }) => status !== "pass").length;
  const which =
    there < failed
      ? `${number(there)} of the ${number(failed)} that did not pass`
      : `all ${number(failed)} that did not pass, and ${number(whole.size - failed)} that passed`;
  return `${number(calls.length)} calls are too many for the transcripts of all: this page has those of ${which}. The others are here with their figures, scores and checks; the run as JSON lines has all of them.`;
}

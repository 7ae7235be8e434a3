import { CallweaveError } from "../../base/errors.ts";
import { dropPromise, eitherSignal, readableError, shown, startTimeLimit, thrownWords } from "../../base/values/mod.ts";
import type { RunEvent, RunReport } from "../../run/runner/mod.ts";
import { redactedResult } from "../../run/store/mod.ts";
import type { ReportContext, Reporter } from "./reporter.ts";

/** Time limit of a reporter at the end of a run. */
const LIMIT_MS = 60_000;

/** A wrapped reporter that never interrupts the run. */
export interface GuardedReporter {
  readonly onEvent: (event: RunEvent) => void;
  /**
   * Returns the text of the report.
   *
   * @throws {CallweaveError} `reporter-failed`, also for what `onEvent` threw earlier.
   */
  readonly end: (report: RunReport, context: ReportContext, limitMs?: number) => Promise<string | undefined>;
}

/**
 * Guards a reporter: what it throws during the run is reported after it, and `onEnd` has a time limit.
 *
 * @param name For messages: "./my_reporter.ts".
 */
export function guardReporter(name: string, reporter: Reporter): GuardedReporter {
  let failure: { readonly thrown: unknown } | undefined;
  return {
    onEvent: (event) => {
      if (failure) return;
      try {
        const returned: unknown = reporter.onEvent?.(event);
        dropPromise(returned);
      } catch (thrown) {
        failure = { thrown };
      }
    },
    end: async (report, context, limitMs = LIMIT_MS) => {
      if (failure) throw failed(name, "onEvent()", failure.thrown);
      // a cancelled run still waits for its report, so only the time limit ends the wait
      using limit = startTimeLimit(limitMs);
      const signal = eitherSignal(context.signal, limit.signal);
      let text: unknown;
      try {
        text = await limit.until(Promise.resolve(reporter.onEnd(redactedResult(report), { ...context, signal })));
      } catch (thrown) {
        throw failed(name, "onEnd()", limit.expired() ? new Error(`it timed out after ${limitMs / 1000} s`) : thrown);
      }
      if (text === undefined || typeof text === "string") return text;
      throw failed(name, "onEnd()", new Error(`it returned ${shown(text)} where a text or nothing is needed`));
    },
  };
}

function failed(name: string, method: string, thrown: unknown): CallweaveError {
  const cause = readableError(thrown);
  return new CallweaveError(`Cannot write the report of "${name}": ${method} failed: ${thrownWords(cause)}`, {
    code: "reporter-failed",
    path: [name],
    hint: `Fix ${method} of the reporter; the results are stored, and "callweave runs show RUN --reporter" writes the report again`,
    cause,
  });
}

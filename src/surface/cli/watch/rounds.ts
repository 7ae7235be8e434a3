import { isCallweaveError, StoreError } from "../../../base/errors.ts";
import { postJson } from "../../../base/http/mod.ts";
import { type Clock, formatError, PLAIN, SYSTEM_CLOCK, styleFor } from "../../../base/values/mod.ts";
import { openStore, spoolWarnings } from "../../../run/store/mod.ts";
import { type WatchReport, watchCalls } from "../../../run/watch/mod.ts";
import type { ExitCode } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { formatWatch } from "./format_watch.ts";
import { alarmsOf, readPosted, writePosted } from "./posted.ts";
import type { WatchPlan } from "./read_watch.ts";

/**
 * Makes one round, or rounds with pauses until the signal aborts. A round that fails is reported, and the next one tries
 * again.
 *
 * @returns The exit code of the last round.
 */
export async function watchRounds(
  plan: WatchPlan,
  terminal: Terminal,
  clock: Pick<Clock, "pause"> = SYSTEM_CLOCK,
): Promise<ExitCode> {
  const { everyMs } = plan;
  const { signal } = terminal;
  let code: ExitCode | undefined;
  for (;;) {
    const ended = await roundOrError(plan, terminal);
    // a round that was stopped says nothing of its own
    if (ended !== undefined) code = ended;
    if (everyMs === undefined || signal.aborted) return code ?? INCOMPLETE;
    await clock.pause(everyMs, signal);
    if (signal.aborted) return code ?? INCOMPLETE;
  }
}

const [WORSE, INCOMPLETE] = [1, 3] as const;

/** @returns `undefined` for a round that was stopped. */
async function roundOrError(plan: WatchPlan, terminal: Terminal): Promise<ExitCode | undefined> {
  try {
    return await round(plan, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return undefined;
    // another error, such as a policy with an unknown node, stays in every round
    if (!(error instanceof StoreError)) throw error;
    terminal.err(formatError(error));
    return INCOMPLETE;
  }
}

async function round(plan: WatchPlan, terminal: Terminal): Promise<ExitCode> {
  const { from, options, db, json, scenarioFlags } = plan;
  const { signal } = terminal;
  await using store = await openStore(db, { signal });
  for (const warning of spoolWarnings(store.status())) terminal.err(`warning: ${warning}\n`);
  const report = await watchCalls(from, { ...options, store, signal });
  const style = styleFor(terminal.stdout, terminal.env);
  terminal.out(json ? `${JSON.stringify(report)}\n` : formatWatch(report, { style, scenarioFlags }));
  for (const { step, code, message } of report.problems) terminal.err(`warning[${code}] ${step}: ${message}\n`);
  const isPosted = await post(report, plan, terminal);
  if (!isPosted) return INCOMPLETE;
  if (report.state === "worse") return WORSE;
  return report.isComplete ? 0 : INCOMPLETE;
}

/**
 * Posts a report if something is worse that was not posted before.
 *
 * @returns False if the webhook failed; the next round posts again.
 */
async function post(
  report: WatchReport,
  { webhook, scenarioFlags, options }: WatchPlan,
  terminal: Terminal,
): Promise<boolean> {
  if (webhook === undefined) return true;
  const { url, key, state } = webhook;
  const name = JSON.stringify([report.from, report.environment, options.answeredBy ?? null]);
  try {
    const alarms = alarmsOf(report);
    const posted = await readPosted(state, name);
    if (alarms.some((alarm) => !posted.includes(alarm))) {
      const text = formatWatch(report, { style: PLAIN, scenarioFlags });
      await postJson(url, { ...report, text }, "Cannot post what got worse", {
        signal: terminal.signal,
        ...(key === undefined ? {} : { key }),
      });
    }
    if (alarms.join("\n") !== posted.join("\n")) await writePosted(state, name, alarms);
    return true;
  } catch (error) {
    if (!isCallweaveError(error)) throw error;
    terminal.err(`warning[${error.code}] ${error.message} — ${error.hint}\n`);
    return false;
  }
}

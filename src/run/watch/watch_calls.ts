import { CallweaveError, ModelError, PlatformError, ScenarioError } from "../../base/errors.ts";
import { checkOptions, defined, isRecord, OPTION, pick, rule, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { type ScenarioSource, toScenarios } from "../../document/scenario/mod.ts";
import {
  type CallRedactor,
  createPseudonymizer,
  type PullCallsOptions,
  type PullPlatform,
  pullCalls,
} from "../calls/mod.ts";
import type { EvaluateOptions } from "../evaluation/mod.ts";
import { openStore, type Store } from "../store/mod.ts";
import { type CompareWeeksOptions, compareWeeks, spansOf, WEEKS_RULES } from "./compare_weeks.ts";
import { evaluateOpen } from "./evaluate_open.ts";
import { expectationsOf } from "./expectations.ts";
import type { WatchProblem, WatchReport } from "./types.ts";
import { readStoredCalls } from "./watched_calls.ts";

/** Options of {@link watchCalls}. Those it shares with `pullCalls()` and `evaluate()` mean the same. */
export interface WatchCallsOptions
  extends CompareWeeksOptions,
    Pick<
      PullCallsOptions,
      | "key"
      | "agent"
      | "agentName"
      | "agentId"
      | "baseUrl"
      | "state"
      | "store"
      | "signal"
      | "requestTimeoutMs"
      | "fetch"
      | "clock"
    >,
    Pick<EvaluateOptions, "models" | "requests" | "limits"> {
  /** Criteria and policies for every call, and the default threshold. */
  readonly judging?: Pick<NonNullable<EvaluateOptions["judging"]>, "metrics" | "policies" | "threshold">;
  /**
   * Scenarios whose criteria and limits of latency are expected of real calls: what all of them expect, of every call;
   * what some expect, of the calls whose callers want the same.
   */
  readonly scenarios?: readonly ScenarioSource[];
  /** Longest time until the agent's first word in every call, in milliseconds. Default: that of the scenarios. */
  readonly answersWithinMs?: number;
  /** Only stored calls whose agent has this id on the platform count. Default: `agentId`. */
  readonly answeredBy?: string;
  /** Maximum number of calls to read, and to evaluate, in one round. Default: no limit. */
  readonly limit?: number;
  /** Replaces personal data before anything is stored. Default: a pseudonymizer with a random key. */
  readonly redact?: CallRedactor;
  /** Name of the environment, for the report. */
  readonly environment?: string;
}

const ACTION = "Cannot watch calls";
const RULES = {
  judging: OPTION.object,
  scenarios: OPTION.list,
  answersWithinMs: OPTION.milliseconds,
  answeredBy: OPTION.text,
  limit: OPTION.count,
  redact: rule("an object with a function `call`", isRedactor),
  environment: OPTION.text,
  ...WEEKS_RULES,
};

/**
 * Makes one round of watching production: reads the calls that are new on the platform, replaces personal data, stores and
 * evaluates them, and compares the last week with the weeks before, like {@link compareWeeks}.
 *
 * The first round reads the calls of the whole time that is compared. A round that was stopped has stored what it read and
 * judged; the next one continues there, and no call counts twice. If the platform or the judge fails, `problems` says so,
 * and what is stored is compared.
 *
 * @throws {CallweaveError} `invalid-option`, and what `pullCalls()` and `evaluate()` throw for options; `aborted`.
 * @throws {StoreError} When calls cannot be read or stored.
 */
export async function watchCalls(from: PullPlatform, options: WatchCallsOptions): Promise<WatchReport> {
  checkOptions({ options: options ?? null }, { options: OPTION.object }, ScenarioError, ACTION);
  checkOptions(pick({ ...options }, Object.keys(RULES)), RULES, ScenarioError, ACTION);
  const { store: target, signal } = options;
  const store = typeof target === "object" ? target : await openStore(target, defined({ signal }));
  try {
    return await round(store, from, options);
  } finally {
    if (typeof target !== "object") await store.close();
  }
}

async function round(store: Store, from: PullPlatform, options: WatchCallsOptions): Promise<WatchReport> {
  const { agentId, answeredBy = agentId, signal, limit, clock = SYSTEM_CLOCK, judging = {} } = options;
  const scenarios = toScenarios(options.scenarios ?? []);
  const redact = options.redact ?? (await createPseudonymizer());
  const now = clock.now();
  const { windowMs, baselineMs } = spansOf(options);
  const since = now - windowMs - baselineMs;
  const problems: WatchProblem[] = [];
  const attempt = async <Result>(step: WatchProblem["step"], work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw error;
      problems.push({ step, code: error.code, message: error.message });
      return null;
    }
  };
  const { key, agent, agentName, baseUrl, state, requestTimeoutMs, fetch } = options;
  const pulled = await attempt("pull", () =>
    pullCalls(from, {
      key,
      since: new Date(since),
      store,
      redact,
      ...defined({ agent, agentName, agentId, baseUrl, state, requestTimeoutMs, fetch, limit, signal }),
      ...(options.clock ? { clock } : {}),
    }),
  );
  refuseAborted(signal);
  if (pulled && pulled.damaged > 0)
    problems.push({ step: "pull", code: "platform-answer", message: `${pulled.damaged} calls are damaged` });
  const scope = { from, answeredBy, since };
  const open = await readStoredCalls(store, scope, signal);
  const { answersWithinMs } = options;
  const hasMore = [judging.policies ?? [], judging.metrics ?? []].some((list) => list.length > 0);
  const expectations = expectationsOf(scenarios, { answersWithinMs, hasMore });
  const counts = { calls: 0, errors: 0, unmatched: 0 };
  const ended = await attempt("evaluate", () =>
    evaluateOpen(open, expectations, { ...options, store, redact }, counts),
  );
  problems.push(...(ended ?? []));
  refuseAborted(signal);
  const calls = counts.calls === 0 ? open : await readStoredCalls(store, scope, signal);
  const spooled = store.status().spoolFile !== null;
  if (spooled) problems.push({ step: "store", code: "result-spooled", message: "calls wait in a spool file" });
  const compared = compareWeeks(calls, new Date(now), spanOptions(options));
  return {
    version: 1,
    from,
    environment: options.environment ?? null,
    at: new Date(now).toISOString(),
    isComplete: problems.length === 0 && counts.errors === 0,
    problems,
    pulled: pulled && countsOf(pulled),
    evaluated: {
      calls: counts.calls,
      errors: counts.errors,
      unknown: calls.filter(({ state: each, errors }) => each !== "judged" && errors > 0).length,
      unmatched: counts.unmatched,
      lacking: calls.filter(({ state: each }) => each === "lacking").length,
    },
    ...compared,
  };
}

/** Failures of the platform and of models pass; wrong options and a database that is away end the round. */
function isPassing(error: unknown): error is CallweaveError {
  return error instanceof PlatformError || error instanceof ModelError;
}

function isRedactor(value: unknown): boolean {
  return isRecord(value) && typeof value.call === "function";
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new CallweaveError(`${ACTION}: stopped`, { code: "aborted", hint: "Run it again: it continues there" });
}

function spanOptions({ windowMs, baselineMs, minimum, level }: WatchCallsOptions): CompareWeeksOptions {
  return defined({ windowMs, baselineMs, minimum, level });
}

function countsOf({ added, known, skipped, damaged }: NonNullable<WatchReport["pulled"]>) {
  return { added, known, skipped, damaged };
}

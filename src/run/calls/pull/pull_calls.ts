import { PLATFORMS, type PlatformName, PULL_PLATFORMS } from "../../../../platforms/mod.ts";
import { CallweaveError } from "../../../base/errors.ts";
import { type Clock, checkOptions, eitherSignal, OPTION, oneOf, rule, SYSTEM_CLOCK } from "../../../base/values/mod.ts";
import { openStore, type Store } from "../../store/mod.ts";
import { IMPORT_RULES, type ImportCallsOptions, type ImportReport, storeCalls } from "../import/mod.ts";
import { loadReaders } from "../read/mod.ts";
import { forgetPulled, pullName, readPullState } from "./pull_state.ts";
import { PulledCalls } from "./pulled_calls.ts";

/** A platform from which calls are pulled. */
export type PullPlatform = PlatformName;

/** Options of {@link pullCalls}. */
export interface PullCallsOptions
  extends Pick<ImportCallsOptions, "agent" | "agentName" | "redact" | "store" | "signal" | "onProgress"> {
  /** API key of the workspace. It is never stored. */
  readonly key: string;
  /** Start of the interval to read. */
  readonly since: Date;
  /** End of the interval to read. Default: now. */
  readonly until?: Date;
  /** Only calls of this agent (Retell) or assistant (Vapi), by its id on the platform. */
  readonly agentId?: string;
  /** Maximum number of calls to read and store. */
  readonly limit?: number;
  /** Default: the platform's API. */
  readonly baseUrl?: string;
  /** File that records what earlier pulls read, which is not read again. Default: none, everything is listed. */
  readonly state?: string;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

const { format: _format, name: _name, ...IMPORTED } = IMPORT_RULES;
const RULES = {
  key: rule("an API key", (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value)),
  since: rule("a Date", isDate),
  until: rule("a Date", isDate),
  agentId: OPTION.text,
  limit: OPTION.count,
  baseUrl: rule("a web address", (value) => typeof value === "string" && /^https?:/.test(value) && URL.canParse(value)),
  state: OPTION.text,
  requestTimeoutMs: OPTION.milliseconds,
  fetch: OPTION.function,
  clock: OPTION.object,
  ...IMPORTED,
};

/**
 * Reads calls from a platform, page by page, and stores them as `importCalls()` does.
 *
 * A pull that was stopped or failed has stored what it read; the next one continues there. With `state`, a repeated pull
 * lists only intervals that earlier pulls have not listed, the last hour, and calls that were unfinished.
 *
 * Requests are retried after a 429, a 5xx and a broken connection, after the wait that the platform asks for.
 *
 * @throws {PlatformError} `platform-key`, `platform-refused`, `platform-busy`, `platform-answer`,
 * `platform-unreachable` or `aborted`.
 * @throws {CallweaveError} `invalid-option`; {@link StoreError} when calls cannot be stored.
 */
export async function pullCalls(from: PullPlatform, options: PullCallsOptions): Promise<ImportReport> {
  const action = "Cannot pull calls";
  const given = { from: from ?? null, options: options ?? null };
  checkOptions(given, { from: oneOf(...PULL_PLATFORMS), options: OPTION.object }, CallweaveError, action);
  checkOptions(options, RULES, CallweaveError, action);
  if (options.key === undefined || options.since === undefined)
    throw new CallweaveError(`${action}: the key or the start is missing`, {
      code: "invalid-option",
      hint: "Pass key and since",
    });
  const { store: target, signal } = options;
  const store = typeof target === "object" ? target : await openStore(target, signal ? { signal } : {});
  try {
    return await pullInto(store, from, options);
  } finally {
    if (typeof target !== "object") await store.close();
  }
}

async function pullInto(store: Store, from: PullPlatform, options: PullCallsOptions): Promise<ImportReport> {
  const { key, since, agentId, baseUrl, state, signal, clock = SYSTEM_CLOCK, onProgress } = options;
  const stop = new AbortController();
  const stopping = eitherSignal(signal, stop.signal);
  const { requestTimeoutMs, fetch: send } = options;
  const readers = await loadReaders([from]);
  const connect = readers.get(from)?.list;
  if (!connect)
    throw new CallweaveError(`Cannot pull calls: ${PLATFORMS[from].title} does not list them`, {
      code: "invalid-option",
      path: ["from"],
      hint: `Use one of ${PULL_PLATFORMS.join(", ")}`,
    });
  const platform = connect({ key, baseUrl, agentId, requestTimeoutMs, fetch: send, clock, signal: stopping });
  const { store: target } = options;
  const name = pullName([from, key, baseUrl, agentId, typeof target === "string" ? target : undefined]);
  const entry = state === undefined ? { covered: [], result: null } : await readPullState(state, name);
  // if a result of an earlier pull is missing, this is another database, or one that was emptied
  const isOther = entry.result !== null && !(await store.knownResults([entry.result])).has(entry.result);
  if (state !== undefined && isOther) await forgetPulled(state, name);
  const now = clock.now();
  const pulled = new PulledCalls({
    platform,
    readers,
    source: from,
    store,
    stop,
    stretch: { from: since.getTime(), to: options.until?.getTime() ?? now },
    covered: isOther ? [] : entry.covered,
    settledUntil: now - SETTLING_MS,
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    note: state === undefined ? undefined : { path: state, name },
  });
  const { agent, agentName, redact } = options;
  const report = await storeCalls(
    pulled.calls(),
    {
      ...(agent === undefined ? {} : { agent }),
      ...(agentName === undefined ? {} : { agentName }),
      ...(redact === undefined ? {} : { redact }),
      store,
      signal: stopping,
      onProgress: (counts) => {
        pulled.stored(counts);
        onProgress?.(pulled.withListed(counts));
      },
    },
    [from],
  );
  await pulled.finish(report);
  return pulled.withListed(report);
}

/** Calls of the last hour are listed again: platforms list some of them late. */
const SETTLING_MS = 60 * 60 * 1000;

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

import pRetry from "p-retry";
import { isCallweaveError, PlatformError } from "../../errors.ts";
import { type Clock, isRecord, retryAfterMs, thrownWords } from "../../values/mod.ts";

const RETRIES = 4;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** The settings of an attempt. */
export interface AttemptOptions {
  readonly platform: string;
  readonly key: string;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a read-only request; retries after a 429, a 5xx and a broken connection, after the wait that the platform asks
 * for, else with exponential backoff.
 *
 * @throws {PlatformError} `platform-key`, `platform-missing`, `platform-refused`, `platform-unreachable` or `aborted`.
 */
export async function attempt<Answer>(
  about: string,
  send: () => Promise<Answer>,
  { platform, key, clock, signal }: AttemptOptions,
): Promise<Answer> {
  const aborted = () =>
    new PlatformError(`Cannot read the ${about}: cancelled`, { code: "aborted", hint: "Run the command again" });
  try {
    return await pRetry(
      async () => {
        if (signal?.aborted) throw aborted();
        try {
          return await send();
        } catch (error) {
          // the retry library expects errors; what a client throws is not always one
          throw error instanceof Error ? error : new Error(thrownWords(error));
        }
      },
      {
        retries: RETRIES,
        minTimeout: 0,
        maxTimeout: 0,
        shouldRetry: ({ error }) => !signal?.aborted && isWorthRetrying(error),
        onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
          if (retriesLeft > 0 && !signal?.aborted && isWorthRetrying(error))
            await clock.pause(askedWait(error, clock) ?? FIRST_WAIT_MS * 2 ** (attemptNumber - 1), signal);
        },
      },
    );
  } catch (error) {
    if (signal?.aborted) throw aborted();
    throw isCallweaveError(error) ? error : problem(error, about, platform, key);
  }
}

function isWorthRetrying(error: unknown): boolean {
  if (isCallweaveError(error)) return false;
  const status = statusOf(error);
  return status === undefined || status === 408 || status === 429 || status >= 500;
}

/** The status of a response: `status` in Retell's client, `statusCode` in Vapi's. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const found: unknown = Reflect.get(error, "status") ?? Reflect.get(error, "statusCode");
  return typeof found === "number" ? found : undefined;
}

/** The wait that a platform asks for, in seconds or as a time. */
function askedWait(error: unknown, clock: Clock): number | undefined {
  const raw: unknown = error instanceof Error ? Reflect.get(error, "rawResponse") : undefined;
  const own: unknown = error instanceof Error ? Reflect.get(error, "headers") : undefined;
  const headers = own instanceof Headers ? own : isRecord(raw) ? raw.headers : undefined;
  const asked = headers instanceof Headers ? retryAfterMs(headers.get("retry-after"), clock.now()) : undefined;
  return asked && Math.min(asked, LONGEST_WAIT_MS);
}

function problem(error: unknown, about: string, platform: string, key: string): PlatformError {
  const status = statusOf(error);
  const words = thrownWords(error).replace(/\s+/g, " ").slice(0, 300);
  const said = key.length < 8 ? words : words.replaceAll(key, "[key]");
  const told = (state: string, code: PlatformError["code"], hint: string) =>
    new PlatformError(`Cannot read the ${about} from ${platform}: ${state}`, { code, hint, cause: error });
  if (status === undefined)
    return told(`it does not answer: ${said}`, "platform-unreachable", "Check the connection and pull again");
  if (status === 401 || status === 403)
    return told(`the key is refused: ${said}`, "platform-key", "Set the key of the workspace that holds the calls");
  if (status === 404) return told(said, "platform-missing", "Pull again: it was deleted on the platform");
  const isBusy = status === 429 || status >= 500;
  const hint = isBusy ? "Pull again later: what was read is stored" : "Change what the message names";
  return told(said, "platform-refused", hint);
}

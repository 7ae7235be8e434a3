import { ModelError } from "../../../base/errors.ts";
import { startTimeLimit } from "../../../base/values/mod.ts";
import {
  type FlowJudgement,
  type JudgedCall,
  judgeFlow,
  judgeMetrics,
  judgesNeeded,
} from "../../../call/judges/mod.ts";
import {
  type CallOptions,
  type CallSettings,
  createCallClock,
  DEFAULT_RETRIES,
  DEFAULT_TRY_TIMEOUT_MS,
  type Model,
} from "../../../call/models/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { RunMetric } from "../../../document/scenario/mod.ts";
import type { Message, Verdict } from "../../../document/transcript/mod.ts";

/**
 * Maximum number of requests per judgement: the second is sent if the provider rejects a keyword of the JSON Schema.
 */
const QUESTIONS = 2;

type JudgeOptions = CallOptions & { readonly model: Model };

/**
 * Judges a call by its criteria with a time limit. Each request has its own limit, but middleware around it may never
 * settle.
 *
 * @throws {ModelError} `model-timeout` after the longest time that all requests and retry delays can take.
 */
export async function judgeCall(
  metrics: readonly RunMetric[],
  transcript: readonly Message[],
  options: JudgeOptions,
): Promise<readonly Verdict[]> {
  return await inTime(judgesNeeded(metrics), options, (limited) => judgeMetrics(metrics, transcript, limited));
}

/**
 * Judges the path of a call, with the same kind of time limit as {@link judgeCall}.
 *
 * @throws {ModelError} `model-timeout`.
 */
export async function judgePath(
  graph: AgentGraph,
  call: JudgedCall,
  { judgement, ...options }: JudgeOptions & { readonly judgement: FlowJudgement },
): Promise<Verdict | undefined> {
  return await inTime(judgement.panel ?? 1, options, (limited) => judgeFlow(graph, call, { ...judgement, ...limited }));
}

async function inTime<Result>(
  judges: number,
  options: JudgeOptions,
  judge: (limited: JudgeOptions) => Promise<Result>,
): Promise<Result> {
  const limitMs = Math.min(2 ** 31 - 1, Math.max(1, judges) * judgeLimitMs(options));
  const { clock = createCallClock() } = options;
  using limit = startTimeLimit(limitMs, options.signal, clock);
  try {
    return await limit.until(judge({ ...options, clock, signal: limit.signal }));
  } catch (error) {
    throw limit.expired() ? tooLong(limitMs) : error;
  }
}

/** Returns the longest time that a judge's requests can take within their own limits, in milliseconds. */
function judgeLimitMs({ tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS, retry = {} }: CallSettings): number {
  const { retries = DEFAULT_RETRIES.retries, maxDelayMs = DEFAULT_RETRIES.maxDelayMs } = retry;
  return Math.min(2 ** 31 - 1, QUESTIONS * (retries + 1) * (tryTimeoutMs + maxDelayMs));
}

function tooLong(limitMs: number): ModelError {
  return new ModelError(`Cannot judge the call: the judge did not answer within ${limitMs} ms`, {
    code: "model-timeout",
    hint: "Check the middleware around judge calls, or use a faster model",
  });
}

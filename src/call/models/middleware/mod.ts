export { abortable } from "./abortable.ts";
export { type AnswerCheck, checkReply, contractCheck } from "./answer_check.ts";
export { failureOf, isOverloaded } from "./failure.ts";
export { limiterMiddleware, type RequestLimits } from "./limiter.ts";
export { requestMiddleware } from "./request.ts";
export { requestWatch } from "./request_watch.ts";
export {
  answerInTime,
  DEFAULT_RETRIES,
  type Retry,
  type RetryPolicy,
  retryMiddleware,
  type TimedRequest,
} from "./retry.ts";
export { streamingMiddleware } from "./streaming.ts";
export { answerNotice, structuredAnswers } from "./structured_answers.ts";
export type { CallUsage } from "./usage.ts";
export { waitingMiddleware } from "./waiting.ts";

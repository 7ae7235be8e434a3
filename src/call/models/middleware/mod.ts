export { type AnswerCheck, checkReply, contractCheck } from "./answer_check.ts";
export {
  abortable,
  type CallUsage,
  limiterMiddleware,
  type RequestLimits,
  requestMiddleware,
  requestWatch,
} from "./request.ts";
export {
  answerInTime,
  DEFAULT_RETRIES,
  failureOf,
  isOverloaded,
  type Retry,
  type RetryPolicy,
  retryMiddleware,
  type TimedRequest,
  waitingMiddleware,
} from "./retry.ts";
export { streamingMiddleware } from "./streaming.ts";
export { answerNotice, structuredAnswers } from "./structured_answers.ts";

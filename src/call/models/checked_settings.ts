import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../base/errors.ts";
import { dropPromise, isRecord, shown } from "../../base/values/mod.ts";
import type { CallClock } from "./call_clock.ts";

/** Methods of middleware; an object with at least one of them is middleware. */
const PARTS = ["wrapGenerate", "wrapStream", "transformParams", "overrideProvider", "overrideModelId"] as const;

/**
 * Checks that a value is a list of middleware.
 *
 * @throws {ModelError} `callback-return`.
 */
export function checkedMiddleware(
  middleware: unknown,
  option: "around" | "within",
): readonly LanguageModelMiddleware[] {
  if (Array.isArray(middleware) && middleware.every(isMiddleware)) return middleware;
  for (const each of Array.isArray(middleware) ? middleware : [middleware]) dropPromise(each);
  const odd: unknown = Array.isArray(middleware) ? middleware.find((each) => !isMiddleware(each)) : middleware;
  throw wrong(`${option} gave ${shown(odd)}`, option, "Return a list of AI SDK middleware");
}

/**
 * Checks an answer after all middleware, each of which can replace it.
 *
 * @throws {ModelError} `callback-return` when the answer has another shape.
 */
export function answerGuard(option: "around" | "within"): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      const answer = await doGenerate();
      if (isAnswer(answer)) return answer;
      throw wrong(`middleware in ${option} returned ${shown(answer)}`, option, "Return the result of doGenerate()");
    },
  };
}

/**
 * Checks the answer of a model, which may be the user's own object.
 *
 * @throws {ModelError} `model-output`.
 */
export function checkAnswer(answer: unknown, signature: string): void {
  if (isAnswer(answer)) return;
  throw new ModelError(`Cannot use the model's answer to "${signature}": it is ${shown(answer)}`, {
    code: "model-output",
    path: [signature],
    hint: "Return { content, finishReason, usage, warnings }, as AI SDK models do",
  });
}

/** Wraps a clock to check what it returns. */
export function checkedCallClock(clock: CallClock): CallClock {
  if (!isClock(clock)) {
    dropPromise(clock);
    throw wrong(
      `clock.startCall() returned ${shown(clock)}`,
      "clock",
      "Return a clock with now(), pause() and after()",
    );
  }
  const callback = (name: string, value: unknown) => {
    dropPromise(value);
    if (typeof value !== "function")
      throw wrong(`clock.${name}() returned ${shown(value)}`, "clock", "Return a function");
    return () => void value();
  };
  return {
    now: () => {
      const now: unknown = clock.now();
      if (typeof now === "number" && Number.isFinite(now)) return now;
      dropPromise(now);
      throw wrong(`clock.now() returned ${shown(now)}`, "clock", "Return a number of milliseconds");
    },
    pause: () => callback("pause", clock.pause()),
    after: (ms, done) => callback("after", clock.after(ms, done)),
  };
}

function isClock(value: unknown): boolean {
  return isRecord(value) && ["now", "pause", "after"].every((name) => typeof value[name] === "function");
}

function isMiddleware(value: unknown): value is LanguageModelMiddleware {
  if (!isRecord(value)) return false;
  const given = PARTS.filter((part) => value[part] !== undefined);
  return given.length > 0 && given.every((part) => typeof value[part] === "function");
}

function isAnswer(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.content) || !value.content.every(isPart)) return false;
  const { finishReason, usage, warnings = [] } = value;
  return (
    isRecord(finishReason) &&
    isRecord(usage) &&
    isCount(usage.inputTokens) &&
    isCount(usage.outputTokens) &&
    Array.isArray(warnings) &&
    warnings.every((warning) => isRecord(warning) && typeof warning.type === "string")
  );
}

function isCount(tokens: unknown): boolean {
  return isRecord(tokens) && (tokens.total === undefined || Number.isFinite(tokens.total));
}

function isPart(part: unknown): boolean {
  if (!isRecord(part) || typeof part.type !== "string") return false;
  if (part.type === "text") return typeof part.text === "string";
  return part.type !== "tool-call" || (typeof part.toolName === "string" && typeof part.input === "string");
}

function wrong(state: string, option: string, hint: string): ModelError {
  return new ModelError(`Cannot call the model: ${state}`, { code: "callback-return", path: [option], hint });
}

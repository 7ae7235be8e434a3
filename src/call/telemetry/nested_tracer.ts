import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import type { Redactor } from "../../base/redaction/mod.ts";
import { RedactedSpan } from "./redacted_span.ts";

/** A tracer that tracks the current span. */
export interface NestedTracer {
  /** For the AI SDK. A span without a parent of its own becomes a child of the current one. */
  readonly tracer: Tracer;
  /** Runs work within a new span, which ends with the work. A root span starts a trace. */
  readonly within: <Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ) => Promise<Result>;
}

/**
 * Wraps a tracer so that spans nest and their texts are redacted. OpenTelemetry nests spans only where the application
 * has registered a context manager for the whole process; a run must not do that, so it has a context of its own.
 */
export function nestedTracer(
  api: typeof import("@opentelemetry/api"),
  outer: Tracer,
  redactor: Redactor,
): NestedTracer {
  const current = new AsyncLocalStorage<Context>();
  const parentOf = (given?: Context): Context =>
    given && api.trace.getSpan(given) ? given : (current.getStore() ?? given ?? api.context.active());

  const start = (name: string, options: SpanOptions, parent: Context): Span => {
    const { attributes, ...rest } = options;
    const clean = attributes ? { ...rest, attributes: redactor.value(attributes) } : rest;
    return new RedactedSpan(outer.startSpan(redactor.text(name), clean, parent), redactor);
  };
  // a context manager of the application, if there is one, makes its own spans children of these
  const enter = <Result>(parent: Context, span: Span, work: (span: Span) => Result): Result => {
    const inner = api.trace.setSpan(parent, span);
    return current.run(inner, () => api.context.with(inner, () => work(span)));
  };
  const tracer: Tracer = {
    startSpan: (name, options = {}, given) => start(name, options, parentOf(given)),
    startActiveSpan: <Work extends (span: Span) => unknown>(
      name: string,
      ...rest: [Work] | [SpanOptions, Work] | [SpanOptions, Context, Work]
    ): ReturnType<Work> => {
      const work = rest[rest.length - 1] as Work; // the last argument is the function in every form
      const options = rest.length > 1 ? (rest[0] as SpanOptions) : {}; // the first of two or three
      const parent = parentOf(rest.length > 2 ? (rest[1] as Context) : undefined); // the second of three
      return enter(parent, start(name, options, parent), work) as ReturnType<Work>; // what the function returns
    },
  };
  return {
    tracer,
    within: async (name, options, work) => {
      const parent = options.root ? api.ROOT_CONTEXT : parentOf();
      const span = start(name, options, parent);
      try {
        return await enter(parent, span, work);
      } finally {
        span.end();
      }
    },
  };
}

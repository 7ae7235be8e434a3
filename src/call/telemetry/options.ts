/** A `Tracer` of `@opentelemetry/api`. */
export interface TelemetryTracer {
  readonly startSpan: (name: string, options?: never, context?: never) => object;
  readonly startActiveSpan: (name: string, ...rest: never[]) => unknown;
}

/** Options of a run's OpenTelemetry spans. */
export interface TelemetryOptions {
  /**
   * A tracer of the application, whose provider exports the spans. Default: spans are sent to the OTLP collector that
   * the environment variables `OTEL_EXPORTER_OTLP_*` describe, and the run waits for it when it ends.
   */
  readonly tracer?: TelemetryTracer;
  /** Whether spans contain prompts and what callers said. Default: true. */
  readonly recordInputs?: boolean;
  /** Whether spans contain the answers of models. Default: true. */
  readonly recordOutputs?: boolean;
  /**
   * Maximum time that the run waits for the collector at its end, in milliseconds. It has no effect with a `tracer`.
   * Default: 5,000.
   */
  readonly flushTimeoutMs?: number;
}

/** Default of `flushTimeoutMs`. */
export const DEFAULT_FLUSH_TIMEOUT_MS = 5_000;

/** Attributes of a span; `undefined` ones are left out. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };
